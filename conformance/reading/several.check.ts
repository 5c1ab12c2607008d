import type { CheckContext, Needs } from '../engine/kit.ts'
import { asText, check, isAccepted, needSuccess, show, untested } from '../engine/kit.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import { OTHER_QUANTITY, resultOf } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, type Bought } from '../steps/orders.ts'
import { BUYS_LATER } from '../steps/states.ts'
import { finish } from '../steps/unhide/orders.ts'
import { isRepeated, codesIn, expectClear, reveal, vouchersOf } from '../steps/reading.ts'

type Product = 'voucher' | 'voucher-async'

function deliversEach(
  id: string,
  what: string,
  product: Product,
  needs: Needs,
): ReturnType<typeof check> {
  return check({
    id,
    title: `${what} of several pieces delivers as many vouchers, and unhide=true shows all in clear`,
    requirements: ['ORD-03', 'UNHIDE-01'],
    needs: {
      ...needs,
      capabilities: [...(needs.capabilities ?? []), 'unhide'],
      roles: ['full'],
      selectors: ['getOrders.codes'],
      purchases: 3,
      waits: [{ orders: 2, product }],
    },
    run: async (context) => {
      const one = await buy(context, { product })
      const { several, quantity } = await buySeveral(context, product)
      needDearer(one, several, quantity)
      await judgeCodes(context, several, quantity)
    },
  })
}

export const severalCodes = deliversEach(
  'reading.several-codes',
  'an order',
  'voucher',
  BUYS_VOUCHERS,
)

export const severalLaterCodes = deliversEach(
  'reading.several-later-codes',
  'an order that is delivered later',
  'voucher-async',
  BUYS_LATER,
)

async function judgeCodes(
  context: CheckContext,
  { exchange: bought, orderId }: Bought,
  quantity: number,
): Promise<void> {
  const masked = needSuccess(await context.api.as('full').getOrders({ orderId }))
  const { exchange, codes } = await reveal(context, orderId)
  const clear = clearCodes(codes, codesIn(context, masked))
  context.revealed(clear)
  const vouchers = vouchersOf(exchange)
  const count = vouchers?.length
  // Where codes stay masked, they look alike.
  const isRepeat = vouchers !== undefined && isRepeated(vouchers, codes, clear)
  if (count === undefined) context.leaveUndecided('ORD-03', 'the list keeps vouchers elsewhere')
  else
    context.expect('ORD-03').that(`an order of ${quantity} pieces has as many vouchers`, {
      holds: count >= quantity && !isRepeat,
      expected: `${quantity} vouchers at least`,
      observed: isRepeat ? `one voucher several times, of ${count}` : `${count} vouchers`,
      exchanges: [bought, exchange],
    })
  if (codes.length === 0) untested('no voucher was found where the target file says codes are')
  const exchanges = [masked, exchange]
  const statement = 'every code of an order of several pieces is in clear'
  expectClear(context, statement, { codes, clear, exchanges })
}

/** More than a page of ten holds. They cost more, so only accounts that the target makes for checks buy as many. */
const MANY = 11

type Several = { readonly several: Bought; readonly quantity: number }

/** An order of many pieces that is delivered whole, or else of two: how many one order takes is not shown. */
async function buySeveral(context: CheckContext, product: Product): Promise<Several> {
  const many = context.isFresh ? await deliveredMany(context, product) : undefined
  if (many) return { several: many, quantity: MANY }
  const several = await buy(context, { product, quantity: OTHER_QUANTITY })
  const status = await finish(context, product, several)
  if (status !== 'SUCCESS') untested(`the order did not end in SUCCESS: ${show(status)}`)
  return { several, quantity: OTHER_QUANTITY }
}

async function deliveredMany(context: CheckContext, product: Product): Promise<Bought | undefined> {
  const referenceId = context.reference()
  const order = { product, quantity: MANY, referenceId } as const
  const exchange = await context.api.as('full').createOrder(order)
  const orderId = orderIdOf(exchange)
  if (!isAccepted(exchange) || orderId === undefined) return undefined
  const bought = { exchange, orderId, referenceId }
  return (await finish(context, product, bought)) === 'SUCCESS' ? bought : undefined
}

/** Where several pieces cost what one costs, the body template does not ask for several. */
function needDearer(one: Bought, several: Bought, quantity: number): void {
  const prices = [one, several].map(({ exchange }) => Number(asText(resultOf(exchange)[1])))
  const [first = Number.NaN, second = Number.NaN] = prices
  if (!(second > first))
    untested(`quantity ${quantity} does not cost more than one piece: ${show(prices)}`)
}
