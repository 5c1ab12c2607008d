import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import type { Credential } from '../../target-file/target.ts'
import { LISTING_CALL, listingCall } from './endpoint-calls.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { APART_MS, buy, MEET_MS, range, RETRY_ROUNDS } from './unhide-steps.ts'
import type { ScriptDraft, BurstContext } from './burst-plan.ts'

/** The script that reads one order masked by each of its names, more often than the budget of masked reads allows. */
export const MASKED_SCRIPT = 'masked names'

/** Short enough to be waited for. */
export const MASKED_LIMIT = { count: 6, windowSeconds: 3 } as const
/** In turns, so that what is counted apart passes as often again: both names together make one half of the reads. */
const NAMES = ['masked-by-order', 'masked-by-both', 'masked', 'masked-by-both'] as const
/** The second falls into another window; one whose edge lay in the first has begun before it by then, wherever it began. */
const ROUNDS = 2
const ROUND_WINDOWS = 1.3
/** An order of several vouchers, which is read masked and in clear afterwards: each of them is to be seen. */
const SEVERAL = 1
export const SEVERAL_UNITS = 2
/** By all of its names. */
const IN_CLEAR: readonly PlannedRead[] = [
  { key: 0, reference: SEVERAL, kind: 'by-order' },
  { key: 0, reference: SEVERAL, kind: 'by-reference' },
  { key: 0, reference: SEVERAL, kind: 'child', child: 0 },
]
const COMPLETED_LIMIT = { count: IN_CLEAR.length, windowSeconds: 600 } as const
/** One listing spends it. */
const LISTING_LIMIT = { count: 1, windowSeconds: 600 } as const

/** One order on an account of its own; none where accounts are not made to order: there all scripts spend one budget of masked reads. */
export function maskedScripts({ accounts, target }: BurstContext): ScriptDraft[] {
  if (!accounts.make) return []
  const { count, windowSeconds } = MASKED_LIMIT
  const reads = range(2 * count + NAMES.length, 0).map((index): PlannedRead => {
    return { key: 0, reference: 0, kind: NAMES[index % NAMES.length] ?? 'masked' }
  })
  const restMs = ROUND_WINDOWS * 1000 * windowSeconds + 2 * slackFor(target.timing, windowSeconds)
  return [
    {
      name: MASKED_SCRIPT,
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: reads.length },
        { do: 'meet', atMs: MEET_MS },
        buy([
          { reference: 0, product: 0 },
          { reference: SEVERAL, product: 0, units: SEVERAL_UNITS },
        ]),
        { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
        ...range(ROUNDS, 0).flatMap((round): PlannedStep[] => [
          { do: 'rest', ms: round > 0 ? restMs : APART_MS },
          { do: 'read', phase: 'count', reads },
        ]),
        { do: 'rest', ms: restMs },
        // A spent listing refuses neither.
        ...(listingCall(target) ? [{ do: 'call', call: LISTING_CALL, keys: [0, 0] } as const] : []),
        {
          do: 'read',
          phase: 'read-contended',
          reads: [{ key: 0, reference: SEVERAL, kind: 'masked' }],
        },
        { do: 'read', phase: 'attempt', reads: IN_CLEAR },
        // Nor does a spent unhide budget refuse masked reads.
        { do: 'read', phase: 'beyond', reads: IN_CLEAR.slice(0, 1) },
        { do: 'read', phase: 'finish', reads: [{ key: 0, reference: SEVERAL, kind: 'masked' }] },
      ],
    },
  ]
}

/** A key of an account whose budget of masked reads is small. */
export async function leaseMasked({
  accounts,
}: Pick<BurstContext, 'accounts'>): Promise<readonly Credential[]> {
  const limits = {
    'orders.filtered': MASKED_LIMIT,
    'orders.list': LISTING_LIMIT,
    'orders.unhide.completed': COMPLETED_LIMIT,
  }
  const spec = { keys: [{ scopes: BUYER_SCOPES }], limits }
  return (await accounts.make?.(spec)) ?? []
}
