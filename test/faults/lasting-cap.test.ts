/** The cap of a key that outlives its checks, as partners have it: its headroom is read off the very refusals that are judged. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import type { FaultName } from '../../reference/faults/faults.ts'
import { embedInProcess } from '../support/in-process.ts'
import { suiteRun } from '../support/suite-run.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { virtualRun } from '../support/virtual-run.ts'

const CHARGES = ['idempotency.replay-not-charged', 'idempotency.copies-charged-once']
const CHECKS = ALL_CHECKS.filter(
  ({ id }) => id.startsWith('transaction-limit.') || CHARGES.includes(id),
)
/** Needs keys with caps of their own, which other checks decide too. */
const NEEDS_KEYS = 'transaction-limit.concurrent-'

async function verdicts(
  faults: readonly FaultName[],
  lastingCap = '500.00',
  variants: readonly VariantName[] = [],
): Promise<Map<string, string>> {
  const { outcomes } = await suiteRun({
    lastingCap,
    accounts: { shared: 'all' },
    windowSeconds: 60,
    service: { variants },
    faults,
    checks: CHECKS,
  })
  const findings = outcomes
    .flatMap(({ check }) => check.findings)
    // What one check leaves open another may decide.
    .filter(({ verdict }) => verdict !== 'untested')
    // What one check found broken stays so, whatever others say of it.
    .toSorted((a, b) => Number(a.verdict === 'fail') - Number(b.verdict === 'fail'))
  return new Map(findings.map(({ requirement, verdict }) => [requirement, verdict]))
}

