import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoadResult, RunRecord } from '../../schemas/generated/run-record.ts'
import { passingRecord } from '../../test/report/sample-record.ts'
import { otherMachine, readBaseline, requireSameSetting } from './read.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'baseline-'))
})
afterAll(() => rm(directory, { recursive: true }))

const LOAD: LoadResult = {
  scenario: 'browse',
  workload: 'smoke',
  verdict: 'pass',
  reason: '',
  requirements: [],
  findings: [],
  measurements: {},
  windows: [],
  k6: { exitCode: 0, thresholdsCrossed: [] },
  requests: { planned: 10, sent: 10, admitted: 10, refused: 0, failed: 0 },
}

function good(change: Partial<RunRecord> = {}): RunRecord {
  return { ...passingRecord(), load: [LOAD], ...change }
}

const WANTED = {
  scenarios: ['browse'],
  workload: 'smoke',
  harnessVersion: passingRecord().environment.harness,
}

async function read(
  content: unknown,
  wanted: Parameters<typeof readBaseline>[1] = WANTED,
): Promise<RunRecord> {
  const file = join(directory, 'run.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readBaseline(file, wanted)
}

test('a run that passed is a baseline', async () => {
  expect(await read(good())).toMatchObject({ runId: passingRecord().runId })
})

test('checks alone are compared with any whole run', async () => {
  const checks = { ...WANTED, scenarios: [] }
  const failed = good({ exitCode: 1, verdict: 'fail', load: [] })
  expect(await read(failed, checks)).toMatchObject({ exitCode: 1 })
  await expect(read(good({ partial: true }), checks)).rejects.toThrow('was interrupted')
  await expect(read(good({ digest: '0'.repeat(64) }), checks)).rejects.toThrow('was changed')
  const bounded = read(good(), { ...checks, isRegressionBounded: true })
  await expect(bounded).rejects.toThrow('no load scenario whose figures')
})

describe('a run is refused', () => {
  const PROBLEM = { code: 'E_HARNESS', message: 'm', nextStep: 'n' }
  const environment = { ...passingRecord().environment, harness: '99.0.0' }
  test.each<[string, unknown, string]>([
    ['that is no JSON', 'nonsense', 'could not be read'],
    ['that is no record', {}, 'is no run record'],
    ['that was interrupted', good({ partial: true }), 'was interrupted'],
    ['that failed', good({ exitCode: 1, verdict: 'fail' }), 'ended with fail (exit 1'],
    ['whose verdict was edited', good({ verdict: 'fail' }), 'that its verdict is fail'],
    [
      'whose exit code was edited',
      good({ problems: [PROBLEM] }),
      'something went wrong (E_HARNESS)',
    ],
    [
      'of which a failed requirement was left',
      good({
        requirements: passingRecord().requirements.map((each) => ({ ...each, verdict: 'fail' })),
      }),
      'failed',
    ],
    [
      'whose repeats were taken out',
      good({ load: [{ ...LOAD, repeats: [] }] }),
      'no repeat of browse',
    ],
    ['that was inconclusive', good({ exitCode: 6, verdict: 'inconclusive' }), 'exit 6'],
    ['of another major version', good({ environment }), 'version 99.0.0 of the harness'],
    ['without the scenario', good({ load: [] }), 'holds no browse'],
    [
      'whose scenario did not pass',
      good({ load: [{ ...LOAD, verdict: 'untested', reason: 'no key' }] }),
      'its browse ended with untested: no key',
    ],
    [
      'of another workload',
      good({ load: [{ ...LOAD, workload: 'soak' }] }),
      'the workload soak, not smoke',
    ],
  ])('%s', async (_, content, reason) => {
    const refused = read(content)
    await expect(refused).rejects.toMatchObject({ code: 'E_BASELINE', exitCode: 2 })
    await expect(refused).rejects.toThrow(reason)
  })

  test('that is not there', async () => {
    await expect(readBaseline(join(directory, 'none.json'), WANTED)).rejects.toMatchObject({
      code: 'E_BASELINE',
    })
  })
})

describe('the setting', () => {
  const record = good()
  const { target } = record

  test('is the same for the same target', () => {
    expect(() => requireSameSetting(record, target)).not.toThrow()
  })

  test('may be on another port where the run starts the service itself', () => {
    const embedded = { ...record, target: { ...target, kind: 'embedded' as const } }
    const baseUrl = 'http://127.0.0.1:1'
    expect(() => requireSameSetting(embedded, { ...embedded.target, baseUrl })).not.toThrow()
    const url = { ...record, target: { ...target, kind: 'url' as const } }
    expect(() => requireSameSetting(url, { ...url.target, baseUrl })).toThrow('the baseUrl')
  })

  test('is another with another name, timing or limit', () => {
    expect(() => requireSameSetting(record, { ...target, name: 'stage' })).toThrow('the name')
    const limits = { ...target.limits, default: { count: 7, windowSeconds: 60 } }
    expect(() => requireSameSetting(record, { ...target, limits })).toThrow('its limit of default')
  })

  test('of another machine is named', () => {
    const { environment } = record
    expect(otherMachine(record, environment)).toBeUndefined()
    expect(otherMachine(record, { ...environment, cpus: 99 })).toContain('99 CPUs')
  })
})
