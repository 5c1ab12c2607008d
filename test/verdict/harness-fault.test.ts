/** Exit 4: a fault of the harness is never a verdict on the target, and never green. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { REQUIREMENTS } from '../../contract/requirements/index.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import type { ConformanceRunner } from '../../harness/gate/conformance.ts'
import { runGate } from '../../harness/gate/gate.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import { COST_BUDGETS } from '../../conformance/selectable.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { sampleCheck } from '../report/sample-parts.ts'
import { expectNotGreen, preload, run, whenCarriedOut } from './command-line.ts'

const CHECK = {
  id: 'auth.made-up',
  title: 'a made-up check',
  requirements: ['AUTH-01'],
  purchases: 0,
  buckets: [],
  capabilities: [],
  isInvariant: false,
}

function outcome(change: Partial<CheckOutcome['check']>): CheckOutcome {
  const { id, title, requirements } = CHECK
  const check = sampleCheck(id, { title, requirements, area: 'auth', ...change })
  return { check, exchanges: [], observations: [], windows: [] }
}

const RESULT = {
  outcomes: [],
  faults: [],
  spent: [],
  purchased: { orders: 0, made: [], money: new Map(), charged: new Map() },
}

/** Runs the gate in this process with a suite of ours in place of the checks. */
async function gateWith(
  conformance: ConformanceRunner,
): Promise<{ code: number; record: RunRecord; junit: string; terminal: string }> {
  const reports = await mkdtemp(path.join(os.tmpdir(), 'verdict-fault-'))
  const out = new PassThrough()
  try {
    const code = await runGate(
      parseRunOptions('conformance', ['--reports', reports]),
      {
        catalogue: REQUIREMENTS,
        checks: [CHECK],
        scenarios: [],
        costBudgets: COST_BUDGETS,
        conformance,
        harnessVersion: '0',
      },
      {
        out: out as unknown as NodeJS.WriteStream,
        progress: new PassThrough() as unknown as NodeJS.WriteStream,
      },
    )
    const [name = ''] = await readdir(reports)
    const read = (file: string): Promise<string> => readFile(path.join(reports, name, file), 'utf8')
    return {
      code,
      record: JSON.parse(await read('run.json')) as RunRecord,
      junit: await read('junit.xml'),
      terminal: String(out.read()),
    }
  } finally {
    await rm(reports, { recursive: true })
  }
}

describe('exit 4 from within', () => {
  test('the made-up suite passes by itself', async () => {
    const { code, record } = await gateWith(({ onOutcome }) => {
      onOutcome(outcome({}))
      return Promise.resolve(RESULT)
    })
    expect([code, record.verdict]).toEqual([0, 'pass'])
  })

  test.each<[string, ConformanceRunner, RegExp]>([
    [
      'a suite that breaks',
      () => Promise.reject(new Error('the worker ran out of memory')),
      /E_HARNESS: the worker ran out of memory/,
    ],
    [
      'a fault outside of the checks',
      ({ onOutcome }) => {
        onOutcome(outcome({}))
        return Promise.resolve({ ...RESULT, faults: ['the worker exited'] })
      },
      /E_HARNESS: the worker exited/,
    ],
    ['a check that left no outcome', () => Promise.resolve(RESULT), /auth\.made-up/],
    [
      'a check that threw',
      ({ onOutcome }) => {
        onOutcome(outcome({ verdict: 'error', reason: 'TypeError: x is undefined', findings: [] }))
        return Promise.resolve(RESULT)
      },
      /1 checks could not be carried out/,
    ],
    [
      'a record that breaks its schema',
      ({ onOutcome }) => {
        onOutcome(outcome({ durationSeconds: 'long' as unknown as number }))
        return Promise.resolve(RESULT)
      },
      /E_RECORD_INVALID|E_HARNESS/,
    ],
  ])('%s', async (_what, conformance, reason) => {
    const { code, record, terminal } = await gateWith(conformance)
    expect(code).toBe(4)
    expect(record).toMatchObject({ exitCode: 4, verdict: 'error' })
    expect(record.exitReason).toMatch(reason)
    expect(terminal).toContain('(exit 4)')
    expect(record.nextStep).toContain('Report it')
  })

  test('what was decided stands beside a fault of the harness: 1, and both are told', async () => {
    const failed = outcome({ verdict: 'fail' })
    const finding = { ...failed.check.findings[0], verdict: 'fail' as const }
    const { code, record, terminal } = await gateWith(({ onOutcome }) => {
      onOutcome({ ...failed, check: { ...failed.check, findings: [finding as never] } })
      return Promise.resolve({ ...RESULT, faults: ['the worker exited'] })
    })
    expect([code, record.verdict]).toEqual([1, 'fail'])
    expect(record.exitReason).toMatch(/AUTH-01\. Beside it: E_HARNESS: the worker exited/)
    expect(terminal).toContain('the worker exited')
  })

  test('what a broken run selected is named as untested', async () => {
    const { record, junit } = await gateWith(() => Promise.reject(new Error('gone')))
    expect(record.checks).toMatchObject([{ id: 'auth.made-up', verdict: 'untested' }])
    expect(junit).toMatch(/<testsuites [^>]*errors="1"/)
  })
})

describe.concurrent('exit 4 from outside', () => {
  test('the worker of the checks ends by itself', async () => {
    const ended = await run(
      'conformance',
      ['--only', 'auth.missing-key,limits.window-listing', '--window-seconds', '5'],
      preload('if (!isMainThread) setTimeout(() => process.exit(0), 1200)'),
    )
    const record = await expectNotGreen(ended, 4)
    expect(record.verdict).toBe('error')
  })

  test('the memory of the worker is full', async () => {
    const { NODE_OPTIONS = '' } = preload(
      'const all = []; if (!isMainThread) setTimeout(() => { for (;;) all.push(new Array(1e6).fill(0)) }, 1200)',
    )
    const ended = await run(
      'conformance',
      ['--only', 'auth.missing-key,limits.window-listing', '--window-seconds', '5'],
      { NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=300` },
    )
    expect((await expectNotGreen(ended, 4)).exitReason).toContain('memory')
  })

  test('a stray error in the worker', async () => {
    const ended = await run(
      'conformance',
      ['--only', 'auth.missing-key,limits.window-listing', '--window-seconds', '5'],
      preload("if (!isMainThread) setTimeout(() => { throw new Error('stray') }, 1200)"),
    )
    expect((await expectNotGreen(ended, 4)).exitReason).toContain('stray')
  })

  test.each([
    ['error', "throw new Error('stray')"],
    ['rejection', "Promise.reject(new Error('stray'))"],
  ])('a stray %s in the main thread is no verdict on the target', async (_what, code) => {
    const ended = await run(
      'conformance',
      ['--only', 'limits', '--window-seconds', '5'],
      preload(whenCarriedOut(code)),
    )
    expect(ended.code, ended.out + ended.err).toBe(4)
    expect(ended.err).toContain('stray')
    expect(ended.err).toContain('fault of the harness')
  })
})
