import { isMasked, type RequestKind } from '../../../load/protocol/bursts.ts'
import { judgeLimiter, type LimiterVerdict, type QuotaRequest } from '../../judge/limiter.ts'
import type { Statement } from '../shared/statements.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { MASKED_SCRIPT, MASKED_LIMIT } from './unhide-masked-script.ts'
import { say, show } from './unhide-reads.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext } from './burst-plan.ts'

/** Masked reads of one order by orderId, by referenceId and by both spend one budget; a spent listing refuses no other read. */
export function maskedStatements(
  exchanges: readonly BurstExchange[],
  context: Pick<BurstContext, 'target'>,
): Statement[] {
  return [
    ...nameStatements(exchanges, context),
    ...listingStatements(exchanges),
    ...clearStatements(exchanges),
  ]
}

/** Beside a listing that was refused right before. */
function listingStatements(exchanges: readonly BurstExchange[]): Statement[] {
  const listings = exchanges.filter(({ kind }) => kind === 'call')
  if (listings.at(-1)?.status !== 429) return []
  return exchanges
    .filter(({ phase }) => phase === 'read-contended' || phase === 'attempt')
    .filter(({ status }) => status === 200 || status === 429)
    .map(({ kind, status }) => {
      const requirement = isMasked(kind) ? 'RATE-15' : 'UNHIDE-23'
      const observed = `a read ${kind} was answered by HTTP ${status} while the listing was refused`
      return say(requirement, status === 200 ? 'pass' : 'fail', MASKED_SCRIPT, observed)
    })
}

/** Beside a read in clear that was refused right before. */
function clearStatements(exchanges: readonly BurstExchange[]): Statement[] {
  const clear = exchanges.find(({ phase }) => phase === 'beyond')
  const masked = exchanges.find(({ phase }) => phase === 'finish')
  if (clear?.status !== 429 || (masked?.status !== 200 && masked?.status !== 429)) return []
  const observed = `a masked read was answered by HTTP ${masked.status} while one in clear was refused`
  return [say('UNHIDE-23', masked.status === 200 ? 'pass' : 'fail', MASKED_SCRIPT, observed)]
}

function nameStatements(
  exchanges: readonly BurstExchange[],
  { target }: Pick<BurstContext, 'target'>,
): Statement[] {
  const reads = exchanges.filter(({ kind, phase }) => isMasked(kind) && phase === 'count')
  const slackMs = slackFor(target.timing, MASKED_LIMIT.windowSeconds)
  const verdict = verdictOf(reads, slackMs)
  const passed = reads.filter(({ status }) => status === 200).length
  const refused = reads.filter(({ status }) => status === 429).length
  const observed = `${passed} masked reads of one order by all of its names passed, ${refused} were refused; the budget is ${show(MASKED_LIMIT)}`
  if (verdict.explained)
    return refused > 0 && passed > MASKED_LIMIT.count
      ? [say('RATE-16', 'pass', MASKED_SCRIPT, observed)]
      : []
  if (refused > 0 && isApart(reads, slackMs)) {
    const how = `${observed}, as many by both names together as by either`
    return [say('RATE-16', 'fail', MASKED_SCRIPT, how)]
  }
  const isTooMany = verdict.admittedOverBudget.length > 0
  return [say(isTooMany ? 'RATE-02' : 'RATE-01', 'fail', MASKED_SCRIPT, observed)]
}

/** Whether the reads by both names, and those by one, each look like the whole of a quota. */
function isApart(reads: readonly BurstExchange[], slackMs: number): boolean {
  const byBoth: RequestKind = 'masked-by-both'
  return [true, false].every((isBoth) => {
    const part = reads.filter(({ kind }) => (kind === byBoth) === isBoth)
    return part.some(({ status }) => status === 429) && verdictOf(part, slackMs).explained
  })
}

/** Nobody else has the account, so its windows are seen from their first request. */
function verdictOf(reads: readonly BurstExchange[], slackMs: number): LimiterVerdict {
  const requests = reads.map(({ status, sentMs, receivedMs, retryAfter }): QuotaRequest => {
    const outcome = status === 429 ? 'refused' : status === 200 ? 'admitted' : 'other'
    return { sentMs, receivedMs, outcome, retryAfter }
  })
  return judgeLimiter({ requests, limit: MASKED_LIMIT, slackMs, history: 'complete' })
}
