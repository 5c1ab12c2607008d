import type { RequirementId } from '../../../contract/requirements/index.ts'
import { TRANSACTION_STATUSES } from '../../../contract/wire.ts'
import type { ArrivalExchange } from './arrivals-columns.ts'
import { decide, isAccepted, isAsynchronous, say } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Statement } from '../statements.ts'

const FINAL = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
} as const satisfies Record<string, RequirementId>

type Final = keyof typeof FINAL

/** No way back from a final state, no other state than the four, and an end in the time that the target names. */
export function stateStatements(
  purchase: Purchase,
  completesWithinSeconds: number | undefined,
): Statement[] {
  const orders = [...statesOf(purchase).values()]
  return [
    ...orders.flatMap((states) => [
      ...knownStatements(purchase, states),
      ...finalStatements(purchase, states),
    ]),
    ...endStatements(purchase, completesWithinSeconds),
  ]
}

/**
 * States of each order, one after the other, by orderId; where answers do not name the orders that they list, that of one order is
 * told by being alone. A replay may answer as it did at first: it says nothing of the state at present.
 */
function statesOf({ original, sights }: Purchase): Map<string, string[]> {
  const orders = new Map<string, string[]>()
  for (const exchange of sights)
    for (const [name, state] of statesIn(exchange, original))
      orders.set(name, [...(orders.get(name) ?? []), state])
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

function knownStatements(purchase: Purchase, states: readonly string[]): Statement[] {
  const known: ReadonlySet<string> = new Set(TRANSACTION_STATUSES)
  const odd = states.find((state) => !known.has(state))
  const observed = odd === undefined ? `${states.length} readings` : `read as ${odd}`
  return [decide('STATE-01', odd === undefined, purchase, observed)]
}

function finalStatements(purchase: Purchase, states: readonly string[]): Statement[] {
  return states.flatMap((state, index) => {
    const later = states.slice(index + 1)
    if (!isFinal(state) || later.length === 0) return []
    const other = later.find((each) => each !== state)
    const observed =
      other === undefined
        ? `still ${state} in ${later.length} later readings`
        : `${other} after it was read as ${state}`
    return [decide(FINAL[state], other === undefined, purchase, observed)]
  })
}

function isFinal(state: string): state is Final {
  return Object.hasOwn(FINAL, state)
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
  const isPending = last?.states.includes('IN_PROGRESS') ?? false
  if (!last || !isPending || end !== 'unfinished' || completesWithinSeconds === undefined) return []
  const seconds = Math.floor((last.sentMs - original.receivedMs) / 1000)
  if (seconds < completesWithinSeconds) return []
  const observed = `${last.states.join(', ')} after ${seconds} s, the target names ${completesWithinSeconds} s`
  return [say('STATE-02', 'fail', purchase, observed)]
}
