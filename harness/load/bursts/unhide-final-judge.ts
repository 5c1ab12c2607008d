import type { Statement } from '../shared/statements.ts'
import { say } from './unhide-reads.ts'
import type { BurstEvidence, BurstExchange } from './burst-import.ts'
import { isAccepted } from '../../judge/answers.ts'

/** What makes a state final, by the state. */
const FINAL = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
} as const

type Final = keyof typeof FINAL

const FINAL_STATES = Object.keys(FINAL) as readonly Final[]

/** Orders that were seen to be final: whoever reads them later, masked or in clear, sees the same. */
export function finalStatements({ scripts }: BurstEvidence): Statement[] {
  const histories = scripts.flatMap(({ exchanges }) => [
    ...Map.groupBy(exchanges.filter(isSight), ({ reference }) => reference).values(),
  ])
  return FINAL_STATES.flatMap((state) => statementOf(state, histories))
}

/** What shows the state of one order, bought by itself. */
function isSight(exchange: BurstExchange): boolean {
  const { kind, reference, state } = exchange
  const isOfOne = reference !== undefined && state !== undefined && !state.includes(',')
  return kind !== 'warm' && isAccepted(exchange) && isOfOne
}

function statementOf(state: Final, histories: readonly (readonly BurstExchange[])[]): Statement[] {
  const later = histories.flatMap((sights) => laterSights(state, sights))
  if (later.length === 0) return []
  const moved = later.filter((each) => each.state !== state)
  const [first] = moved
  if (first === undefined)
    return [
      say(FINAL[state], 'pass', 'all orders', `still ${state} in ${later.length} later reads`),
    ]
  const observed = `${moved.length} of ${later.length} reads of orders that had been ${state} showed another state, the first ${first.state}`
  return [say(FINAL[state], 'fail', `order ${(first.reference ?? 0) + 1}`, observed)]
}

/** Sent when an answer had come that showed the order in this state. */
function laterSights(state: Final, sights: readonly BurstExchange[]): BurstExchange[] {
  const seen = sights.filter((each) => each.state === state)
  const seenMs = Math.min(...seen.map(({ receivedMs }) => receivedMs))
  return sights.filter(({ sentMs }) => sentMs >= seenMs)
}
