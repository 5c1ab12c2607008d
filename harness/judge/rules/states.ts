/** What a finished order must stay: the one definition for checks at rest and for judges of load. */
import { isTerminal, type TerminalStatus } from '../../../contract/wire.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { RecordedAnswer } from './rule.ts'

/** An answer that shows the status of an order. A replay may show it as it was at first, if that was pending. */
export type Sight = Pick<RecordedAnswer, 'state' | 'isPosted' | 'sentMs' | 'receivedMs'>

/** Which requirement says that a status is final. */
export const FINAL_REQUIREMENTS = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
} as const satisfies Record<TerminalStatus, RequirementId>

export type SeenAfterEnd<Seen extends Sight> = {
  /** The first answer that showed the order finished. */
  readonly end: Seen & { readonly state: TerminalStatus }
  /** What was asked after that answer had come: each must show the same status. */
  readonly later: readonly Seen[]
}

/** Of the sights of one order, in the order of sending; undefined if none shows it finished. */
export function seenAfterEnd<Seen extends Sight>(
  sights: readonly Seen[],
): SeenAfterEnd<Seen> | undefined {
  const end = sights.find(isFinished)
  if (end === undefined) return undefined
  const later = sights
    .filter((each) => each !== end && each.sentMs >= end.receivedMs)
    .filter((each) => !each.isPosted || isFinished(each) || endedAtOnce(sights, each))
  return { end, later }
}

function isFinished<Seen extends Sight>(
  sight: Seen,
): sight is Seen & { readonly state: TerminalStatus } {
  return isTerminal(sight.state)
}

/**
 * Every answer to its purchase that was sent before showed the order finished: a replay has no earlier state to show. Where the first
 * answer was lost, nobody knows what it showed.
 */
function endedAtOnce(sights: readonly Sight[], later: Sight): boolean {
  const posted = sights.filter(({ isPosted }) => isPosted)
  const earlier = posted.slice(0, posted.indexOf(later))
  return earlier.length > 0 && earlier.every(isFinished)
}
