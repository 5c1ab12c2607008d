import { expect, test } from 'vitest'
import { TIMING_SLACK_MS } from '../../../harness/target-file/target.ts'
import { suiteRun } from '../../../test/support/suite-run.ts'
import { ALL_CHECKS } from '../../registry.ts'

const PROBES = ALL_CHECKS.filter(({ id }) => /^(limits|dtu-check)\.window/.test(id))

test.each([
  ['strict', 0.08, 'longer than 0.1 s; judge a target with longer windows'],
  [
    'partner',
    0.4,
    'longer than 0.5 s; run with --timing strict (slack 50 ms, windows longer than 0.1 s)',
  ],
] as const)(
  'windows shorter than twice the slack of timing %s are inconclusive, with the numbers',
  async (timing, windowSeconds, advice) => {
    expect(PROBES).toHaveLength(4)
    const { outcomes } = await suiteRun({
      accounts: 'fresh',
      windowSeconds,
      timing,
      checks: PROBES,
    })
    const ended = outcomes.filter(({ check }) => PROBES.some(({ id }) => id === check.id))
    expect(ended.map(({ check }) => check.verdict)).toEqual(PROBES.map(() => 'inconclusive'))
    for (const { check } of ended) {
      expect(check.reason).toContain(`last ${windowSeconds} s`)
      expect(check.reason).toContain(`${TIMING_SLACK_MS[timing]} ms`)
      expect(check.reason).toContain(advice)
    }
  },
)
