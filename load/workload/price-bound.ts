import exec from 'k6/execution'
import { OVERCHARGED, PLAN_ENV } from '../protocol/plan.ts'

/** Sums of decimal prices as numbers are off by less. */
const PRICE_NOISE = 1e-6

/** A sum is permitted, and not more. */
export const isPriceBound = (): boolean => Boolean(__ENV[PLAN_ENV.priceBound])

/** Ends the test for everybody at the first purchase that costs more than it may. What is on its way is not called back. */
export function requirePrice(price: number, most: number | undefined): void {
  if (most !== undefined && most > 0 && price > most + PRICE_NOISE)
    exec.test.abort(`${OVERCHARGED}: ${price} instead of ${most}`)
}
