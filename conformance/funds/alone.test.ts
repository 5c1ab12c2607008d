import { describe, expect, it } from 'vitest'
import type { FaultName } from '../../reference/faults/faults.ts'
import { suiteRun } from '../../test/support/suite-run.ts'
import { ALL_CHECKS } from '../registry.ts'

const checks = ALL_CHECKS.filter(({ id }) => /^(?:funds|orders|idempotency|states)\./.test(id))

/** Checks of the balance on one account that all checks share, beside others that spend it. */
async function verdicts(faults: readonly FaultName[] = []): Promise<ReadonlyMap<string, string>> {
  const { outcomes, session } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: 2,
    faults,
    checks,
  })
  expect(session.history.all().some(({ operation }) => operation === 'getBalance')).toBe(true)
  return new Map(
    outcomes
      .filter(({ check }) => /not-debited|debits-nothing/.test(check.id))
      .map(({ check }) => [check.id, `${check.verdict} ${check.reason ?? ''}`.trim()]),
  )
}

describe('the balance of a shared account', () => {
  it('is read last and alone, so that it is decided', async () => {
    const decided = await verdicts()
    expect(Object.fromEntries(decided)).toMatchObject({
      'funds.replay-not-debited': 'pass',
      'funds.top-up-replay-not-debited': 'pass',
      'funds.esim-replay-not-debited': 'pass',
      'funds.checkout-replay-not-debited': 'pass',
      'funds.timeout-debits-nothing': 'pass',
    })
  })

  it.each([
    ['replay-debits-again', 'funds.replay-not-debited'],
    ['esim-replay-debits', 'funds.esim-replay-not-debited'],
    ['check-timeout-debits', 'funds.timeout-debits-nothing'],
  ] as const)('shows %s', async (fault, check) => {
    expect((await verdicts([fault])).get(check)).toBe('fail')
  })
})
