import { isSameLimit } from '../../harness/quota/effective-limits.ts'
import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, isAccepted, isThrottled } from '../engine/kit.ts'
import { callersFrom, FIRST_OF_NETWORKS } from '../steps/allowlist-callers.ts'
import { judgeEach } from '../steps/judge-each.ts'
import { lookupsOf } from '../steps/lookup.ts'
import { buy, BUYS_VOUCHERS } from '../steps/orders.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import {
  ATTEMPTS_MAX,
  betweenRefusals,
  RETURN_429_UNPACED,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'
import {
  AS_ANOTHER_CLIENT,
  FILTERED_OF_FULL,
  LISTING_OF_FULL,
  SERVICES_OF_FULL,
} from '../steps/rate-limits/counters.ts'

/** The three counters of the base interface, as a role spends them. */
function spendersOf(
  { api, reference }: CheckContext,
  role: 'full' | 'sibling' | 'stranger',
  client: CallOptions = {},
): Record<'list' | 'filtered' | 'services', Send> {
  const caller = api.as(role)
  const referenceId = reference()
  const options = { ...RETURN_429_UNPACED, ...client }
  return {
    list: () => caller.getOrders({}, options),
    filtered: () => caller.getOrders({ referenceId }, options),
    services: () => caller.listServices({ limit: 1 }, options),
  }
}

/** Every counter that can be spent: a window that does not count what finds nothing leaves the others to decide. */
const SUBJECTS = [
  ['list', 'orders.list'],
  ['filtered', 'orders.filtered'],
  ['services', 'default'],
] as const

/** One look at it in each attempt. */
const LOOKED_AT = { units: ATTEMPTS_MAX } as const

export const sharedByKeys = check({
  id: 'limits.shared-by-keys',
  title:
    'what one key of an account spends is gone for the other, for any client and from anywhere',
  requirements: ['RATE-10'],
  needs: {
    capabilities: ['catalog'],
    roles: ['full', 'sibling'],
    windows: [LISTING_OF_FULL, FILTERED_OF_FULL, SERVICES_OF_FULL],
  },
  run: async (context) => {
    const own = spendersOf(context, 'full')
    const other = spendersOf(context, 'sibling')
    // One address: so many probes as a small window admits would look like an edge.
    const elsewhere = (await callersFrom(context, [FIRST_OF_NETWORKS])) ?? []
    const others = [
      other,
      spendersOf(context, 'full', AS_ANOTHER_CLIENT),
      ...elsewhere.map(({ options }) => spendersOf(context, 'full', options)),
    ]
    await judgeEach(context, 'RATE-10', SUBJECTS, async ([name, bucket]) => {
      const looked = await betweenRefusals(context, {
        bucket,
        spend: own[name],
        probes: others.map((each) => each[name]),
        sharing: true,
        operation: 'listServices',
      })
      const isShared = looked.probes.every(isThrottled)
      context.observe(
        'OPEN-43',
        `the window of ${bucket} counts ${isShared ? 'all keys of an account' : 'each key'}`,
        [looked.before, ...looked.probes],
      )
      expectCounter(context, 'RATE-10', looked, 'shared')
    })
  },
})

export const separateAccounts = check({
  id: 'limits.separate-accounts',
  title: 'spending the windows of one account leaves those of another whole',
  requirements: ['RATE-09'],
  needs: {
    capabilities: ['catalog'],
    roles: ['full', 'stranger'],
    windows: [
      LISTING_OF_FULL,
      FILTERED_OF_FULL,
      SERVICES_OF_FULL,
      { ...LISTING_OF_FULL, role: 'stranger', ...LOOKED_AT },
      { ...FILTERED_OF_FULL, role: 'stranger', ...LOOKED_AT },
      { ...SERVICES_OF_FULL, role: 'stranger', ...LOOKED_AT },
    ],
  },
  movedByOthers: { requirements: ['RATE-09'] },
  run: async (context) => {
    const own = spendersOf(context, 'full')
    const other = spendersOf(context, 'stranger')
    await judgeEach(context, 'RATE-09', SUBJECTS, async ([name, bucket]) =>
      expectCounter(
        context,
        'RATE-09',
        await betweenRefusals(context, {
          bucket,
          spend: own[name],
          probes: [other[name]],
          operation: 'listServices',
        }),
        'separate',
      ),
    )
  },
})

