import { describe, expect, test } from 'vitest'
import { isNamed } from '../../harness/load/bursts/burst-proof.ts'
import { judgeSpendContention } from '../../harness/load/bursts/spend-judge.ts'
import { FIRST_PROBE, KINDS_SCRIPT } from '../../harness/load/bursts/spend-kinds-script.ts'
import { draftSpend, planSpend } from '../../harness/load/bursts/spend-plan.ts'
import { burstResult } from '../../harness/load/bursts/burst-result.ts'
import type { BurstRun } from '../../harness/load/bursts/burst-result.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { PlannedPurchase } from '../../load/protocol/bursts.ts'
import type { ScriptAnswer } from '../../load/workload/script.ts'
import { ANSWER, decidable, simulatedContext, simulateBursts, verdicts } from './burst-simulator.ts'
import type { SimulatedRequest, SimulatedService } from './burst-simulator.ts'

const context = simulatedContext()
const draft = draftSpend(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planSpend(context, draft)

/** How the simulated counter departs from a right one. */
type Counter = {
  /** Orders after the first of a release are refused for contention. */
  readonly contends?: boolean
  /** Copies of one reference buy again. */
  readonly buysAgain?: boolean
}

const REFUSED = {
  ...ANSWER,
  status: 409,
  code: '13',
  errorCode: 'api_key_transaction_limit_exceeded',
}

function accepted({ orderId, units }: { orderId: string; units: number }): ScriptAnswer {
  return { ...ANSWER, orderId, price: `${units}.00`, currency: 'USD', state: 'SUCCESS' }
}

/** Keys of other products have room for two purchases and a half. */
function headroomOf(script: number, key: number): number {
  const { name, headroomUnits = [] } = plan.file.scripts[script] ?? {}
  return name === KINDS_SCRIPT ? 2.5 : (headroomUnits[key] ?? Infinity)
}

function counter({ contends = true, buysAgain = false }: Counter): SimulatedService {
  const used = new Map<string, number>()
  const orders = new Map<string, { orderId: string; units: number }>()
  let made = 0
  const buy = (request: SimulatedRequest): ScriptAnswer => {
    const { script, key, units } = request
    const id = `${script} ${key}`
    const name = `${script}-${request.reference}`
    const known = orders.get(name)
    if (known && !buysAgain) return accepted(known)
    // What is left there is worth a voucher, whose units are others.
    const isProbe =
      plan.file.scripts[script]?.name === KINDS_SCRIPT && request.reference >= FIRST_PROBE
    if (isProbe) return accepted({ orderId: name, units })
    const cap = headroomOf(script, key)
    const after = (used.get(id) ?? 0) + units
    if (after > cap) return REFUSED
    used.set(id, after)
    const order = { orderId: `order-${++made}`, units }
    orders.set(name, order)
    return accepted(order)
  }
  return (requests) => {
    const busy = new Set<string>()
    return requests.map((request) => {
      const { kind, script, key, reference } = request
      const name = `${script}-${reference}`
      const id = `${script} ${key}`
      if (kind === 'warm') return ANSWER
      if (kind === 'quote') return ANSWER
      if (kind !== 'buy')
        return { ...ANSWER, items: orders.has(name) ? '1' : '0', state: 'SUCCESS' }
      if (!contends || headroomOf(script, key) === Infinity || !busy.has(id)) {
        busy.add(id)
        return buy(request)
      }
      return { ...ANSWER, status: 429, code: '8', retryAfter: '1' }
    })
  }
}

function judge(run: BurstRun): LoadResult {
  return burstResult(plan, run, {
    k6Version: '2.2.0',
    judgement: judgeSpendContention(plan, run, context),
  })
}

describe('a right counter passes', () => {
  test('with contention, and every cap is bought to its last unit', async () => {
    const result = judge(await simulateBursts(plan, counter({})))
    expect(result.reason).toContain('9 caps held in 9 bursts')
    expect(result.verdict).toBe('pass')
    expect(verdicts(result, 'pass')).toEqual(decidable('spend-contention', 'CAP-20', 'IDEM-12'))
    expect(result.requests.sent).toBeGreaterThanOrEqual(result.requests.planned)
    expect(result.requests.sent).toBeLessThanOrEqual(plan.requestsMax)
    const { ordersMade, ordersPlannedMax } = result.measurements
    expect(Number(ordersMade)).toBeLessThan(Number(ordersPlannedMax))
  })

  test('when orders wait instead: nothing is said of refusals, copies name one order', async () => {
    const result = judge(await simulateBursts(plan, counter({ contends: false })))
    expect(result.verdict).toBe('pass')
    expect(verdicts(result, 'pass')).toEqual(
      decidable(
        'spend-contention',
        'BUSY-02',
        'BUSY-03',
        'BUSY-04',
        'BUSY-05',
        'BUSY-06',
        'CAP-20',
      ),
    )
  })
})

test('a counter that buys copies again fails', async () => {
  const result = judge(await simulateBursts(plan, counter({ contends: false, buysAgain: true })))
  expect(result.verdict).toBe('fail')
  expect(verdicts(result, 'fail')).toContain('IDEM-12')
})

const rightRun = await simulateBursts(plan, counter({}))

test.each([
  ['fail', 'each burst was answered', 429],
  ['nothing', 'an answer to each burst was lost', 0],
  ['nothing', 'a proxy gave up on an order of each burst', 504],
])('lone orders refused by 429 are %s to BUSY-07 if %s', (verdict, _what, status) => {
  const scripts = rightRun.evidence.scripts.map((script) => ({
    ...script,
    exchanges: script.exchanges.map((each) => {
      if (isNamed(each)) return each
      if (each.phase === 'burst') return { ...each, status }
      return each.phase === 'retry-until-decided' ? { ...each, status: 429 } : each
    }),
  }))
  const result = judge({ ...rightRun, evidence: { scripts } })
  expect(verdicts(result, 'fail').includes('BUSY-07')).toBe(verdict === 'fail')
})

describe('the scenario is inconclusive, and nothing in it a pass,', () => {
  const changed = (
    change: (each: BurstRun['evidence']['scripts'][number]) => typeof each,
  ): BurstRun => ({ ...rightRun, evidence: { scripts: rightRun.evidence.scripts.map(change) } })

  test.each<[string, BurstRun, string]>([
    [
      'without overlapping orders',
      changed((script) => ({
        ...script,
        exchanges: script.exchanges.map((each) => ({ ...each, durationMs: 0.1 })),
      })),
      'orders overlapped for certain in 0 of 9 bursts',
    ],
    [
      'when a script came to no end',
      changed(({ exchanges }) => ({ exchanges })),
      'Scripts came to no end',
    ],
    ['when k6 was stopped', { ...rightRun, stopped: 'aborted' }, 'was interrupted'],
    ['when the clock was set', { ...rightRun, clockStepMs: 900 }, 'was set by 900 ms'],
    [
      'when too little was sent',
      changed((script) => ({
        ...script,
        exchanges: script.exchanges.filter(({ kind }) => kind !== 'warm'),
      })),
      'requests were sent, at least',
    ],
    [
      'when nothing was sold',
      changed((script) => ({
        ...script,
        exchanges: script.exchanges.map((each) => ({ ...each, status: 404 })),
      })),
      'no common price',
    ],
  ])('%s', async (_, run, reason) => {
    const result = judge(run)
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain(reason)
    expect(verdicts(result, 'pass')).toEqual([])
  })
})

describe('a plan', () => {
  test('holds no key, and says what it may spend at most', async () => {
    const text = JSON.stringify(plan.file)
    for (const secret of Object.values(plan.secrets)) expect(text).not.toContain(secret)
    const { ordersMax, money, requestsMax } = plan.budget
    const carts = [...plan.file.products.keys()].filter(
      (product) => draft.purchasables[product]?.lines,
    )
    // The checkouts of this plan have two orders.
    const ordersOf = (purchases: readonly PlannedPurchase[]): number =>
      purchases.reduce((sum, { product }) => sum + (carts.includes(product) ? 2 : 1), 0)
    expect(plan.requestsMin).toBeLessThan(requestsMax)
    expect(ordersMax).toBe(
      plan.file.scripts.reduce(
        (sum, { steps }) =>
          sum +
          steps.reduce(
            (orders, step) =>
              orders +
              (step.do === 'buy' ? ordersOf(step.purchases) : 0) +
              (step.do === 'cap-boundary' ? 3 : 0),
            0,
          ),
        0,
      ),
    )
    expect(money?.currency).toBe('USD')
  })

  test('is refused where no key has a cap, or a window has no room', async () => {
    const accounts = { ...context.accounts, fresh: false, make: undefined as never }
    expect(draftSpend({ ...context, accounts })).toMatchObject({
      lacks: expect.stringContaining('no credential for the role capped') as string,
    })
    const tight = { ...context.limits.default, count: 8 }
    const limits = { ...context.limits, 'operations.createOrder': tight }
    expect(draftSpend({ ...context, limits })).toMatchObject({
      lacks: expect.stringContaining('a window of 8 requests') as string,
    })
  })
})
