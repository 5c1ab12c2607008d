import type { Attempted } from '../../judge/rules/purchases.ts'
import { parseMoney, type Micros } from '../../money.ts'
import { BUYS, type SessionExchange } from './exchange-table.ts'
import type { SessionEvidence } from './session-table.ts'
import type { Owners } from './sessions-owners.ts'
import { isAccepted, isDecided } from '../../../contract/answers.ts'

const MASKED: ReadonlySet<SessionExchange['operation']> = new Set([
  'masked',
  'by-reference',
  'child',
])

/** The purchase of a session; undefined where it began none. */
export function purchaseOf(session: SessionEvidence, account: string): Purchase | undefined {
  const purchase = new Purchase(session, account)
  return purchase.attempts.length === 0 ? undefined : purchase
}

/**
 * One order or cart of a session, with all that was sent for it, in the order of sending. Made by a constructor for the reason that
 * exchanges are.
 */
export class Purchase {
  readonly name: string
  readonly session: number
  readonly kind: 'order' | 'cart'
  /** Index of its key in the plan. */
  readonly key: number
  readonly account: string
  /** The purchase, its retries and its replays. */
  readonly attempts: readonly SessionExchange[]
  /** The first acceptance. */
  declare readonly original?: SessionExchange
  /** Sent when the acceptance was known, and answered. */
  readonly replays: readonly SessionExchange[]
  /** Masked reads: after the acceptance, or of what was refused. */
  readonly reads: readonly SessionExchange[]
  readonly unhides: readonly SessionExchange[]
  /** The acceptance and all reads: a session sends one request after the other. */
  readonly sights: readonly SessionExchange[]
  readonly end: SessionEvidence['end']

  constructor({ index, kind, key, exchanges, end }: SessionEvidence, account: string) {
    const attempts = exchanges.filter(({ operation }) => BUYS.has(operation))
    const original = attempts.find(isAccepted)
    this.name = `session ${index}`
    this.session = index
    this.kind = kind === 'shopper' ? 'cart' : 'order'
    this.key = key
    this.account = account
    this.attempts = attempts
    if (original) this.original = original
    this.replays = original ? attempts.slice(attempts.indexOf(original) + 1).filter(isDecided) : []
    this.reads = exchanges.filter(({ operation }) => MASKED.has(operation))
    this.unhides = exchanges.filter(({ operation }) => operation === 'unhide')
    this.sights = exchanges.filter((each) => each === original || !BUYS.has(each.operation))
    this.end = end
  }
}

/** As rules of purchases see it: a session judges what its replays name on its own. */
export function attemptedOf({ attempts, original }: Purchase): Attempted<SessionExchange> {
  return { attempts, made: original ? [original] : [] }
}

/** Not SUCCESS, PARTIALLY_COMPLETED or CANCELLED as far as the purchase said. */
export function isAsynchronous({ original }: Purchase): boolean {
  return original?.state === 'IN_PROGRESS' || (original?.states.includes('IN_PROGRESS') ?? false)
}

/**
 * What an accepted purchase costs, by the prices of its orders and by its total: the larger, for an answer may leave orders out of
 * either. Undefined where it says nothing.
 */
export function priceOf({ original }: Pick<Purchase, 'original'>): Micros | undefined {
  const total = parseMoney(original?.total)
  const prices = (original?.prices ?? []).map((price) => parseMoney(price))
  if (prices.length === 0 || prices.includes(undefined)) return total
  const sum = prices.reduce<Micros>((all, price) => all + (price ?? 0n), 0n)
  return total !== undefined && total > sum ? total : sum
}

/** Orders in the answer to a read that other sessions bought; none where answers do not name their orders. */
export function strangersIn(
  { ids }: SessionExchange,
  { session }: Pick<Purchase, 'session'>,
  owners: Owners,
): string[] {
  return ids.filter((id) => (owners.get(id) ?? session) !== session)
}
