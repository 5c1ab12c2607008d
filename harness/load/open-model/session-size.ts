/** How many requests a session sends, before any was sent: by it rates of requests become rates of sessions. */
import { PAGE_LIMIT, PAGES_MAX } from './browse-plan.ts'
import { costOf, type MixedPart } from './plan.ts'
import type { Spend } from './quotas.ts'

/** Pages that a client turns where so many services are listed; the most that it turns where that is not known. */
export function pagesTurned(servicesListed: number | undefined): number {
  return servicesListed === undefined || !(servicesListed > 0)
    ? PAGES_MAX
    : Math.min(PAGES_MAX, Math.ceil(servicesListed / PAGE_LIMIT))
}

export function isListing({ quota }: Spend): boolean {
  return quota.endpoint === 'listServices'
}

/** Requests of one session on average. How often buyers look until their order is final is an estimate. */
export function requestsPerSession(parts: readonly MixedPart[], pages: number): number {
  const { spends, requestsUsual } = costOf(parts)
  const listed = spends.filter(isListing).reduce((sum, spend) => sum + spend.requests, 0)
  return requestsUsual - listed + (listed * pages) / PAGES_MAX
}
