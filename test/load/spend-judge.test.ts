import { selectScenarios } from '../../harness/load/shared/scenarios.ts'
import { describe, expect, test } from 'vitest'
import { judgeSpendContention } from '../../harness/load/bursts/spend-judge.ts'
import {
  ENDPOINT_SCRIPTS,
  ENDPOINT_LIMIT,
} from '../../harness/load/bursts/spend-endpoints-script.ts'
import { FIRST_PROBE, KINDS_SCRIPT } from '../../harness/load/bursts/spend-kinds-script.ts'
import { LATER_SCRIPT } from '../../harness/load/bursts/spend-later-script.ts'
import { draftSpend, planSpend } from '../../harness/load/bursts/spend-plan.ts'
import { burstResult } from '../../harness/load/bursts/burst-result.ts'
import type { BurstRun } from '../../harness/load/bursts/burst-result.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { PlannedPurchase } from '../../load/protocol/bursts.ts'
import type { ScriptAnswer } from '../../load/workload/script.ts'
import { ANSWER, simulatedContext, simulateBursts } from './burst-simulator.ts'
import type { SimulatedRequest, SimulatedService } from './burst-simulator.ts'

/** All that the scenario names, but for what its simulation does not show. */
function decidable(...others: string[]): string[] {
  return selectScenarios(['spend-contention'])
    .flatMap(({ requirements }) => requirements)
    .filter((id) => !others.includes(id))
}

const context = simulatedContext()
const draft = draftSpend(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planSpend(context, draft)

/** How the simulated counter departs from a right one. */
type Counter = {
  /** Orders after the first of a release are refused for contention. */
  readonly contends?: boolean
  /** Every order of a release sees the counter as it was before. */
  readonly races?: boolean
  readonly strict?: boolean
  readonly leaks?: boolean
  readonly contended?: Partial<ScriptAnswer>
  /** Contended orders are stored all the same. */
  readonly stores?: boolean
  /** Copies of one reference buy again. */
  readonly buysAgain?: boolean
  /** What each order that is not valid, or each check, uses up. */
  readonly charges?: { readonly invalid?: number; readonly check?: number }
  /** What orders that finish later use up, instead of their price. */
  readonly laterUnits?: number
  /** What orders that finish later come to. */
  readonly laterState?: string
  /** What is answered to orders that are not valid. */
  readonly invalid?: Partial<ScriptAnswer>
  /** What was refused of other kinds is not given back. */
  readonly keepsRefused?: boolean
  /** All endpoints have one window, or all accounts, or each key has one. */
  readonly sharedEndpoints?: boolean
  readonly sharedByAccounts?: boolean
  readonly windowPerKey?: boolean
  /** Requests that each window of an endpoint lets through. */
  readonly endpointCount?: number
  /** What is answered beyond them. */
  readonly spent?: Partial<ScriptAnswer>
}

const ENDPOINTS: ReadonlySet<string | undefined> = new Set(ENDPOINT_SCRIPTS)

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
  const isOther = name === KINDS_SCRIPT || name === LATER_SCRIPT
  return isOther ? 2.5 : (headroomUnits[key] ?? Infinity)
}

function isLater(script: number): boolean {
  return plan.file.scripts[script]?.name === LATER_SCRIPT
}

