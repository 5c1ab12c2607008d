import { check, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import { expectNoOrder, isRefusedForBody } from '../steps/order-refusal.ts'
import { buy, BUYS_VOUCHERS, itemsOf, namesSameOrder } from '../steps/orders.ts'

const NEEDS = { ...BUYS_VOUCHERS, roles: ['full'] } as const

export const purchaseCreatesOrder = check({
  id: 'orders.create',
  title: 'a valid purchase is answered by 200 or 202, and its order can be read',
  requirements: ['ORD-01', 'ORD-02'],
  needs: { ...NEEDS, purchases: 1 },
  run: async (context) => {
    const { api, expect, reference } = context
    const referenceId = reference()
    const bought = await api.as('full').createOrder({ product: 'voucher', referenceId })
    const found = await api.as('full').getOrders({ referenceId })
    const [only, ...others] = itemsOf(found) ?? []
    expect('ORD-01').that('a valid purchase creates one order, which the creating key reads', {
      holds:
        isAccepted(bought) &&
        only !== undefined &&
        others.length === 0 &&
        namesSameOrder(context, found, bought),
      expected: 'success, then one order under the referenceId, the one that was answered',
      observed: `${showAnswer(bought)}; then ${showAnswer(found)}`,
      exchanges: [bought, found],
    })
    if (!isAccepted(bought)) untested(`the purchase was not accepted: ${showAnswer(bought)}`)
    expect('ORD-02').status(bought, 200, 202)
  },
})

export const unknownOrdersType = check({
  id: 'orders.unknown-type',
  title: 'an ordersType that does not exist is refused and creates no order',
  requirements: ['ORD-04'],
  needs: { ...NEEDS, purchases: 4 },
  run: async (context) => {
    const { api, reference, target } = context
    const template = target.operations.createOrder.bodies.shop
    if (typeof template !== 'object' || template === null || !('ordersType' in template))
      untested('the body template of shop orders has no ordersType at its top')
    await buy(context)
    for (const ordersType of ['no-such-type', 'gift-card', 7]) {
      const referenceId = reference()
      const refused = await api
        .as('full')
        .createOrder({ product: 'voucher', referenceId, overrides: { ordersType } })
      await expectNoOrder(context, 'ORD-04', {
        statement: `ordersType ${show(ordersType)} is refused`,
        refused,
        referenceId,
      })
    }
  },
})

export const versionedPaths = check({
  id: 'orders.versioned-paths',
  title: 'catalog and orders answer under /api/v1',
  requirements: ['VER-01'],
  needs: { ...NEEDS, capabilities: ['shop', 'catalog'], purchases: 1 },
  run: async (context) => {
    const { api, expect, reference } = context
    const full = api.as('full')
    const referenceId = reference()
    const orders = { path: '/api/v1/orders' }
    expect('VER-01').status(
      await full.listServices({ limit: 1 }, { path: '/api/v1/services' }),
      200,
    )
    const bought = await full.createOrder({ product: 'voucher', referenceId }, orders)
    // What the body lacks says nothing of the path.
    if (isRefusedForBody(bought)) untested(`the purchase was refused: ${showAnswer(bought)}`)
    expect('VER-01').that('POST /api/v1/orders takes a purchase', {
      holds: isAccepted(bought),
      expected: 'success',
      exchanges: [bought],
    })
    expect('VER-01').status(await full.getOrders({ referenceId }, orders), 200)
  },
})
