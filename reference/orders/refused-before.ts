/** What a variant remembers: references whose purchase was refused for good are refused so again (OPEN-65). */
import { guarded } from '../eventually.ts'
import type { Eventually } from '../eventually.ts'
import { Refusal } from '../http/answer.ts'
import type { Answer } from '../http/answer.ts'
import type { JsonObject } from '../http/body.ts'
import type { Call } from '../http/call.ts'
import { CODES } from '../http/status-codes.ts'
import type { Purchase } from './order.ts'

type Act = (call: Call, body: JsonObject) => Eventually<Answer>

function isForGood({ httpStatus, statusCode }: Answer): boolean {
  return httpStatus === 422 || (httpStatus === 409 && statusCode === CODES.apiKeyLimitExceeded)
}

/** Places a purchase, or answers as its reference was refused before. */
export function asRefusedBefore(
  call: Call,
  body: JsonObject,
  { kind, act }: { readonly kind: Purchase['kind']; readonly act: Act },
): Eventually<Answer> {
  const { context, key } = call
  const { referenceId } = body
  const { orders, variants } = context
  const isKept = variants.has('refusals-replayed') && typeof referenceId === 'string'
  if (!isKept || orders.purchase(key, referenceId, kind) !== undefined) return act(call, body)
  const before = orders.refusalOf(key, referenceId)
  if (before !== undefined) throw new Refusal(before)
  return guarded(
    call,
    () => act(call, body),
    (error) => {
      if (error instanceof Refusal && isForGood(error.answer))
        orders.keepRefusal(key, referenceId, error.answer)
      throw error
    },
  )
}