function counter({ contends = true, ...faults }: Counter): SimulatedService {
  const used = new Map<string, number>()
  const orders = new Map<string, { orderId: string; units: number }>()
  const windows = new Map<string, number>()
  let made = 0
  /** Windows of endpoints. */
  const admits = ({ script, key, kind, child, product }: SimulatedRequest): boolean => {
    const endpoint = faults.sharedEndpoints ? '' : `${kind} ${child ?? product}`
    // What the first script has spent by then.
    if (faults.sharedByAccounts && plan.file.scripts[script]?.name === ENDPOINT_SCRIPTS[1])
      return false
    const window = `${script} ${endpoint} ${faults.windowPerKey ? key : ''}`
    const before = windows.get(window) ?? 0
    windows.set(window, before + 1)
    return before < (faults.endpointCount ?? ENDPOINT_LIMIT.count)
  }
  const buy = (request: SimulatedRequest, before: ReadonlyMap<string, number>): ScriptAnswer => {
    const { script, key, units } = request
    const id = `${script} ${key}`
    const name = `${script} ${request.reference}`
    const known = orders.get(name)
    if (known && !faults.buysAgain) return accepted(known)
    // What is left there is worth a voucher, whose units are others.
    const isProbe =
      plan.file.scripts[script]?.name === KINDS_SCRIPT && request.reference >= FIRST_PROBE
    if (isProbe) return faults.keepsRefused ? REFUSED : accepted({ orderId: name, units })
    const cap = headroomOf(script, key)
    const after = ((faults.races ? before : used).get(id) ?? 0) + units
    if (faults.strict ? after >= cap : after > cap) return REFUSED
    const charged = isLater(script) ? (faults.laterUnits ?? units) : units
    used.set(id, (used.get(id) ?? 0) + charged)
    // What finishes later costs twice as much.
    const order = { orderId: `order-${++made}`, units: isLater(script) ? 2 * units : units }
    orders.set(name, order)
    return accepted(order)
  }
  return (requests) => {
    const before = new Map(used)
    const busy = new Set<string>()
    return requests.map((request) => {
      const { kind, script, key, reference, units } = request
      const name = `${script} ${reference}`
      const id = `${script} ${key}`
      if (kind === 'warm') return ANSWER
      if (ENDPOINTS.has(plan.file.scripts[script]?.name) && !admits(request))
        return { ...ANSWER, status: 429, code: '8', retryAfter: '599', ...faults.spent }
      if (kind === 'call' || kind === 'quote') return ANSWER
      if (kind === 'invalid' || kind === 'check') {
        used.set(id, (used.get(id) ?? 0) + (faults.charges?.[kind] ?? 0))
        return kind === 'check' ? ANSWER : { ...ANSWER, status: 422, code: '2', ...faults.invalid }
      }
      if (kind !== 'buy') {
        const { laterState: state = 'SUCCESS' } = faults
        return { ...ANSWER, items: orders.has(name) ? '1' : '0', state }
      }
      if (!contends || headroomOf(script, key) === Infinity || !busy.has(id)) {
        busy.add(id)
        return buy(request, before)
      }
      if (faults.leaks) used.set(id, (used.get(id) ?? 0) + units)
      if (faults.stores) orders.set(name, { orderId: `order-${++made}`, units })
      return { ...ANSWER, status: 429, code: '8', retryAfter: '1', ...faults.contended }
    })
  }
}

function judge(run: BurstRun): LoadResult {
  return burstResult(plan, run, '2.2.0', judgeSpendContention(plan, run, context))
}

function verdicts(result: LoadResult, verdict: string): string[] {
  return result.findings
    .filter((each) => each.verdict === verdict)
    .map(({ requirement }) => requirement)
}

describe('a right counter passes', () => {
  test('with contention, and every cap is bought to its last unit', async () => {
    const result = judge(await simulateBursts(plan, counter({})))
    expect(result.reason).toContain('11 caps held in 9 bursts')
    expect(result.verdict).toBe('pass')
    expect(verdicts(result, 'pass')).toEqual(decidable('CAP-20', 'RATE-18', 'RATE-24'))
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
        'BUSY-02',
        'BUSY-03',
        'BUSY-04',
        'BUSY-05',
        'BUSY-06',
        'CAP-20',
        'RATE-18',
        'RATE-24',
      ),
    )
  })
})

