import type { WindowLimit } from '../../../contract/limits.ts'
import { attemptsOf, sayFor } from './spend-keys.ts'
import type { KeyRun } from './spend-keys.ts'
import type { SpendEvent } from '../../judge/spend.ts'
import { eventsOf } from './spend-orders.ts'
import type { Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import { isCapRefusal, isLost, isThrottled } from '../../../contract/answers.ts'
import { isNamed } from './burst-proof.ts'

/** Lone orders that must be refused before it is held against the service: an upstream limit may be relayed once. */
const LONE_REFUSALS_MIN = 3

/** A limit that the shop service relays may refuse some orders as well, whenever it likes. */
const LONE_REFUSED_SHARE = 0.1

/** Phases in which a script sends one order after the answer to the one before. */
const LONE: ReadonlySet<BurstExchange['phase']> = new Set([
  'retry-until-decided',
  'cap-fill',
  'cap-last-unit',
  'cap-overrun',
])

type Lone = {
  /** Refused by 429 though the cap has room for it. */
  readonly within: number
  /** Refused by 429 though the cap has no room for it. */
  readonly beyond: number
  readonly accepted: number
  readonly refusedByCap: number
}

/** An order that no other overlaps is not contended: it is bought, or refused by the cap. */
export function loneStatements(
  keys: readonly KeyRun[],
  limit: WindowLimit,
  isOwnAccount: boolean,
): Statement[] {
  const lones = keys
    .filter(({ headroomUnits }) => headroomUnits !== null)
    .map((key) => loneOf(key, keys, limit))
  const sum = (of: (lone: Lone) => number): number =>
    lones.reduce((total, lone) => total + of(lone), 0)
  const within = sum((lone) => lone.within)
  const beyond = sum((lone) => lone.beyond)
  const say = sayFor({ name: 'orders sent one by one' })
  const refusedByCap = sum((lone) => lone.refusedByCap)
  const passed = `${sum((lone) => lone.accepted)} were bought, ${refusedByCap} refused by the cap`
  const refused = `${within} that the cap has room for and ${beyond} that it has no room for were refused by 429, which no window explains; ${passed}`
  // What others spend of an account's windows is not known.
  if (!isOwnAccount && within + beyond > 0) return [say('BUSY-07', 'inconclusive', refused)]
  // A cap that is answered by 429 is never answered by 409.
  if (within === 0 && beyond >= LONE_REFUSALS_MIN && refusedByCap === 0)
    return [say('CAP-03', 'fail', refused), say('CAP-17', 'fail', refused)]
  const all = within + beyond + refusedByCap + sum((lone) => lone.accepted)
  const isOften = within + beyond > all * LONE_REFUSED_SHARE
  if (within + beyond >= LONE_REFUSALS_MIN && isOften) return [say('BUSY-07', 'fail', refused)]
  if (within + beyond > 0) return []
  return [
    ...(sum((lone) => lone.accepted) > 0 ? [say('BUSY-07', 'pass', passed)] : []),
    ...(refusedByCap > 0 ? [say('CAP-03', 'pass', passed)] : []),
  ]
}

function loneOf(key: KeyRun, keys: readonly KeyRun[], limit: WindowLimit): Lone {
  const { orders, unit, headroomUnits, script } = key
  const sent = attemptsOf(
    keys.filter((other) => other.script === script).flatMap((each) => each.orders),
  )
  const lone = attemptsOf(orders).filter(({ phase }) => LONE.has(phase))
  // The service may still be at work on an order whose answer was lost on the way: no later one is known to be alone.
  const isLostBefore = ({ receivedMs }: BurstExchange): boolean =>
    attemptsOf(orders).some((each) => isLost(each) && each.sentMs <= receivedMs)
  const refused = lone.filter(
    (each) => isThrottled(each) && !mayBeWindow(each, sent, limit) && !isLostBefore(each),
  )
  const headroom = BigInt(headroomUnits ?? 0) * unit
  // What is contended to the end takes no room: else it would stand in its own way.
  const events = eventsOf(orders, unit).filter(({ attempt }) => !isThrottled(attempt))
  const spent = (counts: (event: SpendEvent) => boolean): bigint =>
    events
      .filter((event) => event.outcome !== 'refused' && counts(event))
      .reduce((total, { amount }) => total + amount, 0n)
  const hasRoom = ({ receivedMs, units }: BurstExchange): boolean =>
    spent((event) => event.sentMs <= receivedMs) + BigInt(units) * unit <= headroom
  const hasNoRoom = ({ sentMs, units }: BurstExchange): boolean =>
    spent((event) => event.outcome === 'ok' && event.receivedMs <= sentMs) + BigInt(units) * unit >
    headroom
  return {
    within: refused.filter(hasRoom).length,
    beyond: refused.filter(hasNoRoom).length,
    accepted: lone.filter(isNamed).length,
    refusedByCap: lone.filter(isCapRefusal).length,
  }
}

/** Whether the account sent as many orders in the length of a window as one admits, refused ones included. */
function mayBeWindow(
  { sentMs, receivedMs }: BurstExchange,
  sent: readonly BurstExchange[],
  { count, windowSeconds }: WindowLimit,
): boolean {
  const fromMs = sentMs - 1000 * windowSeconds
  return (
    sent.filter((each) => each.receivedMs >= fromMs && each.sentMs <= receivedMs).length > count
  )
}
