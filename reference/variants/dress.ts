/** How variants write an answer: the envelope as an object, then as text, then its headers. */
import { ERROR_CODE_TRANSACTION_LIMIT } from '../../contract/wire.ts'
import { isJsonObject } from '../http/body.ts'
import type { JsonObject } from '../http/body.ts'
import { pairsOf } from '../http/headers.ts'
import type { RawHeaders } from '../http/headers.ts'
import type { VariantName, VariantSet } from '../variants.ts'

type Dress = (envelope: JsonObject) => JsonObject

/** A copy in which every object, from the innermost out, was put through `change`. */
function everyObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => everyObject(entry, change))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, everyObject(inner, change)])
  return change(Object.fromEntries(entries) as JsonObject)
}

const everywhere =
  (change: (object: JsonObject) => JsonObject): Dress =>
  (envelope) =>
    everyObject(envelope, change) as JsonObject

/** Changes product items, which nothing else has the property inStock of. */
const items = (change: (item: JsonObject) => JsonObject): Dress =>
  everywhere((object) => (Object.hasOwn(object, 'inStock') ? change(object) : object))

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** What may be absent where it may be null. The result of a pending eSIM is null by the interface. */
const NULLABLE = ['data', 'errorCode', 'errors', 'item', 'error', 'name']

function withoutNulls(object: JsonObject): JsonObject {
  const nulls = NULLABLE.filter((name) => object[name] === null)
  return without(object, ...nulls)
}

function withoutFalse(item: JsonObject): JsonObject {
  const flags = ['amountIsQuantity', 'isLongOrder']
  return without(item, ...flags.filter((flag) => item[flag] === false))
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

const errorCode =
  (rename: (code: string) => string | null): Dress =>
  (envelope) => {
    const code = envelope['errorCode']
    const isOpen = typeof code === 'string' && code !== ERROR_CODE_TRANSACTION_LIMIT
    return isOpen ? { ...envelope, errorCode: rename(code) } : envelope
  }

/** Messages whose form the interface gives keep it. */
const FORMED = /^Forbidden: caller IP|transaction limit|POST \/orders \(check\)/

function reworded(envelope: JsonObject): JsonObject {
  const message = String(envelope['statusMessage'])
  return FORMED.test(message)
    ? envelope
    : { ...envelope, statusMessage: `So it is. (${message.length})` }
}

function oneError(envelope: JsonObject): JsonObject {
  const { errors } = envelope
  return Array.isArray(errors) ? { ...envelope, errors: errors.slice(0, 1) } : envelope
}

const traceId =
  (change: (id: string) => string): Dress =>
  (envelope) => ({ ...envelope, traceId: change(String(envelope['traceId'])) })

const EXTRA = { addedLater: { since: '2027-01', tags: ['new', null, 3] }, revision: 7 }

const DRESSES: Readonly<Partial<Record<VariantName, Dress>>> = {
  'in-stock-text': items((item) => ({ ...item, inStock: String(item['inStock']) })),
  'in-stock-indicator': items((item) => ({ ...item, inStock: 1 })),
  'item-names-null': items((item) => ({ ...item, name: null })),
  'item-names-absent': items((item) => without(item, 'name')),
  'item-flags-absent': items(withoutFalse),
  'images-absent': everywhere((object) => without(object, 'imageUrl')),
  'quote-without-product': everywhere((object) => without(object, 'productId')),
  'error-codes-other': errorCode((code) => code.toUpperCase()),
  'error-codes-absent': errorCode(() => null),
  'errors-one-at-a-time': oneError,
  'messages-other': reworded,
  'trace-id-uuid': traceId(uuidOf),
  'trace-id-short': traceId((id) => `t${Number.parseInt(id.slice(-8), 16)}`),
  'extra-fields': everywhere((object) => ({ ...object, ...EXTRA })),
  'nulls-omitted': everywhere(withoutNulls),
  'keys-shuffled': everywhere((object) => Object.fromEntries(Object.entries(object).toReversed())),
}

/** The envelope as the variants shape it. */
export function dressed(envelope: object, variants: VariantSet): object {
  let shaped = JSON.parse(JSON.stringify(envelope)) as JsonObject
  for (const [name, dress] of Object.entries(DRESSES))
    if (variants.has(name as VariantName)) shaped = dress(shaped)
  return shaped
}

/** The envelope as text. */
export function written(envelope: object, variants: VariantSet): string {
  const text = JSON.stringify(envelope, undefined, variants.has('json-pretty') ? 2 : undefined)
  const priced = variants.has('prices-with-more-digits')
    ? text.replaceAll(
        /("(?:price|totalPrice)":\s*)(\d+)(\.\d+)?/g,
        (_all, name: string, whole: string, fraction = '.') => `${name}${whole}${fraction}0000`,
      )
    : text
  return variants.has('json-escaped') ? escaped(priced) : priced
}

function escaped(text: string): string {
  return text
    .replaceAll('/', String.raw`\/`)
    .replaceAll(
      /[\u0080-\uFFFF]/g,
      (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
    )
}

/** Content-Type and the other headers. */
export function headed(headers: RawHeaders, variants: VariantSet): RawHeaders {
  return pairsOf(headers).flatMap(([name, value]) => [
    cased(name, variants),
    name === 'Content-Type' ? contentType(value, variants) : value,
  ])
}

function cased(name: string, variants: VariantSet): string {
  if (variants.has('headers-lower-case')) return name.toLowerCase()
  return variants.has('headers-upper-case') ? name.toUpperCase() : name
}

function contentType(value: string, variants: VariantSet): string {
  if (variants.has('content-type-without-charset')) return 'application/json'
  return variants.has('content-type-other-case') ? 'Application/JSON;charset=UTF-8' : value
}
