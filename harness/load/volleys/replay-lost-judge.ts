import type { Statement } from '../statements.ts'
import { LOST_LANE } from './replay-lost-lane.ts'
import type { VolleyExchange } from './volley-import.ts'
import { isAccepted } from './volley-proof.ts'

/** Fewer lost answers say nothing: what is to be found needs the client to be gone in time. */
const LOST_MIN = 3

/** A purchase whose answer was lost is one order, whoever asks for it again: its replays name that, and its reference finds that. */
export function lostStatements(exchanges: readonly VolleyExchange[]): Statement[] {
  const lost = [...Map.groupBy(exchanges, ({ reference = -1 }) => reference).values()].filter(
    (each) => each.some(({ phase, status }) => phase === 'leave' && status === 0),
  )
  const settled = lost.filter((each) => idsOf(each).size > 0 && countOf(each) !== undefined)
  const wrong = settled.filter((each) => idsOf(each).size > 1 || countOf(each) !== 1)
  const [first] = wrong
  if (first !== undefined)
    return [
      say(
        'fail',
        `${wrong.length} of ${settled.length} purchases whose answer was lost are not one order; replays of the first name ${idsOf(first).size}, its reference finds ${countOf(first)}`,
      ),
    ]
  return settled.length < LOST_MIN
    ? []
    : [say('pass', `${settled.length} purchases whose answer was lost are one order each`)]
}

/** Orders that the replays name. */
function idsOf(exchanges: readonly VolleyExchange[]): ReadonlySet<string | undefined> {
  const replays = exchanges.filter((each) => each.kind === 'buy' && isAccepted(each))
  return new Set(replays.map(({ orderId }) => orderId))
}

/** Orders that the reference finds; undefined where the read was not answered. */
function countOf(exchanges: readonly VolleyExchange[]): number | undefined {
  return exchanges.find(({ phase, status }) => phase === 'count' && status === 200)?.items
}

function say(verdict: Statement['verdict'], observed: string): Statement {
  return { requirement: 'IDEM-13', verdict, observed: `${LOST_LANE}: ${observed}` }
}
