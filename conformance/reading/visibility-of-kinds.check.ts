import type { ProductAbility } from '../../contract/capabilities.ts'
import type { CheckContext, CheckDefinition, Needs } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isOffered,
  offeredOf,
  onlyWithControlSide,
  show,
  untested,
} from '../engine/kit.ts'
import { BUYS_ESIMS, buyEsim } from '../steps/esim.ts'
import { buy, BUYS_VOUCHERS, pollToEnd, type Bought } from '../steps/orders.ts'
import { OTHER_KINDS, ordersOfKinds, VOUCHERS, type Kind, type orderKind } from '../steps/kinds.ts'
import { BUYS_GIFTS, buyGift } from '../steps/platform-gift.ts'
import {
  expectHiddenFromStranger,
  expectListed,
  looksOf,
  expectHidden,
  isRefusedPair,
} from '../steps/reading.ts'
import { finish } from '../steps/unhide/orders.ts'

type Hidden = {
  readonly id: `${string}.other-key${string}`
  /** For sentences, for example `a top-up`. */
  readonly what: string
  readonly needs: Needs
  readonly buyOne: (context: CheckContext) => Promise<Bought>
  /** It is pending at first, and may be listed once it has ended. */
  readonly pending?: ProductAbility
}

/** Orders of other kinds than vouchers are for the key that created them, too. */
function hiddenFromOtherKeys({ id, what, needs, buyOne, pending }: Hidden): CheckDefinition {
  return check({
    id,
    title: `the key that bought ${what} finds it, and another key of the account does not`,
    requirements: ['GET-07', 'GET-08', 'GET-09'],
    needs: {
      ...needs,
      roles: ['full', 'sibling'],
      purchases: 1,
      ...(pending !== undefined && { waits: [{ orders: 1, product: pending }] }),
    },
    run: async (context) => {
      const bought = await buyOne(context)
      const { exchange, orderId, referenceId } = bought
      const inClear = isOffered(context.target, { capabilities: ['unhide'] })
      for (const [requirement, filter] of [
        ['GET-08', { orderId }],
        ['GET-09', { referenceId }],
        ['GET-09', { orderId, referenceId }],
        ...(inClear ? [['GET-08', { orderId, unhide: true }] as const] : []),
      ] as const) {
        const own = await context.api.as('full').getOrders(filter)
        if (isRefusedPair(filter, own)) continue
        const isFound = context.expect('GET-07').that(`its own key finds it by ${show(filter)}`, {
          holds: looksOf(own)[1] > 0,
          expected: 'the order',
          exchanges: [exchange, own],
        })
        if (!isFound) untested('what its own key does not find cannot be hidden from others')
        await expectHidden(context, 'sibling', requirement, { filter, exchanges: [exchange] })
      }
      if (pending !== undefined && context.isFresh) await finish(context, pending, bought)
      await expectListed(context, await context.api.as('full').getOrders({ orderId }), [orderId])
    },
  })
}

/** One that is ordered by a body of its own. */
function hiddenKind(
  { needs, order }: ReturnType<typeof orderKind>,
  named: Pick<Hidden, 'id' | 'what' | 'pending'>,
): CheckDefinition {
  const buyOne = async (context: CheckContext): Promise<Bought> =>
    buy(context, await order(context, 'full'))
  return hiddenFromOtherKeys({ ...named, needs, buyOne })
}

export const topUpIsHidden = hiddenKind(OTHER_KINDS.topUp, {
  id: 'reading.other-key-top-up',
  what: 'a top-up',
})
export const unitsAreHidden = hiddenKind(OTHER_KINDS.units, {
  id: 'reading.other-key-units',
  what: 'a top-up by units',
})
export const laterIsHidden = hiddenKind(OTHER_KINDS.later, {
  id: 'reading.other-key-later',
  what: 'an order that is pending',
  pending: 'voucher-async',
})
export const longOrderIsHidden = hiddenKind(OTHER_KINDS.long, {
  id: 'reading.other-key-long-order',
  what: 'a long order',
  pending: 'voucher-long',
})
export const giftIsHidden = hiddenFromOtherKeys({
  id: 'reading.other-key-gift',
  what: 'a gift',
  needs: BUYS_GIFTS,
  buyOne: (context) => buyGift(context),
})
export const cancelledIsHidden = hiddenFromOtherKeys({
  id: 'reading.other-key-cancelled',
  what: 'a cancelled order',
  needs: {
    capabilities: ['shop', 'async'],
    products: ['voucher-cancelled'],
    orderKinds: ['shop'],
    waits: [{ orders: 1, product: 'voucher-cancelled' }],
  },
  buyOne: async (context) => {
    const bought = await buy(context, { product: 'voucher-cancelled' })
    await pollToEnd(context, 'voucher-cancelled', { orderId: bought.orderId })
    return bought
  },
})
export const rawEsimIsHidden = hiddenFromOtherKeys({
  id: 'esim.other-key-raw',
  what: 'an eSIM with a raw payload',
  needs: { ...BUYS_ESIMS, products: ['esim-raw'] },
  buyOne: (context) => buyEsim(context, 'esim-raw'),
})
export const esimIsHidden = hiddenFromOtherKeys({
  id: 'esim.other-key',
  what: 'an eSIM, which would show its activation',
  needs: BUYS_ESIMS,
  buyOne: (context) => buyEsim(context),
  pending: 'esim',
})

const KINDS: readonly Kind[] = [VOUCHERS, ...Object.values(OTHER_KINDS)]

export const kindsAreHiddenFromStrangers = check({
  id: 'reading.other-account-kinds',
  title: 'a key of another account finds no order of any kind',
  requirements: ['GET-11'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full', 'stranger'],
    purchases: ordersOfKinds(KINDS),
    ofKeysOfFile: onlyWithControlSide('orders of every kind that cost nothing'),
  },
  run: async (context) => {
    let judged = 0
    for (const { begin, idOf } of offeredOf(context.target, KINDS)) {
      const referenceId = context.reference()
      const bought = await (await begin(context, 'full', referenceId))()
      const [orderId] = idOf(bought)?.split(',') ?? []
      if (!isAccepted(bought) || orderId === undefined) continue
      judged++
      for (const filter of [{ orderId }, { referenceId }, { orderId, unhide: true }])
        await expectHiddenFromStranger(context, bought, filter)
    }
    if (judged === 0) untested('no purchase that was accepted names its order by a text')
  },
})