describe('a broken counter fails', () => {
  test.each<[string, Counter, string]>([
    ['that races', { contends: false, races: true }, 'CAP-13'],
    ['that is strict', { strict: true }, 'CAP-02'],
    ['that keeps reservations', { leaks: true }, 'BUSY-05'],
    ['that answers 502', { contended: { status: 502, code: '12' } }, 'BUSY-01'],
    ['that answers another statusCode', { contended: { code: '13' } }, 'BUSY-01'],
    ['that names no wait', { contended: { retryAfter: '-' } }, 'BUSY-02'],
    ['that names a fraction', { contended: { retryAfter: '0.5' } }, 'BUSY-02'],
    ['that stores what it refused', { stores: true }, 'BUSY-04'],
    ['that buys copies again', { contends: false, buysAgain: true }, 'IDEM-12'],
    ['that counts orders that are not valid', { charges: { invalid: 0.5 } }, 'CAP-01'],
    ['that keeps what it refused of other kinds', { keepsRefused: true }, 'CAP-11'],
    ['that counts checks', { charges: { check: 1 } }, 'CAP-01'],
    ['that forgets what finishes later', { laterUnits: 0 }, 'CAP-12'],
    ['that counts one unit of what finishes later', { laterUnits: 1 }, 'CAP-12'],
  ])('%s', async (_, faults, requirement) => {
    const result = judge(await simulateBursts(plan, counter(faults)))
    expect(result.verdict).toBe('fail')
    expect(verdicts(result, 'fail')).toContain(requirement)
  })

  test('but not where an order that should not be valid was sold', async () => {
    const sold = { status: 200, orderId: 'order-0' }
    const result = judge(
      await simulateBursts(plan, counter({ charges: { invalid: 1 }, invalid: sold })),
    )
    expect(result.verdict, result.reason).toBe('pass')
  })

  test.each(['CANCELLED', 'IN_PROGRESS'])(
    'but not where what finishes later ends as %s: what it leaves of the cap is not shown',
    async (laterState) => {
      const faults = { laterUnits: 0, laterState }
      const result = judge(await simulateBursts(plan, counter(faults)))
      expect(result.verdict, result.reason).toBe('pass')
      expect(verdicts(result, 'pass')).not.toContain('CAP-12')
    },
  )

  test.each<[string, Counter, string]>([
    ['of all endpoints', { sharedEndpoints: true }, 'RATE-11'],
    ['of all accounts', { sharedByAccounts: true }, 'RATE-09'],
    ['of each key', { windowPerKey: true }, 'RATE-10'],
    ['that answer 503', { spent: { status: 503 } }, 'RATE-04'],
    ['that tell no wait', { spent: { retryAfter: '-' } }, 'RATE-06'],
  ])('by windows %s', async (_, faults, requirement) => {
    const result = judge(await simulateBursts(plan, counter(faults)))
    expect(verdicts(result, 'fail')).toEqual([requirement])
  })

  test.each<[string, Counter]>([
    ['that are looser than the default', { endpointCount: ENDPOINT_LIMIT.count + 1 }],
    ['that are much looser', { endpointCount: 100 }],
    ['that are tighter', { endpointCount: 1 }],
  ])('but not by windows of single endpoints %s', async (_, faults) => {
    const result = judge(await simulateBursts(plan, counter(faults)))
    expect(verdicts(result, 'fail')).toEqual([])
  })

  test('that lets nobody win', async () => {
    const right = counter({})
    const result = judge(
      await simulateBursts(plan, (requests) =>
        requests.map((request) =>
          requests.length > 1 && request.kind === 'buy' && request.key === 0
            ? { ...ANSWER, status: 429, code: '8', retryAfter: '1' }
            : (right([request])[0] as ScriptAnswer),
        ),
      ),
    )
    expect(verdicts(result, 'fail')).toEqual(['BUSY-08'])
  })
})

const rightRun = await simulateBursts(plan, counter({}))

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
    const carts = plan.file.carts?.products ?? []
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
              (step.do === 'cap-boundary' ? 3 : 0) +
              (step.do === 'reuse-reference' ? 1 : 0) +
              // A broken service may sell what is not valid; a check buys nothing.
              (step.do === 'send-non-purchase' && step.kind === 'invalid' ? step.count : 0) +
              (step.do === 'replay-accepted' ? step.count : 0),
            0,
          ),
        0,
      ),
    )
    expect(money?.currency).toBe('USD')
  })

  test('is refused where no key has a cap, or a window has no room', async () => {
    const accounts = { ...context.accounts, fresh: false }
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
