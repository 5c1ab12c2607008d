/** What a variant remembers: references whose purchase was refused for good are refused so again (OPEN-65). */
import { type Answer, Refusal } from '../http/answer.ts'
import type { JsonObject } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { CODES } from '../http/status-codes.ts'
import type { Purchase } from '../model/order.ts'

type Act = (call: Call, body: JsonObject) => Answer | Promise<Answer>
type Purchasing = { readonly kind: Purchase['kind']; readonly act: Act }

function isForGood({ httpStatus, statusCode }: Answer): boolean {
  return httpStatus === 422 || (httpStatus === 409 && statusCode === CODES.apiKeyLimitExceeded)
}

/** Places a purchase, or answers as its reference was refused before. */
export function asRefusedBefore(
  call: Call,
  body: JsonObject,
  purchasing: Purchasing,
): Answer | Promise<Answer> {
  return call.context.variants.has('refusals-replayed')
    ? remembering(call, body, purchasing)
    : purchasing.act(call, body)
}

async function remembering(
  call: Call,
  body: JsonObject,
  { kind, act }: Purchasing,
): Promise<Answer> {
  const { key } = call
  const { orders } = call.context
  const { referenceId } = body
  const isNew =
    typeof referenceId === 'string' && orders.purchase(key, referenceId, kind) === undefined
  if (!isNew) return act(call, body)
  const before = orders.refusalOf(key, referenceId)
  if (before !== undefined) throw new Refusal(before)
  try {
    return await act(call, body)
  } catch (error) {
    if (error instanceof Refusal && isForGood(error.answer))
      orders.keepRefusal(key, referenceId, error.answer)
    throw error
  }
}
