import type { OperationName } from '../../contract/operations.ts'
import { HEADER, MEDIA_TYPE_JSON } from '../../contract/wire.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Refusal, refusal } from '../http/answer.ts'
import type { Call } from '../model/call.ts'
import { type RawHeaders, headerValue } from '../base/headers.ts'
import { CODES } from '../http/status-codes.ts'

/** Whether a request declares application/json; parameters such as a charset do not matter. */
export function declaresJson(
  headers: RawHeaders,
  faults: FaultSet,
  operation: OperationName,
): boolean {
  if (faults.has('content-type-ignored')) return true
  const contentType = contentTypeIn(headers, faults) ?? ''
  if (contentType === MEDIA_TYPE_JSON) return true
  const [written = ''] = contentType.split(';', 1)
  const mediaType = written.trim().toLowerCase()
  if (faults.has('content-type-json-suffix-accepted') && mediaType.endsWith('+json')) return true
  if (faults.has('content-type-ranges-accepted') && mediaType === '*/*') return true
  if (faults.has('content-type-searched-for-json') && contentType.includes(MEDIA_TYPE_JSON))
    return true
  const takesForms = operation !== 'createOrder' && faults.has('forms-taken-for-json')
  if (takesForms && mediaType === 'application/x-www-form-urlencoded') return true
  return mediaType === MEDIA_TYPE_JSON
}

/** Only a fault minds how the name of a header is spelled. */
function contentTypeIn(headers: RawHeaders, faults: FaultSet): string | undefined {
  if (!faults.has('content-type-header-in-lower-case-only'))
    return headerValue(headers, HEADER.contentType)
  const at = headers.indexOf('content-type')
  return at < 0 ? undefined : headers[at + 1]
}

/** Operations whose media type faults do not look at. */
const FORGETTING: readonly (readonly [FaultName, OperationName])[] = [
  ['content-type-ignored-by-validation', 'validateDtu'],
  ['gift-quote-media-type-ignored', 'createGiftQuote'],
  ['content-type-ignored-by-lookup', 'lookupItems'],
]

/** Throws the 415. */
export function requireJsonDeclared(
  call: Pick<Call, 'declaresJson' | 'context' | 'key' | 'body' | 'operation'>,
): void {
  if (call.declaresJson) return
  const isOrder = call.operation === 'createOrder'
  const { faults } = call.context
  if (call.body.isEmpty && faults.has('content-type-of-bodies-only')) return
  if (FORGETTING.some(([name, operation]) => call.operation === operation && faults.has(name)))
    return
  if (isOrder && isPassed(call)) return
  throw unsupportedMediaType()
}

/** Only faults let one form of an order pass. */
function isPassed({ context, key, body }: Pick<Call, 'context' | 'key' | 'body'>): boolean {
  const { faults, orders } = context
  const asked = body.json
  if (faults.has('content-type-ignored-by-checks') && asked?.['checkOnly'] === true) return true
  if (!faults.has('content-type-ignored-by-replays')) return false
  const referenceId = asked?.['referenceId']
  return typeof referenceId === 'string' && orders.purchase(key, referenceId, 'order') !== undefined
}

export function unsupportedMediaType(): Refusal {
  const message = `Expected ${HEADER.contentType}: ${MEDIA_TYPE_JSON}.`
  return refusal(415, CODES.unsupportedMediaType, message, { errorCode: 'unsupported_media_type' })
}
