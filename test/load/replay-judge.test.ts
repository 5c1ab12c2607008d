import { expect, test } from 'vitest'
import { judgeReplayStorm } from '../../harness/load/bursts/replay-judge.ts'
import { CARTS_SCRIPT } from '../../harness/load/bursts/replay-carts-script.ts'
import { draftReplay, planReplay } from '../../harness/load/bursts/replay-plan.ts'
import { burstResult } from '../../harness/load/bursts/burst-result.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { ANSWER, decidable, simulatedContext, simulateBursts, verdicts } from './burst-simulator.ts'
import type { SimulatedService } from './burst-simulator.ts'

const context = simulatedContext()
const draft = draftReplay(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planReplay(context, draft)

type Store = {
  /** Copies of a release that arrive while the first is being bought: told to wait, or given its order. */
  readonly waits?: boolean
  readonly durationMs?: number
}

function isCart(script: number): boolean {
  return plan.file.scripts[script]?.name === CARTS_SCRIPT
}

function store({ waits = true, durationMs = 8 }: Store): SimulatedService {
  const orders = new Map<string, string>()
  let made = 0
  const bought = { ...ANSWER, price: '1.00', currency: 'USD', state: 'SUCCESS', durationMs }
  return (requests) => {
    const known = new Set(orders.keys())
    return requests.map(({ kind, script, reference }) => {
      const name = `${script} ${reference}`
      const before = orders.get(name)
      if (kind === 'warm') return ANSWER
      const each = isCart(script) ? 2 : 1
      if (kind !== 'buy') return { ...ANSWER, items: String(before === undefined ? 0 : each) }
      if (before === undefined) {
        const orderId = isCart(script) ? `order-${++made}-1,order-${made}-2` : `order-${++made}`
        orders.set(name, orderId)
        return { ...bought, orderId }
      }
      if (waits && !known.has(name)) return { ...ANSWER, status: 429, code: '8', retryAfter: '1' }
      return { ...bought, code: '1', orderId: before }
    })
  }
}

async function judge(service: SimulatedService): Promise<LoadResult> {
  const run = await simulateBursts(plan, service)
  return burstResult(plan, run, { k6Version: '2.2.0', judgement: judgeReplayStorm(plan, run) })
}

test.each([
  ['waits', true],
  ['gives the order', false],
])('a store that %s passes', async (_, waits) => {
  const result = await judge(store({ waits }))
  expect(result.verdict, result.reason).toBe('pass')
  expect(verdicts(result, 'pass')).toEqual(decidable('replay-storm', 'IDEM-13'))
  expect(result.requests.sent).toBeLessThanOrEqual(plan.requestsMax)
})

test('copies that did not overlap prove nothing', async () => {
  const result = await judge(store({ waits: false, durationMs: 1 }))
  expect(result.verdict).toBe('inconclusive')
  expect(result.reason).toContain('copies of 0 references overlapped')
  expect(verdicts(result, 'pass')).toEqual([])
})

test('windows without room are refused', async () => {
  const tight = { ...context.limits.default, count: 10 }
  const limits = { ...context.limits, 'operations.createOrder': tight }
  expect(draftReplay({ ...context, limits })).toMatchObject({
    lacks: expect.stringContaining('no room for a storm') as string,
  })
})
