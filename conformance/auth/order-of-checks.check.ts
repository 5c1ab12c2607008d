import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import {
  check,
  isOffered,
  isRefusedForGood,
  needSuccess,
  showAnswer,
  showRequest,
  untested,
} from '../engine/kit.ts'
import { betweenRefusals, RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { BUYS_VOUCHERS, findsNothing } from '../steps/orders.ts'
import {
  expectReferenceFree,
  OTHER_KINDS,
  ordersOfKinds,
  ruleOfReference,
  VOUCHERS,
  type Kind,
} from '../steps/kinds.ts'
import { LISTING_OF_FULL, SERVICES_OF_FULL } from '../steps/rate-limits/counters.ts'

/** Two violations at once are answered by the earlier condition's answer: what the role gets alone, and not 429. */
function beforeTheWindow(
  role: Role,
  requirement: RequirementId,
  capabilities: readonly 'allowlist'[] = [],
): ReturnType<typeof check> {
  return check({
    id: `auth.order-${role}-before-window`,
    title: `the ${role} key is refused as such while the window of its account is spent`,
    requirements: [requirement],
    needs: {
      capabilities,
      roles: ['full', role],
      windows: [LISTING_OF_FULL],
    },
    run: async (context) => {
      const { api, expect } = context
      const alone = await api.as(role).getOrders({}, RETURN_429_UNPACED)
      needRefused(alone, role)
      // The listing window of the account is spent, so that the rate limit is violated together with the earlier condition.
      const { before, probes, after } = await betweenRefusals(context, {
        bucket: 'orders.list',
        spend: () => api.as('full').getOrders({}, RETURN_429_UNPACED),
        probes: [() => api.as(role).getOrders({}, RETURN_429_UNPACED)],
      })
      for (const both of probes)
        expect(requirement).that(`${showRequest(both)} is answered by the earlier condition`, {
          holds: both.response?.status === alone.response?.status,
          expected: `HTTP ${alone.response?.status ?? 'none'}, as without the spent window`,
          observed: showAnswer(both),
          exchanges: [alone, before, both, after],
        })
    },
  })
}

export const revokedBeforeWindow = beforeTheWindow('revoked', 'SEQ-03')
export const expiredBeforeWindow = beforeTheWindow('expired', 'SEQ-09')
export const scopeBeforeWindow = beforeTheWindow('browser', 'SEQ-05')
export const allowlistBeforeWindow = beforeTheWindow('blocked', 'SEQ-06', ['allowlist'])

/** Keys that the catalog refuses for themselves, by the requirement that puts this before the window. */
const REFUSED_BY_CATALOG = [
  ['revoked', 'SEQ-03'],
  ['expired', 'SEQ-09'],
  ['poller', 'SEQ-05'],
  ['blocked', 'SEQ-06'],
] as const satisfies readonly (readonly [Role, RequirementId])[]

export const beforeServicesWindow = check({
  id: 'auth.order-services-window',
  title: 'keys that are refused for themselves are so while the window of the catalog is spent',
  requirements: REFUSED_BY_CATALOG.map(([, requirement]) => requirement),
  needs: {
    capabilities: ['catalog'],
    roles: ['full'],
    rolesIfKnown: REFUSED_BY_CATALOG.map(([role]) => role),
    windows: [SERVICES_OF_FULL],
  },
  run: async (context) => {
    const { api, expect, keys, leaveUndecided } = context
    const known = REFUSED_BY_CATALOG.filter(([role]) => keys.has(role))
    for (const [role, requirement] of REFUSED_BY_CATALOG)
      if (!keys.has(role)) leaveUndecided(requirement, `no credential for role "${role}"`)
    const alone: Exchange[] = []
    // The window may be spent already: what it refuses is sent again, when it is whole.
    for (const [role] of known) alone.push(await api.as(role).listServices({ limit: 1 }))
    const { before, probes, after } = await betweenRefusals(context, {
      bucket: 'default',
      operation: 'listServices',
      spend: () => api.as('full').listServices({ limit: 1 }, RETURN_429_UNPACED),
      probes: known.map(
        ([role]) =>
          () =>
            api.as(role).listServices({ limit: 1 }, RETURN_429_UNPACED),
      ),
    })
    for (const [index, [role, requirement]] of known.entries()) {
      const [first, both] = [alone[index], probes[index]]
      if (!first || !both) continue
      if (!isRefusedForGood(first)) {
        leaveUndecided(requirement, `the ${role} key alone is not refused: ${showAnswer(first)}`)
        continue
      }
      expect(requirement).that(`${showRequest(both)} is answered by the earlier condition`, {
        holds: both.response?.status === first.response?.status,
        expected: `HTTP ${first.response?.status ?? 'none'}, as without the spent window`,
        observed: showAnswer(both),
        exchanges: [first, before, both, after],
      })
    }
  },
})

/** What another check names: a dead key that is not refused has no refusal to compare with. */
function needRefused(alone: Exchange, role: string): void {
  const status = alone.response?.status ?? 0
  if (status === 429 || status < 400)
    untested(`the ${role} key alone is not refused: ${showAnswer(alone)}`)
}

/** Purchases, and keys that may not make them. */
const FORBIDDEN: readonly (readonly [Kind, Role])[] = [
  [VOUCHERS, 'poller'],
  [VOUCHERS, 'browser'],
  [VOUCHERS, 'blocked'],
  [OTHER_KINDS.topUp, 'browser'],
  [OTHER_KINDS.esim, 'poller'],
  [OTHER_KINDS.checkout, 'browser'],
]

export const refusedPurchaseLeavesNothing = check({
  id: 'auth.refused-purchase-leaves-nothing',
  title: 'a purchase that a 403 refuses creates no order, and takes no reference',
  requirements: ['CART-01', 'ORD-01', 'SEQ-07'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full', 'poller', 'browser'],
    rolesIfKnown: ['blocked'],
    purchases: 1 + 2 * ordersOfKinds(FORBIDDEN.map(([kind]) => kind)),
  },
  run: async (context) => {
    const { api, reference, target } = context
    needSuccess(await api.as('full').createOrder({ product: 'voucher', referenceId: reference() }))
    const sentAgain = new Set<RequirementId>()
    for (const [kind, role] of FORBIDDEN) {
      if (!isOffered(target, { ...kind.needs, roles: ['full', role] })) continue
      if (await judgeForbidden(context, kind, role)) sentAgain.add(ruleOfReference(kind))
    }
    for (const requirement of ['CART-01', 'ORD-01'] as const)
      if (!sentAgain.has(requirement))
        context.leaveUndecided(requirement, 'no such purchase got 403', 'inapplicable')
  },
})

/** Refused to one key of the account, and then sent by one that may. Whether it was. */
async function judgeForbidden(context: CheckContext, kind: Kind, role: Role): Promise<boolean> {
  const { api, expect, reference } = context
  const referenceId = reference()
  const refused = await (await kind.begin(context, role, referenceId))()
  // Where the key that tried can read orders, one of its own is seen.
  const found = await api.as(role === 'poller' ? role : 'full').getOrders({ referenceId })
  const isForbidden = refused.response?.status === 403
  // Whether the allowlist of a target file blocks us is judged elsewhere.
  if (!isForbidden && role === 'blocked') return false
  expect('SEQ-07').that(`${kind.what} that was refused to a ${role} key left no order`, {
    holds: isForbidden && findsNothing(found),
    expected: 'HTTP 403, and its referenceId finds nothing',
    observed: `${showAnswer(refused)}; then ${showAnswer(found)}`,
    exchanges: isForbidden ? [refused, found] : [refused],
  })
  if (!isForbidden) return false
  const send = await kind.begin(context, 'full', referenceId)
  const how = `that was refused to a ${role} key, sent by a good one`
  await expectReferenceFree(context, { kind, send, refused }, how)
  return true
}
