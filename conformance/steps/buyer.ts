import type { Role } from '../../contract/capabilities.ts'
import { parseMoney, type Micros } from '../../harness/money.ts'
import { select } from '../../harness/target-file/select.ts'
import type { CallOptions, CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import { isAccepted, isCapRefusal, showAnswer, untested } from '../engine/kit.ts'

/** How it is sent, and what is ordered instead of a voucher. */
export type SendOptions = CallOptions & { readonly order?: Partial<OrderRequest> }

/** Buys vouchers as one role, and keeps every purchase it sent. */
export class Buyer {
  readonly context: CheckContext
  readonly role: Role
  readonly exchanges: Exchange[] = []

  constructor(context: CheckContext, role: Role) {
    this.context = context
    this.role = role
  }

  /** One purchase, whatever becomes of it. */
  async send(
    units: number,
    referenceId: string,
    { order = {}, ...options }: SendOptions = {},
  ): Promise<Exchange> {
    const exchange = await this.context.api
      .as(this.role)
      .createOrder({ product: 'voucher', quantity: units, ...order, referenceId }, options)
    this.exchanges.push(exchange)
    if (isAccepted(exchange) && !order.product)
      this.context.pieces.notePrice(priceOf(this.context, exchange), units)
    return exchange
  }
}

/** A refusal that a check builds on. What the refusal itself must look like is judged elsewhere. */
export function needCapRefusal(exchange: Exchange): Exchange {
  if (!isCapRefusal(exchange))
    untested(`the control failed: the cap was expected to refuse, got ${showAnswer(exchange)}`)
  return exchange
}

/** Whether an order that asked for two was charged for one: quotes may differ a little, two cost twice as much. */
export function isPriceOfOne(price: Micros, single: Micros): boolean {
  return price < 2n * single
}

/** The price that an accepted purchase states. */
export function priceOf({ target }: CheckContext, exchange: Exchange): Micros {
  const selector = target.operations.createOrder.selectors['price'] ?? '/data/price'
  const [value] = select(selector, exchange.json)
  const price = parseMoney(value)
  if (price === undefined)
    untested(`the accepted purchase states no price at ${selector}: ${showAnswer(exchange)}`)
  return price
}
