/** What only faults charge: replays and validations, which are free. */
import type { ApiKey } from '../model/accounts.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { requireHeadroom } from './cap.ts'
import type { Charge } from './charge.ts'
import { type OrderLine, type Purchase, totalMinor } from '../model/order.ts'

/** Faults that charge replays of one kind again: the cap, the balance. */
const REPLAYS: readonly (readonly [Charge['kind'], FaultName, FaultName])[] = [
  ['dtu', 'top-up-replay-charges', 'top-up-replay-debits'],
  ['esim', 'esim-replay-charges', 'esim-replay-debits'],
  ['platform-gift', 'gift-replay-charges', 'gift-replay-debits'],
  ['checkout', 'checkout-replay-charges', 'checkout-replay-debits'],
]

type Replay = {
  readonly replayer: ApiKey
  /** Its body is not that of the purchase. */
  readonly isOther: boolean
}

/** Charges a purchase that is sent again. */
export function chargeAgain(
  faults: FaultSet,
  earlier: Purchase,
  { replayer, isOther }: Replay,
): void {
  const { key, kind, orders } = earlier
  const amountMinor = totalMinor(orders.map(({ line }) => line))
  if (faults.has('replay-needs-headroom')) requireHeadroomAgain(faults, earlier, amountMinor)
  const [first] = orders
  const bought = kind === 'checkout' ? kind : first?.line.ordersType
  const [, charges, debits] = REPLAYS.find(([each]) => each === bought) ?? []
  if (!isOther) chargeEnds(faults, earlier, amountMinor)
  const isLater = bought === 'shop' && first?.line.delivery.asynchronous === true
  if (replayer !== key && faults.has('sibling-replay-charges-owner')) key.usedMinor += amountMinor
  if (replayer !== key && faults.has('sibling-replay-charges-itself'))
    replayer.usedMinor += amountMinor
  if (
    faults.has('replay-charges-again') ||
    (charges !== undefined && faults.has(charges)) ||
    (isLater && faults.has('later-replay-charges')) ||
    (isOther && faults.has('other-body-replay-charges'))
  )
    key.usedMinor += amountMinor
  if (
    faults.has('replay-debits-again') ||
    (debits !== undefined && faults.has(debits)) ||
    (isOther && faults.has('other-body-replay-debits')) ||
    (replayer !== key && faults.has('sibling-replay-debits'))
  )
    key.account.balanceMinor -= amountMinor
}

/** Only a fault takes a replay for a purchase that has to fit the cap. */
function requireHeadroomAgain(faults: FaultSet, { key }: Purchase, amountMinor: number): void {
  const amounts = { amountMinor, unitMinor: amountMinor, largestMinor: amountMinor } as const
  requireHeadroom(faults, { key, charge: { ...amounts, kind: 'shop', isAsynchronous: false } })
}

/** Faults that take the price of orders of one nature again. */
const NATURES: readonly (readonly [FaultName, 'balance' | 'cap', (line: OrderLine) => boolean])[] =
  [
    ['later-replay-debits', 'balance', isLaterVoucher],
    ['long-replay-debits', 'balance', ({ isLong }) => isLong === true],
    ['units-replay-debits', 'balance', ({ isCounted }) => isCounted === true],
    ['partial-replay-charges', 'cap', ({ delivery }) => delivery.outcome === 'PARTIALLY_COMPLETED'],
    ['cancelled-replay-charges', 'cap', ({ delivery }) => delivery.outcome === 'CANCELLED'],
  ]

function isLaterVoucher({ ordersType, isLong, delivery }: OrderLine): boolean {
  return ordersType === 'shop' && isLong !== true && delivery.asynchronous
}

function chargeEnds(faults: FaultSet, { key, orders }: Purchase, amountMinor: number): void {
  const [first] = orders
  if (first === undefined) return
  for (const [name, from, isMeant] of NATURES) {
    if (!faults.has(name) || !isMeant(first.line)) continue
    if (from === 'cap') key.usedMinor += amountMinor
    else key.account.balanceMinor -= amountMinor
  }
}
