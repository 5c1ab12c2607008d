import { describe, expect, test } from 'vitest'
import { judgeUnhideBudgets } from '../../harness/load/volleys/unhide-judge.ts'
import { draftUnhide, planUnhide, unhideBudgets } from '../../harness/load/volleys/unhide-plan.ts'
import type { UnhideTopic } from '../../harness/load/volleys/unhide-plan.ts'
import { volleyResult } from '../../harness/load/volleys/volley-result.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { ANSWER, simulatedContext, simulateVolleys } from './volley-simulator.ts'
import type { SimulatedRequest, SimulatedService } from './volley-simulator.ts'

const context = simulatedContext()
const draft = draftUnhide(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planUnhide(context, draft)
const { goods } = draft

type Budgets = {
  readonly unlimited?: 'pending' | 'completed'
  readonly perAlias?: boolean
  readonly perAccount?: boolean
  /** What admission lets in, of both budgets. */
  readonly admission?: (pending: number, completed: number) => number
  readonly refusedAreFree?: boolean
  /** Windows end and begin at this moment of each lane. */
  readonly edgeMs?: number
  readonly completesAtMs?: number
}

const FINAL: Readonly<Partial<Record<string, string>>> = {
  'voucher-partial': 'PARTIALLY_COMPLETED',
  'voucher-cancelled': 'CANCELLED',
}

/** What a lane buys under a reference. */
function abilityOf(lane: number, reference: number): string {
  const purchases = plan.file.lanes[lane]?.steps.flatMap((step) =>
    step.do === 'buy' ? step.purchases : [],
  )
  const product = purchases?.find((each) => each.reference === reference)?.product ?? 0
  return goods[product]?.ability ?? 'voucher'
}

function service(faults: Budgets): SimulatedService {
  const used = new Map<string, number>()
  const take = (name: string, count: number): boolean => {
    const before = used.get(name) ?? 0
    if (before >= count) return false
    used.set(name, before + 1)
    return true
  }
  const isRefused = (request: SimulatedRequest, state: 'pending' | 'completed'): boolean => {
    const { lane, reference, kind, nowMs } = request
    const topic = plan.file.lanes[lane]?.name as UnhideTopic
    const budgets = unhideBudgets(context, topic)
    // The other lanes end within one window of admission.
    const { windowSeconds } = budgets.admission
    const turn = topic === 'admission window' ? Math.floor(nowMs / 1000 / windowSeconds) : 0
    const window = nowMs < (faults.edgeMs ?? 0) ? 'before' : 'after'
    const alias = faults.perAlias ? kind : ''
    const partition = `${lane} ${faults.perAccount ? '' : reference} ${window} ${alias}`
    const { pending, completed } = budgets
    const sum = (faults.admission ?? ((a, b) => a + b))(pending.count, completed.count)
    const isFree =
      faults.refusedAreFree && (used.get(`${partition} ${state}`) ?? 0) >= budgets[state].count
    if (isFree) return true
    if (!take(`${partition} ${turn} admission`, sum)) return true
    return faults.unlimited === state ? false : !take(`${partition} ${state}`, budgets[state].count)
  }
  return (requests) =>
    requests.map((request) => {
      const { kind, lane, reference, product, nowMs } = request
      if (kind === 'warm') return ANSWER
      const ability = abilityOf(lane, reference)
      const isLater = ability !== 'voucher'
      const isPending = isLater && nowMs < (faults.completesAtMs ?? 1500)
      const state = isPending ? 'IN_PROGRESS' : (FINAL[ability] ?? 'SUCCESS')
      const order = { ...ANSWER, orderId: `order-${lane}-${reference}`, price: `${product + 1}.00` }
      if (kind === 'buy') return { ...order, status: isPending ? 202 : 200, state }
      if (
        kind !== 'masked' &&
        isRefused(request, isPending || state === 'PARTIALLY_COMPLETED' ? 'pending' : 'completed')
      )
        return { ...ANSWER, status: 429, code: '8', retryAfter: '600' }
      return { ...order, state, items: '1' }
    })
}

async function judge(faults: Budgets): Promise<LoadResult> {
  const run = await simulateVolleys(plan, service(faults))
  return volleyResult(plan, run, '2.2.0', judgeUnhideBudgets(plan, run, context))
}

function verdicts({ findings }: LoadResult, verdict: string): string[] {
  return findings.filter((each) => each.verdict === verdict).map(({ requirement }) => requirement)
}

test('budgets that hold pass, each order with its windows', async () => {
  const result = await judge({})
  expect(result.verdict, result.reason).toBe('pass')
  expect(verdicts(result, 'pass')).toEqual([
    'RATE-05',
    'RATE-06',
    'RATE-07',
    'UNHIDE-05',
    'UNHIDE-06',
    'UNHIDE-07',
    'UNHIDE-08',
    'UNHIDE-09',
    'UNHIDE-10',
    'UNHIDE-13',
    'UNHIDE-14',
    'UNHIDE-17',
    'UNHIDE-18',
    'UNHIDE-19',
    'UNHIDE-20',
    'UNHIDE-21',
    'UNHIDE-22',
  ])
  expect(result.windows).toHaveLength(19)
  expect(result.windows.every(({ outcome }) => outcome.violations === 0)).toBe(true)
  expect(result.requests.sent).toBeLessThanOrEqual(plan.requestsMax)
})

describe('budgets fail', () => {
  test.each<[string, Budgets, string[]]>([
    ['of pending orders without a bound', { unlimited: 'pending' }, ['UNHIDE-05']],
    ['of completed orders without a bound', { unlimited: 'completed' }, ['UNHIDE-07', 'UNHIDE-10']],
    ['for each name', { perAlias: true }, ['UNHIDE-13']],
    ['for an account', { perAccount: true }, ['UNHIDE-14']],
    ['without admission', { admission: () => Infinity }, ['UNHIDE-17']],
    ['with admission of the larger count', { admission: Math.max }, ['UNHIDE-17']],
    ['with one attempt too many', { admission: (a, b) => a + b + 1 }, ['UNHIDE-17']],
    ['with one attempt too few', { admission: (a, b) => a + b - 1 }, ['UNHIDE-17']],
    ['with refused attempts for free', { refusedAreFree: true }, ['UNHIDE-17']],
  ])('%s', async (_, faults, requirements) => {
    const result = await judge(faults)
    expect(result.verdict, result.reason).toBe('fail')
    expect(verdicts(result, 'fail')).toEqual(expect.arrayContaining(requirements) as string[])
  })
})

test.each([400, 410, 500, 1000, 1700])('an edge after %i ms makes no alarm', async (edgeMs) => {
  expect(verdicts(await judge({ edgeMs }), 'fail')).toEqual([])
})

test('orders that complete too early leave the pending budget open', async () => {
  const result = await judge({ completesAtMs: 0 })
  expect(result.verdict).toBe('inconclusive')
  expect(verdicts(result, 'pass')).toEqual([])
  expect(result.reason).toContain('no order stayed pending')
})

test('orders that never complete leave admission open', async () => {
  const result = await judge({ completesAtMs: Infinity })
  expect(result.verdict).toBe('inconclusive')
  expect(result.reason).toContain('no order could be read as planned, then end')
})

test('with plain vouchers alone the completed budget alone is tried', async () => {
  const { voucher } = context.target.products
  const products = voucher ? { voucher } : {}
  const drafted = draftUnhide({ ...context, target: { ...context.target, products } })
  expect('lacks' in drafted ? [] : drafted.lanes.map(({ name }) => name)).toEqual(['completed'])
})
