import type { CallOptions, CartLine, CheckContext, Exchange } from '../../engine/kit.ts'
import { POSITIONS, referenceOf, sendCart } from '../cart.ts'

/** A cart of as many pieces in each position. */
export function linesOf(quantity: number): CartLine[] {
  return Array.from({ length: POSITIONS }, () => ({ product: 'voucher', quantity }))
}

export const RETURNED = { throttled: 'return' } as const

/** A cart of equal positions, by the capped key. */
export async function sendUnits(
  context: CheckContext,
  quantity: number,
  {
    referenceId: sent = context.reference(),
    ...options
  }: CallOptions & { readonly referenceId?: string } = {},
): Promise<{ exchange: Exchange; referenceId: string }> {
  const cart = { lines: linesOf(quantity), referenceId: sent, role: 'capped' } as const
  const exchange = await sendCart(context, cart, options)
  return { exchange, referenceId: referenceOf(exchange) ?? sent }
}
