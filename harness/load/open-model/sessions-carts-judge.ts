import type { SessionExchange } from './exchange-table.ts'
import { decide, say, sayAll } from '../shared/statements.ts'
import { strangersIn } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Owners } from './sessions-owners.ts'
import type { Statement } from '../shared/statements.ts'
import { ANNOUNCED_MS, isAccepted } from '../../../contract/answers.ts'

type CartFacts = {
  readonly positions: number
  /** The key has a cap that a cart may exceed in part. */
  readonly isCapped: boolean
  readonly owners: Owners
}

/** What a shopper saw of its cart: one order for each position, under one reference, and no more when it is sent again. */
export function cartStatements(purchase: Purchase, facts: CartFacts): Statement[] {
  if (purchase.kind !== 'cart' || !purchase.original) return []
  return [
    ...orderStatements(purchase, purchase.original, facts),
    ...replayStatements(purchase, purchase.original, facts),
  ]
}

/** The answer names, and the reference finds, one order for each position. */
function orderStatements(
  purchase: Purchase,
  { ids, receivedMs }: SessionExchange,
  { positions, isCapped, owners }: CartFacts,
): Statement[] {
  const named = new Set(ids)
  // A read right after it may find nothing.
  const foundByMs = receivedMs + ANNOUNCED_MS
  const first = purchase.reads.find(
    ({ operation, status, items = 0, sentMs }) =>
      operation === 'by-reference' &&
      (status === 200 || status === 404) &&
      (items > 0 || sentMs >= foundByMs),
  )
  if (!first) return []
  const found = first.items ?? 0
  const strangers = strangersIn(first, purchase, owners)
  const observed = `${named.size} orders named in ${ids.length} entries, ${found} found by the reference, ${positions} positions`
  if (strangers.length > 0)
    return [say('GET-05', 'fail', purchase, `${observed}, ${strangers.length} of another cart`)]
  if (ids.length !== named.size) return [say('CART-09', 'fail', purchase, observed)]
  if (found < named.size) return sayAll(['CART-02', 'GET-05'], 'fail', purchase, observed)
  // What a replay bought again is its own matter.
  if (found > positions && purchase.replays.length > 0) return []
  // Of a cart beyond the cap, a service may create the orders that fit.
  const isCut = isCapped && found === named.size && found < positions
  if (found !== positions && !isCut) return [say('CART-01', 'fail', purchase, observed)]
  if (named.size < found) return [say('CART-09', 'fail', purchase, observed)]
  const held = ['CART-02', 'CART-09', 'GET-05'] as const
  return sayAll(isCut ? held : ['CART-01', ...held], 'pass', purchase, observed)
}

/** A cart that is sent again gives its orders under its reference, and no more. */
function replayStatements(
  purchase: Purchase,
  original: SessionExchange,
  { positions, owners }: CartFacts,
): Statement[] {
  const replays = purchase.replays.filter(isAccepted)
  if (replays.length === 0) return []
  const known = new Set(original.ids)
  const fresh = replays.flatMap(({ ids }) => ids).filter((id) => !known.has(id))
  const counts = new Set(
    purchase.reads
      .filter(({ operation, status }) => operation === 'by-reference' && status === 200)
      .map((read) => (read.items ?? 0) - strangersIn(read, purchase, owners).length),
  )
  const isMore = [...counts].some((count) => count > Math.max(known.size, positions))
  const isMoved = replays.some(({ reference }) => reference !== original.reference)
  const observed = `sent again, ${fresh.length} new orders named, ${[...counts].join(' and ') || 'none'} found, ${isMoved ? 'another' : 'the same'} reference`
  return [decide('CART-04', fresh.length === 0 && !isMore && !isMoved, purchase, observed)]
}
