import type { OrdersType } from '../../contract/wire.ts'

/** What faults tell apart. */
export type Nature = OrdersType | 'checkout' | 'units' | 'later' | 'long'

export function natureOf({ kind, isLong, isAsynchronous, countMinor }: Charge): Nature {
  if (kind === 'dtu') return countMinor === undefined ? kind : 'units'
  if (kind !== 'shop') return kind
  if (isLong === true) return 'long'
  return isAsynchronous ? 'later' : kind
}

/** What a purchase costs, in minor units. */
export type Charge = {
  readonly amountMinor: number
  /** One piece of each position. */
  readonly unitMinor: number
  /** The dearest position. */
  readonly largestMinor: number
  /** The vouchers of a checkout: what one fault charges. */
  readonly vouchersMinor?: number
  readonly kind: OrdersType | 'checkout'
  /** What the positions of a checkout hold. */
  readonly holds?: ReadonlySet<Nature>
  readonly isAsynchronous: boolean
  readonly isLong?: boolean | undefined
  /** The number of units of a top-up as if it were money: what one fault charges. */
  readonly countMinor?: number | undefined
}
