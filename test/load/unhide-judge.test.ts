import { expect, test } from 'vitest'
import { judgeUnhideBudgets } from '../../harness/load/bursts/unhide-judge.ts'
import { draftUnhide, planUnhide } from '../../harness/load/bursts/unhide-plan.ts'
import { unhideBudgets, type UnhideTopic } from '../../harness/load/bursts/unhide-scripts.ts'
import { burstResult } from '../../harness/load/bursts/burst-result.ts'
import { isMasked } from '../../load/protocol/bursts.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { ANSWER, decidable, simulatedContext, simulateBursts, verdicts } from './burst-simulator.ts'
import type { SimulatedRequest, SimulatedService } from './burst-simulator.ts'

const context = simulatedContext()
const draft = draftUnhide(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planUnhide(context, draft)

type Moments = {
  /** Windows end and begin at this moment of each script. */
  readonly edgeMs?: number
  readonly completesAtMs?: number
  /** Reads of each order that find it pending. */
  readonly pendingReads?: number
}

function service(moments: Moments): SimulatedService {
  const used = new Map<string, number>()
  const take = (name: string, count: number): boolean => {
    const before = used.get(name) ?? 0
    if (before >= count) return false
    used.set(name, before + 1)
    return true
  }
  const isRefused = (request: SimulatedRequest, state: 'pending' | 'completed'): boolean => {
    const { script, reference, nowMs } = request
    const budgets = unhideBudgets(context, plan.file.scripts[script]?.name as UnhideTopic)
    // Every script ends within one window of admission.
    const window = nowMs < (moments.edgeMs ?? 0) ? 'before' : 'after'
    const partition = `${script} ${reference} ${window}`
    const { pending, completed } = budgets
    if (!take(`${partition} admission`, pending.count + completed.count)) return true
    return !take(`${partition} ${state}`, budgets[state].count)
  }
  return (requests) =>
    requests.map((request) => {
      const { kind, script, reference, product, nowMs } = request
      if (kind === 'warm') return ANSWER
      const isAsync = plan.file.scripts[script]?.name === 'pending'
      const isRead =
        kind === 'buy' || take(`${script} ${reference} reads`, moments.pendingReads ?? 1e9)
      const isPending = isAsync && nowMs < (moments.completesAtMs ?? Infinity) && isRead
      const state = isPending ? 'IN_PROGRESS' : 'SUCCESS'
      const order = {
        ...ANSWER,
        orderId: `order-${script}-${reference}`,
        price: `${product + 1}.00`,
      }
      if (kind === 'buy') return { ...order, status: isPending ? 202 : 200, state }
      if (!isMasked(kind) && isRefused(request, isPending ? 'pending' : 'completed'))
        return { ...ANSWER, status: 429, code: '8', retryAfter: '600' }
      return { ...order, state, items: '1' }
    })
}

async function judge(moments: Moments): Promise<LoadResult> {
  const run = await simulateBursts(plan, service(moments))
  return burstResult(plan, run, {
    k6Version: '2.2.0',
    judgement: judgeUnhideBudgets(plan, run, context),
  })
}

test('budgets that hold pass, each order with its windows', async () => {
  const result = await judge({})
  expect(result.verdict, result.reason).toBe('pass')
  expect(verdicts(result, 'pass')).toEqual(decidable('unhide-budgets', 'UNHIDE-23'))
  expect(result.windows).toHaveLength(6)
  expect(result.windows.every(({ outcome }) => outcome.violations === 0)).toBe(true)
  expect(result.requests.sent).toBeLessThanOrEqual(plan.requestsMax)
})

test.each([300, 310, 400, 500, 700])('an edge after %i ms makes no alarm', async (edgeMs) => {
  expect(verdicts(await judge({ edgeMs }), 'fail')).toEqual([])
})

test('orders that were never pending say nothing of the pending budget', async () => {
  const result = await judge({ completesAtMs: 0 })
  expect(result.verdict, result.reason).toBe('pass')
  expect(verdicts(result, 'inconclusive')).toEqual([])
  expect(verdicts(result, 'pass')).not.toContain('UNHIDE-05')
})

test('orders that complete too early leave the pending budget open', async () => {
  const result = await judge({ pendingReads: 1 })
  expect(result.verdict).toBe('inconclusive')
  expect(verdicts(result, 'inconclusive')).toEqual(['UNHIDE-05', 'UNHIDE-13'])
  // What other orders showed stands.
  expect(verdicts(result, 'pass')).toContain('UNHIDE-07')
  expect(result.reason).toContain('no order stayed pending')
})

test('with plain vouchers alone only completed budgets are tried', async () => {
  const { voucher } = context.target.products
  const products = voucher ? { voucher } : {}
  const drafted = draftUnhide({
    ...context,
    target: { ...context.target, products },
  })
  const scripts = 'lacks' in drafted ? [] : drafted.scripts.map(({ name }) => name)
  expect(scripts).toEqual(['completed'])
})