describe('a lasting capped key', () => {
  test('of a conforming service decides every requirement of the cap by itself', async () => {
    const found = await verdicts([])
    expect([...new Set(found.values())]).toEqual(['pass'])
    // Those of accounts that are made for them have no place here.
    const own = CHECKS.filter(
      ({ id, needs }) => !id.startsWith(NEEDS_KEYS) && needs.ofKeysOfFile === undefined,
    )
    const wanted = new Set(own.flatMap(({ requirements }) => requirements))
    expect([...wanted].filter((id) => !found.has(id))).toEqual([])
  })

  test('that takes another amount than the price is found by purchases that are made twice', async () => {
    const found = await verdicts(['cap-charges-asynchronous-twice'])
    expect(found.get('CAP-12')).toBe('fail')
  })

  test('that is too small for a race, and the purchase of what is left, decides the race', async () => {
    const found = await verdicts([], '200.00')
    expect([...new Set(found.values())]).toEqual(['pass'])
    expect(found.has('CAP-13')).toBe(true)
  })

  test.each<[string, readonly VariantName[]]>([
    ['5000.00', []],
    ['600.00', ['orders-of-100-pieces']],
    ['130.00', ['orders-of-100-pieces']],
  ])('of %s beyond which no single order goes is used up by several', async (cap, variants) => {
    const found = await verdicts([], cap, variants)
    expect([...new Set(found.values())]).toEqual(['pass'])
    for (const id of ['CAP-01', 'CAP-03', 'CAP-06', 'CAP-09', 'CAP-11', 'CAP-12'])
      expect([...found.keys()]).toContain(id)
  })

  test.each<[VariantName, string]>([
    ['vouchers-cheaper-in-bulk', '100.00'],
    ['vouchers-cheaper-in-bulk', '500.00'],
    ['vouchers-cheaper-in-bulk', '900.00'],
    ['vouchers-cheaper-by-three', '900.00'],
    ['vouchers-cheaper-by-three', '2000.00'],
  ])('blames no service with %s, and is not used up by that, of %s', async (variant, cap) => {
    const found = await verdicts([], cap, [variant])
    expect([...new Set(found.values())].filter((each) => each !== 'inconclusive')).toEqual(['pass'])
    for (const id of ['CAP-01', 'CAP-03', 'CAP-07', 'CAP-09', 'CAP-11', 'CAP-12', 'IDEM-09'])
      expect(found.get(id)).toBe('pass')
  })

  test.each<[VariantName, string]>([
    ['prices-finer-than-cents', '500.00'],
    ['prices-finer-than-told', '500.00'],
    ['prices-finer-than-told', '130.00'],
  ])('blames no service with %s for a cap of %s', async (variant, cap) => {
    const found = await verdicts([], cap, [variant])
    expect([...new Set(found.values())]).toEqual(['pass'])
    for (const id of ['CAP-01', 'CAP-07', 'CAP-11', 'CAP-12', 'IDEM-09'])
      expect([...found.keys()]).toContain(id)
  })

  test('that no units fill decides what builds on its end', async () => {
    const found = await verdicts([], '500.37')
    expect([...new Set(found.values())]).toEqual(['pass'])
    for (const id of ['CAP-15', 'IDEM-03']) expect([...found.keys()]).toContain(id)
  })

  test.each<[FaultName, string]>([
    ['cap-answers-429', 'CAP-03'],
    ['cap-status-code', 'CAP-04'],
    ['cap-message-without-headroom', 'CAP-07'],
  ])('beyond which no single order goes shows %s', async (fault, requirement) => {
    const found = await verdicts([fault], '600.00', ['orders-of-100-pieces'])
    expect(found.get(requirement)).toBe('fail')
  })

  test.each<[FaultName, string]>([
    ['cap-answers-429', 'CAP-03'],
    ['cap-status-code', 'CAP-04'],
    ['cap-error-code-missing', 'CAP-05'],
    ['cap-message-without-amounts', 'CAP-06'],
    ['cap-message-without-headroom', 'CAP-07'],
    ['cap-message-without-limit', 'CAP-08'],
    ['cap-strictly-less', 'CAP-02'],
    ['cap-forgets-asynchronous', 'CAP-12'],
    ['cap-charges-one-unit', 'CAP-12'],
    ['spend-check-then-act', 'CAP-13'],
    ['spend-lost-update', 'CAP-13'],
    ['cap-forgets-top-ups', 'CAP-18'],
    ['cap-refused-top-up-leaks', 'CAP-11'],
    ['cap-refused-esim-leaks', 'CAP-11'],
    ['replay-charges-again', 'IDEM-09'],
    ['replay-needs-headroom', 'IDEM-03'],
  ])('shows %s', async (fault, requirement) => {
    expect((await verdicts([fault])).get(requirement)).toBe('fail')
  })
})

/** A voucher that costs more than what else is sold: less than the price of that cannot be left while a voucher fits. */
async function besideDearVouchers(fault: FaultName): Promise<readonly string[]> {
  const clock = new VirtualClock()
  const { target } = embedInProcess({ clock, windowSeconds: 2, faults: [] })
  const { voucher } = target.products
  if (!voucher) throw new Error('the reference service sells vouchers')
  const variables = { ...voucher.variables, itemId: 'arcade-5' }
  const products = { ...target.products, voucher: { ...voucher, variables, unitPrice: '5.00' } }
  const { outcomes } = await virtualRun({
    faults: [fault],
    target: { ...target, products },
    checks: ALL_CHECKS.filter(({ id }) => /^transaction-limit\.(?:asynchronous|top-up)$/.test(id)),
    invariants: [],
  })
  return outcomes.map(({ check }) => `${check.id} ${check.verdict}`)
}

test.each<[FaultName, string]>([
  ['cap-forgets-top-ups', 'transaction-limit.top-up'],
  ['cap-forgets-asynchronous', 'transaction-limit.asynchronous'],
])('products cheaper than a voucher show %s', async (fault, id) => {
  const verdicts = await besideDearVouchers(fault)
  const other = verdicts.filter((each) => !each.startsWith(`${id} `))
  expect(verdicts).toContain(`${id} fail`)
  expect(other.every((each) => each.endsWith(' pass'))).toBe(true)
})
