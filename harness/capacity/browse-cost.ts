import { introduce, type PreflightOptions } from '../gate/preflight.ts'
import { costOf, type partsOf } from '../load/arrivals-plan.ts'
import type { Spend } from '../load/arrivals-quotas.ts'
import { PAGE_LIMIT, PAGES_MAX } from '../load/browse-part.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import { selectOne } from '../target/select.ts'
import type { ScenarioCost } from './plan.ts'

type Parts = Exclude<ReturnType<typeof partsOf>, { readonly lacks: string }>

/** Pages that a client turns on this target. One harmless request tells how many services there are; else the most that it may be. */
export async function pagesOf(options: PreflightOptions): Promise<number> {
  const api = await introduce(options)
  const { json } = await api.listServices({ limit: 1 }, { throttled: 'return' })
  const selector = options.target.operations.listServices.selectors['total']
  const total = selector === undefined ? undefined : selectOne(selector, json)
  if (typeof total !== 'number' || !(total > 0)) return PAGES_MAX
  return Math.min(PAGES_MAX, Math.ceil(total / PAGE_LIMIT))
}

/** What one session of a client that browses costs, with so many pages. */
export function browseCost(
  parts: Parts,
  pages: number,
  limits: EffectiveLimits,
  accounts: number | undefined,
): ScenarioCost {
  const spends = costOf(parts).spends.map((spend) => withPages(spend, pages))
  return {
    requestsPerSession: spends.reduce((sum, { requests }) => sum + requests, 0),
    spends: spends.map(({ quota: { bucket, endpoint }, requests }) => ({
      quota: endpoint,
      requests,
      count: limits[bucket].count,
      windowSeconds: limits[bucket].windowSeconds,
    })),
    ...(accounts !== undefined && { accounts }),
  }
}

function withPages({ quota, requests }: Spend, pages: number): Spend {
  return { quota, requests: quota.endpoint === 'listServices' ? pages : requests }
}
