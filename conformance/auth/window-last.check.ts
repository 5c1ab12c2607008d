import type { KeySpec } from '../../harness/accounts/accounts.ts'
import { POSITIONS } from '../steps/cart.ts'
import type { Api, CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  offeredOf,
  isRefusedForGood,
  isThrottled,
  makerOf,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { few, SCOPES, sendingAs, untilRefused, type SendAs } from '../steps/limits/endpoints.ts'
import { WINDOWS, type Form } from '../steps/requests.ts'
import { unrefused, type Send } from '../steps/rate-limits/between-refusals.ts'

/** An address that nobody calls from (RFC 5737). */
const ELSEWHERE = '192.0.2.1'

/** A window edge may fall between two requests. */
const TRIES_MAX = 3

/** A key that is refused for itself, by the requirement that puts this before the window. */
type Outsider = { readonly who: string; readonly key: KeySpec; readonly requirement: RequirementId }

const OUTSIDERS: readonly Outsider[] = [
  { who: 'revoked', key: { scopes: SCOPES, status: 'revoked' }, requirement: 'SEQ-03' },
  { who: 'expired', key: { scopes: SCOPES, status: 'expired' }, requirement: 'SEQ-09' },
  { who: 'without a scope', key: { scopes: [] }, requirement: 'SEQ-05' },
  {
    who: 'outside its allowlist',
    key: { scopes: SCOPES, allowlist: [ELSEWHERE] },
    requirement: 'SEQ-06',
  },
]

type Attempt = { readonly outsider: Outsider; readonly send: Send; readonly alone: Exchange }

/** Whoever is refused by itself, other than by a window. */
async function refusedAlone(
  context: CheckContext,
  sendAs: SendAs,
  apis: readonly Api[],
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = []
  for (const [index, outsider] of OUTSIDERS.entries()) {
    if (!isJudged(context, outsider)) continue
    const send = (): Promise<Exchange> => sendAs(apis[index] as Api)
    const alone = await send()
    if (isRefusedForGood(alone)) attempts.push({ outsider, send, alone })
  }
  return attempts
}

function isJudged({ target }: CheckContext, { key }: Outsider): boolean {
  return key.allowlist === undefined || target.capabilities.includes('allowlist')
}

/** Spends the counter, sends the attempts, and makes sure that it is spent still. */
async function whileSpent(
  own: Send,
  attempts: readonly Attempt[],
  sent: Exchange[],
): Promise<readonly Exchange[] | undefined> {
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    sent.push(...(await untilRefused(own)))
    if (!sent.some(isThrottled)) return undefined
    const both: Exchange[] = []
    for (const { send } of attempts) both.push(await send())
    if (isThrottled(await own())) return both
  }
  return undefined
}

/** Requirements that the endpoint decided: none where it could not be spent. */
async function judge(
  context: CheckContext,
  endpoint: Form,
  { apis, inVain }: { readonly apis: readonly Api[]; readonly inVain: Exchange[][] },
): Promise<readonly RequirementId[]> {
  const [full, ...others] = apis as [Api, ...Api[]]
  const { send: sendAs } = (await sendingAs(context, endpoint)) ?? {}
  const own = sendAs && (() => sendAs(full))
  if (!own || !isServed(await own())) return []
  const attempts = await refusedAlone(context, sendAs, others)
  const sent: Exchange[] = []
  inVain.push(sent)
  const both = await whileSpent(own, attempts, sent)
  for (const [index, { outsider, alone }] of attempts.entries()) {
    const exchange = both?.[index]
    if (!exchange) continue
    const wanted = alone.response?.status ?? 'none'
    context
      .expect(outsider.requirement)
      .that(`${endpoint.name} with a key ${outsider.who}, while the window is spent`, {
        holds: exchange.response?.status === wanted,
        expected: `HTTP ${wanted}, as without the spent window`,
        exchanges: [alone, exchange],
      })
  }
  return both ? attempts.map(({ outsider }) => outsider.requirement) : []
}

/** A read that finds nothing is answered as well, with an empty list or a 404. */
function isServed(exchange: Exchange): boolean {
  return isAccepted(exchange) || exchange.response?.status === 404
}

export const windowLast = check({
  id: 'auth.order-window-last',
  title: 'at every endpoint a key that is refused for itself is so while the window is spent',
  requirements: ['SEQ-03', 'SEQ-05', 'SEQ-06', 'SEQ-09'],
  needs: {
    roles: ['full'],
    purchases: 2 * (1 + POSITIONS),
    ofKeysOfFile: onlyWithControlSide('accounts with limits of their own'),
  },
  run: async (context) => {
    const { limit, target } = context
    const makeAccount = makerOf(context)
    const apis = await makeAccount({
      keys: [{ scopes: SCOPES }, ...OUTSIDERS.map(({ key }) => key)],
      limits: {
        default: few(limit('default')),
        'orders.check': few(limit('orders.check')),
        'orders.filtered': few(limit('orders.filtered')),
      },
    })
    const judged = new Set<RequirementId>()
    const inVain: Exchange[][] = []
    for (const endpoint of offeredOf(target, WINDOWS))
      for (const requirement of await judge(context, endpoint, { apis, inVain }))
        judged.add(requirement)
    if (judged.size === 0)
      unrefused(
        inVain,
        few(limit('default')).windowSeconds,
        'no endpoint refuses what exceeds the limit of its account',
      )
    for (const outsider of OUTSIDERS)
      if (isJudged(context, outsider) && !judged.has(outsider.requirement))
        context.leaveUndecided(
          outsider.requirement,
          `no endpoint refuses a key ${outsider.who} before its window is spent`,
        )
  },
})
