import type { WindowLimit } from '../../../contract/limits.ts'
import { isPurchase } from '../../../contract/operations.ts'
import type { Scope } from '../../../contract/wire.ts'
import type { AccountSpec } from '../../../harness/accounts/accounts.ts'
import {
  isThrottled,
  type Api,
  type CheckContext,
  type Exchange,
  type WindowNeed,
} from '../../engine/kit.ts'
import { BUYER_SCOPES } from '../../../contract/capabilities.ts'
import { ATTEMPTS_MAX, RETURN_429_UNPACED, type Send } from '../rate-limits/between-refusals.ts'
import { ORDERS_OF_FULL } from '../rate-limits/counters.ts'
import { ENDPOINTS, triedForms, type Form } from '../requests.ts'

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

/** Endpoints with other windows than POST /orders. That of the catalog is spent by checks of its own, which would be waited for. */
export const BESIDE_ORDERS = ENDPOINTS.filter(
  ({ operation }) => operation !== 'createOrder' && operation !== 'listServices',
)
/** Those of them that buy nothing. */
export const READING = BESIDE_ORDERS.filter(({ operation }) => !isPurchase(operation))

/** So many requests of each, which must not find their windows spent by other checks. */
export function setAsideOf(forms: readonly Form[]): readonly WindowNeed[] {
  return forms.map(({ operation }) => ({ ...ORDERS_OF_FULL, operation, units: ATTEMPTS_MAX }))
}

/** Sends each that is answered to the role full, the same request each time, without waiting for its window. */
export async function sendsOf(context: CheckContext, forms: readonly Form[]): Promise<Send[]> {
  const [sends, failed]: [Send[], string[]] = [[], []]
  for await (const { send } of triedForms(context, forms, failed))
    sends.push(() => send('full', RETURN_429_UNPACED))
  if (sends.length === 0)
    context.leaveUndecided('RATE-11', `no other endpoint is answered: ${failed.join('; ')}`)
  return sends
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
