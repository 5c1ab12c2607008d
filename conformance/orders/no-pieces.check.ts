import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import { CHECKS_OUT, entriesOf, POSITIONS, sendCart } from '../steps/cart.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isObject,
  isOffered,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { BUYS_ESIMS, orderSaying } from '../steps/esim.ts'
import { BUYS_VOUCHERS, dataOf, itemsOf } from '../steps/orders.ts'
import { expectListed } from '../steps/validation-refusals.ts'

/** A purchase that names how many pieces it is for. */
type Form = {
  readonly what: string
  readonly needs: Needs
  readonly send: (context: CheckContext, quantity: number, referenceId: string) => Promise<Exchange>
  readonly isOffered?: (context: CheckContext) => boolean
}

const FORMS: readonly Form[] = [
  {
    what: 'a voucher order',
    needs: BUYS_VOUCHERS,
    send: ({ api }, quantity, referenceId) =>
      api.as('full').createOrder({ product: 'voucher', quantity, referenceId }),
  },
  {
    what: 'an eSIM order',
    needs: BUYS_ESIMS,
    send: (context, quantity, referenceId) => orderSaying(context, referenceId, quantity),
  },
  {
    what: 'a checkout with a position',
    needs: CHECKS_OUT,
    send: (context, quantity, referenceId) =>
      sendCart(context, {
        referenceId,
        lines: [{ product: 'voucher' }, { product: 'voucher', quantity }],
      }),
    isOffered: ({ target }) =>
      templateVariables(target.operations.createCart.body).includes('quantity'),
  },
]

const QUANTITIES = [0, -1] as const

const BY_PIECE = ['shop', 'esim', 'cart'] as const

/** The prices that a purchase or a checkout states, order by order. */
function pricesIn(exchange: Exchange): readonly (Micros | undefined)[] {
  const data = dataOf(exchange)
  const orders = entriesOf(exchange)?.filter(isObject) ?? [data]
  return orders.map(({ price }) => parseMoney(price))
}

function isPriced(exchange: Exchange): boolean {
  return (
    isAccepted(exchange) && pricesIn(exchange).every((price) => price !== undefined && price > 0n)
  )
}

/** Whether something was delivered: vouchers are listed, also where they are masked; an eSIM order delivers one always. */
function delivers(form: Form, exchange: Exchange, found: Exchange): boolean {
  if (form.needs === BUYS_ESIMS) return dataOf(exchange)['status'] !== 'CANCELLED'
  const [first] = itemsOf(found) ?? []
  return [dataOf(exchange)['result'], first?.['result']].some(
    (result) =>
      isObject(result) && Array.isArray(result['vouchers']) && result['vouchers'].length > 0,
  )
}

type Sent = {
  readonly form: Form
  readonly what: string
  readonly referenceId: string
  readonly exchange: Exchange
}

/** Whether the answer says enough to judge. */
async function judge(
  context: CheckContext,
  { form, what, referenceId, exchange }: Sent,
): Promise<boolean> {
  const claim = (holds: boolean, observed: string, exchanges: readonly Exchange[]): boolean =>
    context.expect('ORD-19').that(what, {
      holds,
      expected: 'a refusal, or a price above zero for what is delivered',
      observed,
      exchanges,
    })
  const [least] = pricesIn(exchange).toSorted((a = 0n, b = 0n) => (a < b ? -1 : 1))
  if (!isAccepted(exchange)) claim(true, showAnswer(exchange), [exchange])
  else if (least === undefined) return false
  else if (least > 0n) claim(true, `a price of ${formatMoney(least)}`, [exchange])
  else if (least < 0n)
    claim(false, `a price of ${formatMoney(least)}: ${showAnswer(exchange)}`, [exchange])
  else {
    const found = await context.api.as('full').getOrders({ referenceId })
    const isFree = delivers(form, exchange, found)
    claim(!isFree, isFree ? 'delivered for nothing' : 'nothing for nothing', [exchange, found])
  }
  return true
}

export const noPieces = check({
  id: 'orders.no-pieces',
  title:
    'no purchase of zero or fewer pieces is paid out, or delivers for nothing; its 422 lists why',
  requirements: ['ORD-19', 'VAL-02'],
  needs: { roles: ['full'], purchases: (2 + POSITIONS) * (1 + QUANTITIES.length) },
  run: async (context) => {
    const { capabilities } = context.target
    if (!BY_PIECE.some((each) => capabilities.includes(each)))
      inapplicable(`what is bought by the piece needs one of ${BY_PIECE.join(', ')}`)
    let [priced, judged, listed] = [0, 0, 0]
    for (const form of FORMS) {
      if (!isOffered(context.target, form.needs) || form.isOffered?.(context) === false) continue
      if (!isPriced(await form.send(context, 1, context.reference()))) continue
      priced++
      for (const quantity of QUANTITIES) {
        const what = `${form.what} of ${quantity} pieces`
        const referenceId = context.reference()
        const exchange = await form.send(context, quantity, referenceId)
        if (await judge(context, { form, what, referenceId, exchange })) judged++
        if (exchange.response?.status !== 422) continue
        // Only the quantity is wrong: no other problem of the body fills the list in its place.
        expectListed(context, what, exchange)
        listed++
      }
    }
    if (priced === 0) untested('no purchase of one piece is accepted and states a price above zero')
    if (judged === 0) untested('purchases of no pieces are accepted without a price')
    if (listed === 0)
      context.leaveUndecided(
        'VAL-02',
        'no purchase of no pieces was answered by 422',
        'inapplicable',
      )
  },
})
