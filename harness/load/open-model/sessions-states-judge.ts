import { FINAL_REQUIREMENTS, seenAfterEnd, type Sight } from '../../judge/rules/states.ts'
import type { SessionExchange } from './exchange-table.ts'
import { decide, say } from '../shared/statements.ts'
import { isAsynchronous } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Statement } from '../shared/statements.ts'
import { isAccepted } from '../../../contract/answers.ts'

/** No way back from a final state, and an end in the time that the target names. */
export function stateStatements(
  purchase: Purchase,
  completesWithinSeconds: number | undefined,
): Statement[] {
  const orders = sightsOf(purchase)
  return [
    ...orders.flatMap((own) => finalStatements(purchase, own)),
    ...endStatements(purchase, completesWithinSeconds),
  ]
}

/**
 * Sights of each order, one after the other; if answers do not name the orders that they list, a lone order shows which one it is. A
 * replay may answer as it did at first: it says nothing of the state at present.
 */
function sightsOf({ original, sights }: Purchase): Sight[][] {
  const shown = sights.filter(isAccepted).flatMap((each) => {
    const names = namesIn(each, original)
    const states = statesIn(each)
    if (names.length !== states.length) return []
    const { sentMs, receivedMs } = each
    const isPosted = each === original
    return states.map((state, at) => ({ name: names[at], state, isPosted, sentMs, receivedMs }))
  })
  return [...Map.groupBy(shown, ({ name }) => name).values()]
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

function finalStatements(purchase: Purchase, sights: readonly Sight[]): Statement[] {
  const { end, later = [] } = seenAfterEnd(sights) ?? {}
  if (!end || later.length === 0) return []
  const other = later.find(({ state }) => state !== end.state)
  const observed = other
    ? `${String(other.state)} after it was read as ${end.state}`
    : `still ${end.state} in ${later.length} later readings`
  return [decide(FINAL_REQUIREMENTS[end.state], other === undefined, purchase, observed)]
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
