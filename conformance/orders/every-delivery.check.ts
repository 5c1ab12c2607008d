import type { InvariantContext } from '../engine/kit.ts'
import { everySeen } from '../steps/orders-seen.ts'
import { activationsSeen, codesSeen, differ, type SeenDelivery } from '../steps/deliveries-seen.ts'

/** One answer that shows what an order delivered, and the one that it is held against. */
type Again = SeenDelivery & { readonly first: SeenDelivery }

/** Each but the first of an order, beside the first. */
function againIn(seen: readonly SeenDelivery[]): readonly Again[] {
  return [...Map.groupBy(seen, ({ order }) => order).values()].flatMap(([first, ...others]) =>
    first ? others.map((each) => ({ ...each, first })) : [],
  )
}

function codesIn({ history, target }: InvariantContext): readonly SeenDelivery[] {
  return codesSeen(history, target.operations.getOrders.selectors['orderIds'])
}

/**
 * Whether answers to purchases show codes in clear is not shown. They do where one order has the same there as in a read with
 * unhide=true; then all such answers are held against all others.
 */
function replaysIn(context: InvariantContext): readonly Again[] {
  const seen = codesIn(context)
  const inPurchases = seen.filter(({ by }) => by === 'purchase')
  const revealed = new Map(
    seen.filter(({ by }) => by === 'reveal').map((each) => [each.order, each]),
  )
  const isClear = inPurchases.some((each) => {
    const inClear = revealed.get(each.order)
    return inClear !== undefined && !differ(each, inClear)
  })
  const besides = inPurchases.flatMap((each) => {
    const first = revealed.get(each.order)
    return isClear && first ? [{ ...each, first }] : []
  })
  return [...againIn(inPurchases), ...besides]
}

const NOTHING = 'no order of the run was shown with what it delivered twice'

/** No finding may show a code. */
function breachOf(what: string, again: Again): string | undefined {
  return differ(again.first, again) ? `${what} than exchange ${again.first.exchange.id}` : undefined
}

export const replaysDeliverTheSame = everySeen<Again>({
  id: 'orders.every-replayed-code',
  title: 'a purchase or checkout that is sent again shows the voucher codes that it had',
  requirement: 'IDEM-03',
  statement: 'a replay shows the voucher codes of its order',
  subjects: replaysIn,
  nothing: NOTHING,
  isOptional: true,
  breach: (again) => breachOf('other codes', again),
})

export const revealsShowTheSame = everySeen<Again>({
  id: 'orders.every-revealed-code',
  title: 'each read with unhide=true shows the same voucher codes of an order',
  requirement: 'UNHIDE-01',
  statement: 'a later read with unhide=true shows the voucher codes of the first',
  subjects: (context) => againIn(codesIn(context).filter(({ by }) => by === 'reveal')),
  nothing: NOTHING,
  isOptional: true,
  breach: (again) => breachOf('other codes', again),
})

export const oneActivation = everySeen<Again>({
  id: 'orders.every-activation',
  title: 'an eSIM order has one activation, in whichever answer it is shown',
  requirement: 'ESIM-01',
  statement: 'a later answer shows the activation of the first',
  subjects: ({ history, target }) =>
    againIn(activationsSeen(history, target.operations.getOrders.selectors['orderIds'])),
  nothing: NOTHING,
  isOptional: true,
  breach: (again) => breachOf('another qrCodeText', again),
})
