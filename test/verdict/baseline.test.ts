/** Load that is compared with an earlier run: what is refused sends no load, and what could not be compared is not green. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { expectNotGreen, expectRefused } from './command-line.ts'
import { run } from './here.ts'

const k6 = k6AtHand

const BROWSE = ['--scenario', 'browse', '--seconds', '1']

let home = ''
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'baseline-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

async function onDisk(name: string, record: unknown): Promise<string> {
  const file = path.join(home, name)
  await writeFile(file, JSON.stringify(record))
  return file
}

test('a file that is none is refused', async () => {
  const ended = await run('load', [...BROWSE, '--baseline', path.join(home, 'none.json')])
  expectRefused(ended, 2, /E_BASELINE: .*could not be read/)
})

describe('with a run of the same target', () => {
  let baseline: RunRecord
  beforeEach(({ skip }) => {
    skip(k6 === undefined, 'no k6 is at hand')
  })
  beforeAll(async () => {
    if (k6 === undefined) return
    const ended = await run('load', [...BROWSE, '--repeats', '2'])
    expect(ended.code, ended.out + ended.err).toBe(0)
    baseline = await ended.record()
  })

  test('every repeat is in the record', () => {
    const [result] = baseline.load
    expect(result?.repeats).toHaveLength(2)
    for (const { verdict, figures } of result?.repeats ?? []) {
      expect(verdict).toBe('pass')
      expect(figures['admittedMsP50']).toBeGreaterThan(0)
    }
  })

  test('too few repeats are told, and are inconclusive where a bound was asked for', async () => {
    const file = await onDisk('good.json', baseline)
    const ended = await run('load', [...BROWSE, '--baseline', file, '--max-regression', '10'])
    const record = await expectNotGreen(ended, 6)
    expect(record.baseline).toMatchObject({ runId: baseline.runId, regressionPercentMax: 10 })
    const verdicts = new Set(record.baseline?.figures.map(({ verdict }) => verdict))
    expect([...verdicts]).toEqual(['not comparable'])
    expect(ended.out).toContain('too few to tell a difference from noise')
  })

  test('a baseline that measured none of it leaves a bound open: 6, with the reason', async () => {
    const load = baseline.load.map((each) => ({
      ...each,
      repeats: each.repeats?.map((repeat) => ({ ...repeat, figures: {} })) ?? [],
    }))
    const file = await onDisk('no-figures.json', { ...baseline, load, digest: undefined })
    const ended = await run('load', [...BROWSE, '--baseline', file, '--max-regression', '10'])
    const record = await expectNotGreen(ended, 6)
    expect(record.exitReason).toContain('are not decided beside the baseline')
    const reasons = record.baseline?.figures.map(({ reason }) => reason) ?? []
    expect(new Set(reasons)).toEqual(new Set(['the baseline did not measure it']))
  })

  test.each<[string, (record: RunRecord) => unknown, RegExp]>([
    [
      'whose verdict was edited',
      (record) => ({ ...record, verdict: 'fail' }),
      /changed after it was written/,
    ],
    ['that failed', (record) => ({ ...record, exitCode: 1, verdict: 'fail' }), /exit 1/],
    [
      'of another target',
      ({ digest: _digest, ...record }) => ({
        ...record,
        target: { ...record.target, name: 'stage' },
      }),
      /the name of its target is stage/,
    ],
  ])('a run %s is refused', async (_, change, sentence) => {
    const file = await onDisk('other.json', change(baseline))
    expectRefused(await run('load', [...BROWSE, '--baseline', file]), 2, sentence)
  })
})
