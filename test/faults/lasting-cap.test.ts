/** The cap of a key that outlives its checks, as partners have it: its headroom is read off the very refusals that are judged. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { FaultName } from '../../reference/faults.ts'
import { suiteRun } from '../support/suite-run.ts'

const CHECKS = ALL_CHECKS.filter(
  ({ id, needs }) => id.startsWith('transaction-limit.') && !needs.drainsCap,
)

async function verdicts(
  faults: readonly FaultName[],
  lastingCap = '300.00',
): Promise<Map<string, string>> {
  const { outcomes } = await suiteRun({
    lastingCap,
    accounts: { shared: 'all' },
    windowSeconds: 60,
    faults,
    checks: CHECKS,
  })
  const findings = outcomes.flatMap(({ check }) => check.findings)
  return new Map(findings.map(({ requirement, verdict }) => [requirement, verdict]))
}

describe('a lasting capped key', () => {
  test('of a conforming service breaks nothing, and decides what it can without being used up', async () => {
    const found = await verdicts([])
    expect([...new Set(found.values())]).toEqual(['pass'])
    for (const requirement of ['CAP-01', 'CAP-03', 'CAP-07', 'CAP-11', 'CAP-12'])
      expect(found.has(requirement)).toBe(true)
  })

  test('beyond which no single order goes leaves the cap open: the quantity was refused', async () => {
    const found = await verdicts([], '5000.00')
    expect(found.has('CAP-03')).toBe(false)
    expect([...new Set(found.values())]).toEqual(['pass'])
  })

  test.each<[FaultName, string]>([
    ['cap-answers-429', 'CAP-03'],
    ['cap-status-code', 'CAP-04'],
    ['cap-error-code-missing', 'CAP-05'],
    ['cap-message-without-amounts', 'CAP-06'],
    ['cap-message-without-headroom', 'CAP-07'],
    ['cap-message-without-limit', 'CAP-08'],
  ])('shows %s', async (fault, requirement) => {
    expect((await verdicts([fault])).get(requirement)).toBe('fail')
  })
})
