import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import type { Api, Exchange } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  untested,
} from '../engine/kit.ts'
import { SCOPES } from '../steps/limits/endpoints.ts'
import { areWithin, RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'

const BUCKET = 'orders.list'

/** More than two windows of the listing admit by default. */
const WANTED = { count: 5, windowSeconds: 20 } as const

/** Less time than a window holds one edge at most: two budgets pass then, and no more. */
export const listingAsReported = check({
  id: 'limits.report-of-account',
  title: 'an account with a listing rule of its own is not reported a smaller one',
  requirements: ['LIMIT-01'],
  needs: {
    capabilities: ['rate-limits'],
    roles: ['full'],
    selectors: [`rateLimits.${BUCKET}.count`, `rateLimits.${BUCKET}.windowSeconds`],
    ofKeysOfFile: onlyWithControlSide('accounts with limits of their own'),
  },
  run: async (context) => {
    const { target, expect } = context
    const limits = { [BUCKET]: WANTED }
    const [api] = (await makerOf(context)({ keys: [{ scopes: SCOPES }], limits })) as [Api]
    const report = needSuccess(await api.rateLimits(RETURN_429_UNPACED))
    const reported = reportedLimit(target, report, BUCKET)
    if (!reported) untested(`GET /rate-limits reports nothing usable for ${BUCKET}`)
    const reads: Exchange[] = []
    while (reads.length < WANTED.count) reads.push(await api.getOrders({}, RETURN_429_UNPACED))
    const passed = reads.filter(isAccepted)
    if (passed.length === 0) needSuccess(reads[0] ?? report)
    const isBrief = areWithin(passed, reported.windowSeconds * 1000)
    expect('LIMIT-01').that('the listing of an account with a rule of its own', {
      holds: !isBrief || passed.length <= 2 * reported.count,
      expected: `no more reads than the report gives: ${reported.count} in ${reported.windowSeconds} s`,
      observed: `${passed.length} of ${reads.length} reads in a row passed`,
      exchanges: [report, ...reads.slice(-2)],
    })
  },
})
