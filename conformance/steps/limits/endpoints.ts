import type { Scope } from '../../../contract/wire.ts'
import type { Api, CheckContext, Exchange } from '../../engine/kit.ts'
import { EVERY_SCOPE } from '../allowlist-callers.ts'
import { RETURN_429_UNPACED } from '../rate-limits/between-refusals.ts'
import type { Form } from '../requests.ts'

/** So few that every endpoint can be spent; what is sent stays the same, so that nothing is bought twice. */
export const COUNT = 4

/** Of a key that every endpoint is open to. */
export const SCOPES: readonly Scope[] = [...EVERY_SCOPE, 'funds:read']

/** Asks an endpoint as the key of a made account, without waiting for its window. */
export type SendAs = (api: Api) => Promise<Exchange>

/** The form as made accounts send it; none of them has bought anything: the same request each time. */
export async function sendingAs(
  context: CheckContext,
  { prepare, otherwise }: Form,
): Promise<{ readonly send: SendAs; readonly otherwise: SendAs | undefined } | undefined> {
  const referenceId = context.reference()
  const send = await prepare(context, () => Promise.resolve({ orderId: '', referenceId }))
  const other = otherwise?.(context)
  if (!send) return undefined
  return {
    send: (api) => send('full', RETURN_429_UNPACED, api),
    otherwise: other && ((api) => other('full', RETURN_429_UNPACED, api)),
  }
}