export const separateEndpoints = check({
  id: 'limits.separate-endpoints',
  title: 'spending the window of one endpoint leaves that of another whole',
  requirements: ['RATE-11'],
  needs: {
    capabilities: ['catalog'],
    roles: ['full'],
    windows: [SERVICES_OF_FULL, { ...FILTERED_OF_FULL, ...LOOKED_AT }],
  },
  movedByOthers: { requirements: ['RATE-11'] },
  run: async (context) => {
    const { services, filtered } = spendersOf(context, 'full')
    const full = context.api.as('full')
    const probes = [
      filtered,
      () => full.rateLimits(RETURN_429_UNPACED),
      () => full.whoami(RETURN_429_UNPACED),
      ...lookupsOf(context, 'voucher').map(
        ({ operation }) =>
          () =>
            full.aboutProduct(operation, 'voucher', {}, RETURN_429_UNPACED),
      ),
    ]
    expectCounter(
      context,
      'RATE-11',
      await betweenRefusals(context, {
        bucket: 'default',
        spend: services,
        probes,
        operation: 'listServices',
      }),
      'separate',
    )
  },
})

export const listingApartFromFiltered = check({
  id: 'limits.listing-apart-from-filtered',
  title:
    'listing and masked polling are counted apart, both ways; a listing with unhide=false is one',
  requirements: ['RATE-02', 'RATE-15'],
  needs: {
    roles: ['full'],
    windows: [LISTING_OF_FULL, { ...FILTERED_OF_FULL, ...LOOKED_AT }],
  },
  movedByOthers: { requirements: ['RATE-15'] },
  run: async (context) => {
    if (isSameLimit(context.limit('orders.list'), context.limit('default')))
      inapplicable(
        'the listing has the global default, whose window may be that of all GET /orders',
      )
    const { list, filtered } = spendersOf(context, 'full')
    expectCounter(
      context,
      'RATE-15',
      await betweenRefusals(context, { bucket: 'orders.list', spend: list, probes: [filtered] }),
      'separate',
    )
    await expectListing(context, list)
  },
})

/** Without a filter, unhide=false asks for nothing else than its absence: what is answered counts as a listing. */
async function expectListing(context: CheckContext, spend: Send): Promise<void> {
  const full = context.api.as('full')
  const { before, probes, after } = await betweenRefusals(context, {
    bucket: 'orders.list',
    spend,
    probes: [() => full.getOrders({ unhide: false }, RETURN_429_UNPACED)],
    sharing: true,
  })
  for (const probe of probes)
    context.expect('RATE-02').that('a listing with unhide=false while the listing is spent', {
      // One that is refused for its parameter says nothing of windows.
      holds: !isAccepted(probe),
      expected: 'HTTP 429: the window of the listing admits no more than its budget',
      exchanges: [before, after, probe],
    })
}

export const filteredAliases = check({
  id: 'limits.filtered-aliases',
  title: 'masked reads share one counter, whichever order they ask for and however',
  requirements: ['RATE-16', 'RATE-17'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 2,
    windows: [FILTERED_OF_FULL],
  },
  run: async (context) => {
    // Real orders: whether a read that finds nothing is counted is not shown.
    const { referenceId } = await buy(context)
    const other = await buy(context)
    const full = context.api.as('full')
    const spend = (): Promise<Exchange> => full.getOrders({ referenceId }, RETURN_429_UNPACED)
    const probes = [
      () => full.getOrders({ orderId: other.orderId }, RETURN_429_UNPACED),
      () => full.getOrders({ referenceId: other.referenceId }, RETURN_429_UNPACED),
      () =>
        full.getOrders(
          { orderId: other.orderId, referenceId: other.referenceId },
          RETURN_429_UNPACED,
        ),
    ]
    const sharing = { sharing: true } as const
    const aliases = await betweenRefusals(context, {
      bucket: 'orders.filtered',
      spend,
      probes,
      ...sharing,
    })
    expectCounter(context, 'RATE-16', aliases, 'shared')
    const unhideFalse = await betweenRefusals(context, {
      bucket: 'orders.filtered',
      spend,
      probes: [() => full.getOrders({ referenceId, unhide: false }, RETURN_429_UNPACED)],
      ...sharing,
    })
    expectCounter(context, 'RATE-17', unhideFalse, 'shared')
  },
})
