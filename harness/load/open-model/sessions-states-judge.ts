import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { SessionExchange } from './exchange-table.ts'
import { decide, say } from '../shared/statements.ts'
import { isAsynchronous } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Statement } from '../shared/statements.ts'
import { isAccepted } from '../../answers.ts'

const FINAL = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
} as const satisfies Record<string, RequirementId>

type Final = keyof typeof FINAL

/** No way back from a final state, and an end in the time that the target names. */
export function stateStatements(
  purchase: Purchase,
  completesWithinSeconds: number | undefined,
): Statement[] {
  const orders = statesOf(purchase)
  return [
    ...orders.flatMap((states) => finalStatements(purchase, states)),
    ...endStatements(purchase, completesWithinSeconds),
  ]
}

/**
 * States of each order, one after the other; if answers do not name the orders that they list, a lone order shows which one it is. A
 * replay may answer as it did at first: it says nothing of the state at present.
 */
function statesOf({ original, sights }: Purchase): string[][] {
  const telling = sights.filter(
    (each) => isAccepted(each) && namesIn(each, original).length === statesIn(each).length,
  )
  const names = telling.flatMap((each) => namesIn(each, original))
  const states = telling.flatMap(statesIn)
  const places = Map.groupBy(names.keys(), (at) => names[at] as string)
  return Array.from(places.values(), (own) => own.map((at) => states[at] as string))
}

function statesIn({ states, state }: SessionExchange): readonly string[] {
  return states.length > 0 || state === undefined ? states : [state]
}

/** orderIds of what the answer lists; as many as it has states, if it can be told what they belong to. */
function namesIn(
  exchange: SessionExchange,
  original: SessionExchange | undefined,
): readonly string[] {
  const { length } = statesIn(exchange)
  const isAlone = exchange.ids.length !== length && length === 1 && original?.ids.length === 1
  return isAlone ? original.ids : exchange.ids
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
