import type { Lacks } from '../load/shared/lacks.ts'
import type { WindowLimit } from '../../contract/limits.ts'
import { type EffectiveLimits, limitOf } from '../quota/effective-limits.ts'
import { costOf, type clientPlansOf } from '../load/open-model/plan.ts'
import { PAGES_MAX } from '../load/open-model/browse-plan.ts'
import { isListing, requestsPerSession } from '../load/open-model/session-size.ts'
import { HarnessError } from '../errors.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import { setAsideFor } from '../load/shared/budget.ts'
import type { ScenarioCost } from './plan.ts'

export type Parts = Exclude<ReturnType<typeof clientPlansOf>, Lacks>

/** What one session of a mix costs on average, where a client that browses turns so many pages; a turn has so many sessions. */
export function scenarioCost(
  { parts, turnSessions }: { readonly parts: Parts; readonly turnSessions: number },
  pages: number,
  limits: EffectiveLimits,
  accounts: number | undefined,
): ScenarioCost {
  return {
    requestsPerSession: requestsPerSession(parts, pages),
    spends: costOf(parts).spends.map((spend) => ({
      quota: spend.quota.endpoint,
      requests: isListing(spend) ? (spend.requests * pages) / PAGES_MAX : spend.requests,
      ...windowOf(limitOf(limits, spend.quota.bucket, spend.quota.endpoint)),
    })),
    waitSeconds: averageOf(parts, ({ waitSecondsMax }) => waitSecondsMax),
    // Keys serve whole turns of the mix.
    ...(parts.some(({ part }) => part.ordersMax > 0) && { sessionsPerAccount: turnSessions }),
    ...(accounts !== undefined && { accounts }),
  }
}

/**
 * Requests that the permitted purchases leave room for, if every session buys as much as one may; undefined: not bounded. Throws
 * E_PERMISSION where nothing may be bought.
 */
export function requestsWithinPurchases(
  parts: Parts,
  permission: PurchasePermission | undefined,
): number | undefined {
  const ordersEach = averageOf(parts, ({ ordersMax }) => ordersMax)
  if (ordersEach === 0) return undefined
  if (!permission)
    throw new HarnessError(
      'E_PERMISSION',
      'the scenario buys, and purchases are not permitted on this target',
      'Say --allow-purchases --max-orders N --max-spend CUR:AMOUNT if you may, or choose --scenario browse.',
    )
  const { ordersMax = Infinity, spendMax } = permission
  const microsEach = averageOf(parts, ({ money }) =>
    money && money.currency !== spendMax?.currency
      ? Infinity
      : Number(money ? setAsideFor({ money }) : 0n),
  )
  const bySpend = spendMax ? Number(spendMax.micros) / microsEach : Infinity
  const sessionsMax = Math.min(ordersMax / ordersEach, bySpend)
  if (sessionsMax === Infinity) return undefined
  return Math.floor(sessionsMax * averageOf(parts, ({ requestsMin }) => requestsMin))
}

function averageOf(parts: Parts, of: (part: Parts[number]['part']) => number): number {
  return parts.reduce((sum, { part, share }) => sum + share * of(part), 0)
}

function windowOf({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count, windowSeconds }
}
