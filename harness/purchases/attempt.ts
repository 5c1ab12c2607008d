/** Sendings of purchases, and what each counts for. */
import { isTerminal } from '../../contract/wire.ts'
import type { Micros } from '../money.ts'
import type { Purchase } from './purchase.ts'

/** One sending of a purchase that made an order, or may have. `reserved`: what it was reckoned at when it left. */
export type Attempt = {
  readonly purchase: Purchase
  reserved: Micros | undefined
  charged?: Micros
  inFlight: boolean
  orderId?: string
  status?: string
}

/** A replay may show an order as it was at first: what has finished stays so. */
export function note(attempt: Attempt, status: string | undefined): void {
  if (status !== undefined && !isTerminal(attempt.status)) attempt.status = status
}

export function sumOf(
  attempts: Iterable<Attempt>,
  priceOf: (attempt: Attempt) => Micros = costOf,
): ReadonlyMap<string, Micros> {
  const money = new Map<string, Micros>()
  for (const attempt of attempts) {
    const micros = priceOf(attempt)
    const { currency } = attempt.purchase
    if (micros > 0n) money.set(currency, (money.get(currency) ?? 0n) + micros)
  }
  return money
}

/** What it was charged or may yet be: a price that is lower at first may not be the last word. */
export function costOf({ purchase, reserved, charged = 0n }: Attempt): Micros {
  const least = reserved ?? purchase.micros ?? 0n
  return charged > least ? charged : least
}

export function chargeOf(attempt: Attempt): Micros {
  return attempt.charged ?? costOf(attempt)
}
