/** The dashboard in docs/: each of its panels shows data of a run that k6 sent to a real Prometheus. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectGreen } from '../support/punctual.ts'
import { run } from '../verdict/here.ts'

type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] }

const FILE = path.join(import.meta.dirname, '..', '..', 'docs', 'grafana-dashboard.json')
const { panels } = JSON.parse(await readFile(FILE, 'utf8')) as { panels: readonly Panel[] }
const EXPRESSIONS = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr] as const),
)

const isInstalled = spawnSync('prometheus', ['--version']).status === 0
const missing = [
  ...(isInstalled ? [] : ['prometheus is not installed (apt-get install prometheus)']),
  ...(k6AtHand === undefined ? ['there is no k6'] : []),
]
const why = missing.length === 0 ? '' : `; skipped: ${missing.join(', ')}`

test('the dashboard has panels by operation, status and verdict', () => {
  for (const label of ['operation', 'status', 'verdict'])
    expect(EXPRESSIONS.some(([, expr]) => expr.includes(`by (${label})`))).toBe(true)
})

describe.skipIf(missing.length > 0)(`the dashboard with a real Prometheus${why}`, () => {
  const stack = new AsyncDisposableStack()
  const startSeconds = Math.floor(Date.now() / 1000)
  let url = ''

  beforeAll(async () => {
    url = await startPrometheus(stack)
    const words =
      '--scenario mixed --workload steady --seconds 8 --rate 20 --out experimental-prometheus-rw --tag testid=nightly'
    const ended = await run('load', words.split(' '), {
      K6_PROMETHEUS_RW_SERVER_URL: `${url}/api/v1/write`,
      K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
    })
    await expectGreen(ended)
  })
  afterAll(() => stack.disposeAsync())

  test.each(EXPRESSIONS)('%s: %s', async (_title, expr) => {
    const query = expr.replaceAll('$testid', 'nightly').replaceAll('$__rate_interval', '5s')
    const endSeconds = Date.now() / 1000
    const asked = new URLSearchParams({
      query,
      start: String(startSeconds),
      end: String(endSeconds),
      step: '1',
    })
    const response = await fetch(`${url}/api/v1/query_range?${asked.toString()}`)
    const { data } = (await response.json()) as {
      data?: { result: readonly { values: readonly (readonly [number, string])[] }[] }
    }
    const values = data?.result.flatMap((series) => series.values.map(([, text]) => Number(text)))
    expect(values?.filter(Number.isFinite).length).toBeGreaterThan(0)
    // Only what went wrong may be nothing at all.
    const isShare = expr.includes('vector(0)')
    if (!isShare) expect(values?.some((value) => value > 0)).toBe(true)
  })

  test('a run by another name is not among them', async () => {
    const response = await fetch(`${url}/api/v1/label/testid/values`)
    expect(await response.json()).toMatchObject({ data: ['nightly'] })
  })
})

/** With a store of its own, which takes what k6 sends. */
async function startPrometheus(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'harness-prometheus-test-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const config = path.join(directory, 'prometheus.yml')
  await writeFile(config, '{}\n')
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(directory, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--web.enable-remote-write-receiver',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  stack.defer(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const url = `http://${await addressIn(child.stderr)}`
  const isReady = async (): Promise<void> => expect((await fetch(`${url}/-/ready`)).ok).toBe(true)
  await vi.waitFor(isReady, { timeout: 120_000 })
  return url
}

/** Where it listens, which its log tells; the rest of the log is read and forgotten. */
function addressIn(log: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface(log)
    .on('line', (line) => {
      const [, address] = /"Listening on".*address=(\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
    .once('close', () => reject(new Error('prometheus ended without listening')))
  return promise
}
