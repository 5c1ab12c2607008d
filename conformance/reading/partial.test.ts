import { expect, test } from 'vitest'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../registry.ts'

test.each([
  [[], ['pass', 'pass']],
  [['partial-codes-hidden'], ['fail', 'untested']],
  [['partial-unmasked'], ['pass', 'fail']],
] as const)(
  'of a service whose partial order of one piece is empty, %s is judged by an order of two',
  async (faults, verdicts) => {
    const { outcomes } = await virtualRun({
      service: { variants: ['partial-of-one-empty'] },
      faults,
      checks: ALL_CHECKS.filter(({ id }) => id === 'reading.partial-codes'),
      invariants: ALL_INVARIANTS.filter(({ id }) => id === 'reading.no-code-leaks'),
    })
    expect(outcomes.map(({ check }) => check.verdict)).toEqual(verdicts)
  },
)
