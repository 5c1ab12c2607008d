import type { Statement } from '../shared/statements.ts'
import { LOST_CARTS_SCRIPT, LOST_SCRIPT } from './replay-lost-script.ts'
import type { BurstExchange } from './burst-import.ts'
import { isNamed } from './burst-proof.ts'

const REQUIREMENTS = { [LOST_SCRIPT]: 'IDEM-13', [LOST_CARTS_SCRIPT]: 'CART-04' } as const

export type LostScript = keyof typeof REQUIREMENTS

/** Fewer lost answers say nothing: what is to be found needs the client to be gone in time. */
const LOST_MIN = 3

/** A purchase whose answer was lost is made once, whoever asks for it again: its replays name that, and its reference finds that. */
export function lostStatements(
  script: LostScript,
  exchanges: readonly BurstExchange[],
): Statement[] {
  const lost = [...Map.groupBy(exchanges, ({ reference = -1 }) => reference).values()].filter(
    (each) => each.some(({ phase, status }) => phase === 'leave' && status === 0),
  )
  const settled = lost.filter((each) => idsOf(each).size > 0 && countOf(each) !== undefined)
  const wrong = settled.filter((each) => idsOf(each).size > 1 || countOf(each) !== ordersOf(each))
  const [first] = wrong
  if (first !== undefined)
    return [
      say(
        script,
        'fail',
        `${wrong.length} of ${settled.length} purchases whose answer was lost are not one purchase; replays of the first name ${idsOf(first).size}, its reference finds ${countOf(first)} orders of ${ordersOf(first)}`,
      ),
    ]
  return settled.length < LOST_MIN
    ? []
    : [say(script, 'pass', `${settled.length} purchases whose answer was lost were made once each`)]
}

/** Orders of one purchase. */
function ordersOf(exchanges: readonly BurstExchange[]): number {
  const bought = exchanges.find((each) => each.kind === 'buy' && isNamed(each))
  return bought?.orders ?? 1
}

/** What the replays name: an order, or those of a checkout. */
function idsOf(exchanges: readonly BurstExchange[]): ReadonlySet<string | undefined> {
  const replays = exchanges.filter((each) => each.kind === 'buy' && isNamed(each))
  return new Set(replays.map(({ orderId }) => orderId))
}

/** Orders that the reference finds; undefined where the read was not answered. */
function countOf(exchanges: readonly BurstExchange[]): number | undefined {
  return exchanges.find(({ phase, status }) => phase === 'count' && status === 200)?.items
}

function say(script: LostScript, verdict: Statement['verdict'], observed: string): Statement {
  return { requirement: REQUIREMENTS[script], verdict, observed: `${script}: ${observed}` }
}
