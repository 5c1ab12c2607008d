/** What scenarios of buyers and shoppers are planned to cost, and when their sessions come. */
import { describe, expect, test } from 'vitest'
import { dueSeconds, sessionsOf } from '../../load/protocol/arrival-schedule.ts'
import { draftOpenModel } from '../../harness/load/open-model/draft.ts'
import type { OpenModelName } from '../../harness/load/open-model/scenarios.ts'
import { whyNotPermitted } from '../../harness/load/shared/budget.ts'
import { cartCaps, inRushes } from '../../harness/load/open-model/scenarios.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { virtualNetwork } from './virtual-network.ts'

const network = virtualNetwork()

async function planOf(name: OpenModelName) {
  const draft = draftOpenModel(name, network, { workload: 'smoke' })
  if ('lacks' in draft) throw new Error(draft.lacks)
  return { ...(await draft.plan()), drafted: draft.budget }
}

describe('a budget counts every order that a broken service could sell', () => {
  test.each<[OpenModelName, number, string]>([
    // Each purchase is sent twice at most: an order for 2.00, a cart of three orders for 4.00.
    ['polling', 2, '4.00'],
    ['checkout', 6, '8.00'],
  ])('%s', async (name, orders, price) => {
    const { file, budget, drafted } = await planOf(name)
    expect(budget.ordersMax).toBe(orders * file.sessions)
    expect(budget.money).toEqual({
      currency: 'USD',
      micros: BigInt(file.sessions) * (parseMoney(price) ?? 0n),
    })
    expect(budget).toEqual(drafted)
  })

  test('and every read in clear', async () => {
    const { file, budget } = await planOf('polling')
    expect(budget.unhide).toEqual([
      {
        name: 'buyers',
        orders: file.sessions,
        perOrder: { pending: 0, completed: 1, admission: 1 },
      },
    ])
  })

  test('so that a smaller permission refuses it', async () => {
    const { budget } = await planOf('checkout')
    expect(whyNotPermitted(budget, undefined)).toContain('purchases are not permitted')
    expect(whyNotPermitted(budget, { ordersMax: budget.ordersMax })).toBeUndefined()
    expect(whyNotPermitted(budget, { ordersMax: budget.ordersMax - 1 })).toContain('--max-orders')
  })
})

describe('a target lacks', () => {
  const draftOf = (name: OpenModelName, change: Partial<Target>): unknown =>
    draftOpenModel(
      name,
      { ...network, target: { ...network.target, ...change } },
      { workload: 'smoke' },
    )

  test.each<[string, OpenModelName, Partial<Target>, string]>([
    ['a product', 'polling', { products: {} }, 'no product "voucher"'],
    ['carts', 'checkout', { capabilities: ['base', 'shop'] }, 'capability cart is not declared'],
    [
      'a reference in its carts',
      'mixed',
      {
        operations: {
          ...network.target.operations,
          createCart: { ...network.target.operations.createCart, body: { positions: [] } },
        },
      },
      'names no {{referenceId}}',
    ],
  ])('%s', (_, name, change, reason) => {
    expect(draftOf(name, change)).toMatchObject({
      lacks: expect.stringContaining(reason) as string,
    })
  })
})

test('rushes keep the sessions and gather them', () => {
  const stages = [{ seconds: 10, fromPerSecond: 2, toPerSecond: 2 }]
  const rushed = inRushes(stages, 8)
  expect(sessionsOf(rushed)).toBe(20)
  const due = Array.from({ length: 20 }, (_, index) => dueSeconds(rushed, index) ?? Infinity)
  expect(due).toEqual(due.toSorted((a, b) => a - b))
  for (const [from, to] of [
    [0, 7],
    [8, 15],
    [16, 19],
  ] as const)
    expect((due[to] ?? Infinity) - (due[from] ?? 0)).toBeLessThan(0.02)
  // None comes before the workload would have sent the last of its rush.
  expect(due[0]).toBeGreaterThan(3.7)
})

test('three keys of four have room for half of its carts and one position of another', () => {
  const caps = cartCaps(network.target, 4, 5).map((cap) => cap && formatMoney(cap))
  expect(caps).toEqual(['10.00', '10.00', '10.00', undefined])
})
