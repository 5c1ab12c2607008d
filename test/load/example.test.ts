import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { judgeLimiter } from '../../harness/judge/limiter.ts'
import { bundleEntry } from '../../harness/load/k6/bundle.ts'
import { importEvidence } from '../../harness/load/rate-limits/import.ts'
import { quotaColumns } from '../../harness/load/evidence/quota-columns.ts'
import { PLAN_ENV, PLAN_VERSION } from '../../load/protocol/plan.ts'
import { listen } from '../../reference/server.ts'
import { createService } from '../../reference/service.ts'
import { k6AtHand } from '../support/k6.ts'

const LOAD = path.join(import.meta.dirname, '../../load')
const EXAMPLE = path.join(LOAD, 'example/steady-reads.k6.ts')
/** So short that twenty reads in two seconds spend some windows. */
const LIMIT = { count: 5, windowSeconds: 1 }
const SENT = 20

test('the README of load shows the example as it is', async () => {
  const shown = /```ts\n(.*?)```/s.exec(await readFile(path.join(LOAD, 'README.md'), 'utf8'))
  expect(shown?.[1]).toBe(await readFile(EXAMPLE, 'utf8'))
})

test('the example is bundled for k6', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'example-'))
  await bundleEntry(EXAMPLE, path.join(folder, 'example.js'))
  const bundle = await readFile(path.join(folder, 'example.js'), 'utf8')
  await rm(folder, { recursive: true })
  const imported = [...bundle.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)
  expect(new Set(imported)).toEqual(new Set(['k6', 'k6/execution', 'k6/http']))
})

test.skipIf(k6AtHand === undefined)('k6 runs the example, and its evidence is judged', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'example-'))
  const file = (name: string): string => path.join(folder, name)
  const service = createService({ limits: { default: LIMIT }, demoAccounts: false })
  const { keys } = service.control.createAccount({ keys: { full: { scopes: ['product:read'] } } })
  const server = await listen(service)
  const stream = { url: `${server.baseUrl}/api/v1/services`, headers: {}, keyEnvs: ['EXAMPLE_KEY'] }
  const plan = { version: PLAN_VERSION, scenario: 'steady-reads', streams: [stream] }
  try {
    await bundleEntry(EXAMPLE, file('example.js'))
    await writeFile(file('plan.json'), JSON.stringify(plan))
    await promisify(execFile)(
      k6AtHand?.path ?? '',
      [
        'run',
        '--quiet',
        '--no-usage-report',
        '--log-format=raw',
        `--console-output=${file('evidence')}`,
        file('example.js'),
      ],
      {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          EXAMPLE_KEY: keys['full']?.key,
          [PLAN_ENV.plan]: file('plan.json'),
          K6_AUTO_EXTENSION_RESOLUTION: 'false',
        },
      },
    )
    const evidence = await importEvidence(file('evidence'), { streams: 1, interrupted: false })
    const [read] = evidence.streams
    const requests = quotaColumns(read?.samples ?? expect.unreachable('no stream'))
    expect([read?.samples.length, read?.end]).toEqual([SENT, 'done'])
    const history = { requests, slackMs: 50, history: 'complete' } as const
    expect(judgeLimiter({ ...history, limit: LIMIT }).explained).toBe(true)
    // Five in half a second lie in two windows at most, wherever an edge falls: two in each leave one.
    expect(judgeLimiter({ ...history, limit: { ...LIMIT, count: 2 } }).explained).toBe(false)
  } finally {
    await server.close()
    await rm(folder, { recursive: true })
  }
})
