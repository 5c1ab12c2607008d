import type { WindowLimit } from '../../../contract/limits.ts'
import type { Scope } from '../../../contract/wire.ts'
import type { AccountSpec } from '../../../harness/accounts/accounts.ts'
import { isThrottled, type Api, type CheckContext, type Exchange } from '../../engine/kit.ts'
import { BUYER_SCOPES } from '../../../contract/capabilities.ts'
import { RETURN_429_UNPACED, type Send } from '../rate-limits/between-refusals.ts'
import type { Form } from '../requests.ts'

/** So few that every endpoint can be spent; what is sent stays the same, so that nothing is bought twice. */
export const COUNT = 4

/** Nobody waits for the end of such a window: on a busy machine more than twice its count has to fit in. */
const LONG_SECONDS = 20

/** A limit of a made account that is soon spent, and stays so. */
export function few({ windowSeconds }: Pick<WindowLimit, 'windowSeconds'>): WindowLimit {
  return { count: COUNT, windowSeconds: Math.max(LONG_SECONDS, windowSeconds) }
}

/** A window of few purchases, as long as it is now. A rule of its own would hold instead of the default of all endpoints. */
export function fewPurchases({ limit }: CheckContext): NonNullable<AccountSpec['limits']> {
  const small = { count: COUNT, windowSeconds: limit('default', 'createOrder').windowSeconds }
  return {
    default: small,
    ...(!limit('default', 'createOrder').isGeneral && { 'operations.createOrder': small }),
    ...(!limit('default', 'createCart').isGeneral && { 'operations.createCart': small }),
  }
}

/** Of a key that every endpoint is open to. */
export const SCOPES: readonly Scope[] = [...BUYER_SCOPES, 'funds:read']

/** Asks an endpoint as the key of a made account, without waiting for its window. */
export type SendAs = (api: Api) => Promise<Exchange>

/** The form as made accounts send it; none of them has bought anything: the same request each time. */
export async function sendingAs(
  context: CheckContext,
  { prepare, otherwise }: Form,
): Promise<{ readonly send: SendAs; readonly otherwise: readonly SendAs[] } | undefined> {
  const referenceId = context.reference()
  const send = await prepare(context, () => Promise.resolve({ orderId: '', referenceId }))
  if (!send) return undefined
  return {
    send: (api) => send('full', RETURN_429_UNPACED, api),
    otherwise: (otherwise?.(context) ?? []).map(
      (other) => (api: Api) => other('full', RETURN_429_UNPACED, api),
    ),
  }
}

/** Requests of an account whose rule admits few, until one is refused; at most twice as many as the rule admits. */
export async function untilRefused(
  own: Send,
  isRefused: (exchange: Exchange) => boolean = isThrottled,
): Promise<readonly Exchange[]> {
  const sent = [await own()]
  while (sent.length <= 2 * COUNT && !sent.some(isRefused)) sent.push(await own())
  return sent
}
