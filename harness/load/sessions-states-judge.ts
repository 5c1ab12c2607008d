import type { RequirementId } from '../../contract/requirements/index.ts'
import { TRANSACTION_STATUSES } from '../../contract/wire.ts'
import type { ArrivalExchange } from './arrivals-import.ts'
import { decide, isAccepted, isAsynchronous, say } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Statement } from './statements.ts'

const FINAL = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
} as const satisfies Record<string, RequirementId>

type Final = keyof typeof FINAL

/** One order as one answer showed it. */
type Sight = { readonly state: string; readonly sentMs: number; readonly receivedMs: number }

/** No way back from a final state, no other state than the four, and an end in the time that the target names. */
export function stateStatements(
  purchase: Purchase,
  completesWithinSeconds: number | undefined,
): Statement[] {
  const orders = [...sightsOf(purchase).values()]
  return [
    ...orders.flatMap((sights) => [
      ...knownStatements(purchase, sights),
      ...finalStatements(purchase, sights),
    ]),
    ...endStatements(purchase, completesWithinSeconds),
  ]
}

/** By orderId; where answers do not name the orders that they list, those of one order are told by being alone. */
function sightsOf({ original, reads, unhides }: Purchase): Map<string, Sight[]> {
  const orders = new Map<string, Sight[]>()
  // A replay may answer as it did at first: it says nothing of the state at present.
  for (const exchange of [...(original ? [original] : []), ...reads, ...unhides])
    for (const [name, state] of statesIn(exchange, original)) {
      const { sentMs, receivedMs } = exchange
      orders.set(name, [...(orders.get(name) ?? []), { state, sentMs, receivedMs }])
    }
  return orders
}

function statesIn(
  exchange: ArrivalExchange,
  original: ArrivalExchange | undefined,
): readonly (readonly [name: string, state: string])[] {
  if (!isAccepted(exchange)) return []
  const { ids, state } = exchange
  const states = exchange.states.length > 0 || state === undefined ? exchange.states : [state]
  if (ids.length === states.length)
    return states.map((each, index) => [ids[index] ?? '', each] as const)
  const [alone] = original?.ids ?? []
  const isAlone = original?.ids.length === 1 && states.length === 1 && alone !== undefined
  return isAlone ? [[alone, states[0] ?? '']] : []
}

function knownStatements(purchase: Purchase, sights: readonly Sight[]): Statement[] {
  const known: ReadonlySet<string> = new Set(TRANSACTION_STATUSES)
  const odd = sights.find(({ state }) => !known.has(state))
  const observed = odd ? `read in status ${JSON.stringify(odd.state)}` : `${sights.length} readings`
  return [decide('STATE-01', odd === undefined, purchase, observed)]
}

function finalStatements(purchase: Purchase, sights: readonly Sight[]): Statement[] {
  return sights
    .filter((sight): sight is Sight & { readonly state: Final } => sight.state in FINAL)
    .flatMap(({ state, receivedMs }) => {
      const later = sights.filter(({ sentMs }) => sentMs >= receivedMs)
      const other = later.find((each) => each.state !== state)
      if (later.length === 0) return []
      const observed = other
        ? `${other.state} after it was read as ${state}`
        : `still ${state} in ${later.length} later readings`
      return [decide(FINAL[state], other === undefined, purchase, observed)]
    })
}

/** Pending for longer than the target says that it takes. */
function endStatements(
  purchase: Purchase,
  completesWithinSeconds: number | undefined,
): Statement[] {
  const { end, original, reads } = purchase
  if (!original || !isAsynchronous(purchase)) return []
  const last = reads.findLast(isAccepted)
  if (end === 'done') return [say('STATE-02', 'pass', purchase, 'came to its end')]
  if (end !== 'unfinished' || completesWithinSeconds === undefined || !last) return []
  const seconds = Math.floor((last.sentMs - original.receivedMs) / 1000)
  if (seconds < completesWithinSeconds) return []
  const observed = `${last.states.join(', ')} after ${seconds} s, the target names ${completesWithinSeconds} s`
  return [say('STATE-02', 'fail', purchase, observed)]
}
