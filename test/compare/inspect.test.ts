import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contradictionsIn } from '../../harness/record/inspect.ts'
import { renderHar } from '../../harness/report/har.ts'
import { SIGNAL_EXIT_CODES } from '../../harness/signals.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { run } from '../verdict/here.ts'

let directory: string
/** What a real run left: a failure, and one that is accepted. */
let broken: RunRecord
let accepted: RunRecord

const SELECTION = ['--only', 'auth.revoked-key,auth.missing-key']
const LIST =
  'failures: [{ requirement: AUTH-03, reason: OPS-1, owner: platform, expires: 2999-01-01 }]\n'

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'inspect-'))
  const list = path.join(directory, 'known.yaml')
  await writeFile(list, LIST)
  const options = [...SELECTION, '--fault', 'revoked-key-accepted']
  const [first, second] = await Promise.all([
    run('conformance', options),
    run('conformance', [...options, '--known-failures', list]),
  ])
  broken = await first.record()
  accepted = await second.record()
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test('a record that was left as it was written contradicts nothing', () => {
  expect(broken.exitCode).toBe(1)
  expect(accepted.exitCode).toBe(0)
  expect(contradictionsIn(broken)).toEqual([])
  expect(contradictionsIn(accepted)).toEqual([])
})

const without = ({ digest: _digest, ...record }: RunRecord): RunRecord => record

describe('what was edited is named, digest or not', () => {
  test('the digest shows any change', () => {
    const [complaint] = contradictionsIn({ ...broken, nextStep: 'Ship it.' })
    expect(complaint).toContain('changed after it was written')
  })

  test('a verdict', () => {
    const edited = without({ ...broken, exitCode: 0, verdict: 'pass' })
    expect(contradictionsIn(edited)).toEqual([
      'The record ends with pass (exit 0), its findings give fail (exit 1).',
    ])
  })

  test('a requirement', () => {
    const requirements = broken.requirements.map((each) =>
      each.id === 'AUTH-03' ? { ...each, verdict: 'pass' as const } : each,
    )
    expect(contradictionsIn(without({ ...broken, requirements }))).toContain(
      'AUTH-03 is pass in the record, and fail by its findings.',
    )
  })

  test('a partial record that claims to be whole', () => {
    for (const exitCode of Object.values(SIGNAL_EXIT_CODES))
      expect(contradictionsIn(without({ ...broken, exitCode }))).toContain(
        `The run was interrupted (exit ${exitCode}), and the record claims to be whole.`,
      )
  })

  test('evidence that was taken out', () => {
    const [complaint] = contradictionsIn(without({ ...broken, exchanges: [] }))
    expect(complaint).toMatch(/^Findings name \d+ exchanges that the record does not hold/)
  })
})

test('the evidence is an HTTP archive', () => {
  const { log } = JSON.parse(renderHar(broken)) as {
    log: { version: string; entries: { request: { url: string }; response: { status: number } }[] }
  }
  expect(log.version).toBe('1.2')
  expect(log.entries).toHaveLength(broken.exchanges.length)
  for (const [index, { request, response }] of log.entries.entries()) {
    expect(request.url).toBe(broken.exchanges[index]?.url)
    expect(response.status).toBe(broken.exchanges[index]?.status ?? 0)
  }
})

test('the command ends with 1 on an edited record, and writes the archive', async () => {
  const { spawnSync } = await import('node:child_process')
  const script = path.resolve(import.meta.dirname, '../../scripts/inspect.ts')
  const inspect = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  const whole = path.join(directory, 'whole.json')
  const edited = path.join(directory, 'edited.json')
  const har = path.join(directory, 'evidence.har')
  await writeFile(whole, JSON.stringify(broken))
  await writeFile(edited, JSON.stringify({ ...broken, exitCode: 0 }))
  const good = inspect(whole, '--har', har)
  expect(good.status, good.stderr).toBe(0)
  expect(JSON.parse(await readFile(har, 'utf8'))).toHaveProperty('log.entries')
  const bad = inspect(edited)
  expect(bad.status).toBe(1)
  expect(bad.stdout).toContain('changed after it was written')
  expect(inspect('no-such.json').status).toBe(2)
})
