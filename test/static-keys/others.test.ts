/** Others who use the account of a target file meanwhile: what they take of a budget is no fault of the service. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { WINDOW_PHASES } from '../../reference/base/types.ts'
import { conformingRow } from '../support/conforming.ts'
import { suiteRun, type SuiteRun } from '../support/suite-run.ts'

const WINDOW_SECONDS = 60
const ID = 'limits.window-services'

/** So many requests from this time on, 50 ms apart. */
function from(seconds: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => seconds + index * 0.05)
}

async function withOthers(
  atSeconds: readonly number[],
  more: Pick<Parameters<typeof suiteRun>[0], 'faults' | 'service'>,
): Promise<Pick<SuiteRun, 'toOthers'> & { check: SuiteRun['outcomes'][number]['check'] }> {
  const { outcomes, toOthers } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: WINDOW_SECONDS,
    checks: ALL_CHECKS.filter(({ id }) => id === ID),
    others: { atSeconds },
    ...more,
  })
  const { check } = outcomes.find((each) => each.check.id === ID) as SuiteRun['outcomes'][number]
  return { check, ...(toOthers && { toOthers }) }
}

/** Purchases of others with the keys of the file, while each purchase takes as long as it does over a network. */
async function besidePurchases(
  role: 'capped' | 'full',
  ids: readonly string[],
  perSecond: number,
): Promise<{ failed: readonly string[]; others: number }> {
  let count = 0
  const { outcomes, toOthers = [] } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: WINDOW_SECONDS,
    service: { quoteLatencyMs: 300 },
    checks: ALL_CHECKS.filter(({ id }) => ids.some((each) => id.startsWith(each))),
    others: {
      atSeconds: Array.from({ length: 90 * perSecond }, (_, index) => index / perSecond),
      send: (api) =>
        api
          .as(role)
          .createOrder(
            { product: 'voucher', referenceId: `others-${count++}` },
            { throttled: 'return' },
          ),
    },
  })
  const failed = outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))
  return {
    failed: failed.map(({ check }) => check.id),
    others: toOthers.filter((status) => status === 200).length,
  }
}

describe('purchases of others', () => {
  test.each([1, 3])(
    'with the same capped key (%d/s) are not blamed on its cap',
    async (perSecond) => {
      const { failed, others } = await besidePurchases('capped', ['transaction-limit.'], perSecond)
      expect(others).toBeGreaterThan(10)
      expect(failed).toEqual([])
    },
  )

  test('from the same balance are not blamed on replays and refusals', async () => {
    const { failed, others } = await besidePurchases('full', ['funds.'], 3)
    expect(others).toBeGreaterThan(10)
    expect(failed).toEqual([])
  })
})

const SMALL_OF_ALL_READS = ['limits-small', 'reads-counted-in-default'] as const

test('a small window that counts all reads of orders is not blamed on the budgets of orders', async () => {
  const ids = ['unhide.', 'reading.', 'orders.']
  const { outcomes } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: WINDOW_SECONDS,
    service: { variants: SMALL_OF_ALL_READS },
    checks: ALL_CHECKS.filter(({ id }) => ids.some((each) => id.startsWith(each))),
  })
  const failed = outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))
  expect(failed.map(({ check }) => check.id)).toEqual([])
})

test('nor are reads of other checks that it counted blamed on the window of filtered reads', async () => {
  const variants = [...SMALL_OF_ALL_READS, 'windows-by-first-request', 'contention-for-all']
  const { alarms } = await conformingRow(variants.join('+'), 60, { hasFileKeys: true })
  expect(alarms).toEqual([])
})

test('a limit that the shop service passes on now and then is not blamed on what our own purchases show', async () => {
  const ids = ['transaction-limit.', 'orders.upstream', 'dtu-check.timeout', 'idempotency.']
  const { outcomes } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: WINDOW_SECONDS,
    service: { variants: ['shop-limit-relayed'] },
    checks: ALL_CHECKS.filter(({ id }) => ids.some((each) => id.startsWith(each))),
  })
  const moved = outcomes.filter(({ check }) => check.reason?.includes('others may use this key'))
  expect(moved.map(({ check }) => check.id)).toEqual([])
})

describe('requests of others on a shared account', () => {
  test.each(WINDOW_PHASES.flatMap((windowPhase) => [61, 119.5].map((at) => [windowPhase, at])))(
    'in one window are not blamed on the service (windows by %s, at %d s)',
    async (windowPhase, at) => {
      const { check, toOthers } = await withOthers(from(Number(at), 30), {
        service: { windowPhase: windowPhase as (typeof WINDOW_PHASES)[number] },
      })
      expect(toOthers).toHaveLength(30)
      expect(check.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
      if (!toOthers?.includes(200)) return
      expect(check.verdict).toBe('inconclusive')
      expect(check.reason).toContain('Run this check with an account that nobody else uses')
    },
  )

  test.each(WINDOW_PHASES)('in two probes are not either (windows by %s)', async (windowPhase) => {
    const twice = [...from(61, 18), ...from(310, 40)]
    const { check, toOthers } = await withOthers(twice, { service: { windowPhase } })
    expect(toOthers).toContain(200)
    expect(check.verdict).toBe('inconclusive')
    expect(check.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })

  test.each([0.05, 0.2])('all the time (%d/s) are not either', async (perSecond) => {
    const atSeconds = Array.from({ length: 1000 * perSecond }, (_, index) => index / perSecond)
    const { check } = await withOthers(atSeconds, {})
    expect(check.verdict).toBe('inconclusive')
    expect(check.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })

  test('do not hide windows that slide, and the finding names them', async () => {
    const { check } = await withOthers(from(61, 30), { faults: ['window-sliding-log'] })
    const failed = check.findings.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map(({ requirement }) => requirement)).toContain('RATE-03')
    for (const { observed } of failed)
      expect(observed).toContain('Others who use this account all the time would look the same')
  })

  test('do not hide windows of half the length', async () => {
    const { check } = await withOthers(from(61, 30), { faults: ['default-window-half'] })
    const failed = check.findings.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map(({ requirement }) => requirement)).toContain('RATE-02')
  })
})
