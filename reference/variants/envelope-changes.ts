/** How variants write an answer: the envelope as an object, then as text, then its headers. */
import { ERROR_CODE_TRANSACTION_LIMIT, HEADER, RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import type { JsonObject } from '../http/body.ts'
import { type RawHeaders, pairsOf } from '../base/headers.ts'
import type { VariantName, VariantSet } from '../base/variants.ts'
import { CATALOG } from '../model/catalog.ts'
import { FORMS, isFormed } from './form-changes.ts'
import { type EnvelopeChange, everywhere, having, without } from './change-members.ts'

/** Changes product items, which nothing else has the property inStock of. */
const items = (change: (item: JsonObject) => JsonObject): EnvelopeChange =>
  having('inStock', change)

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

/** Members that an item has only where its flags are true. */
const NO_MEMBERS = {
  minQuantity: null,
  maxQuantity: null,
  stepQuantity: null,
  unitPrice: null,
  minQtyToLongOrder: null,
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

const errorCode =
  (rename: (code: string) => string | null): EnvelopeChange =>
  (envelope) => {
    const code = envelope['errorCode']
    const isOpen = typeof code === 'string' && code !== ERROR_CODE_TRANSACTION_LIMIT
    return isOpen ? { ...envelope, errorCode: rename(code) } : envelope
  }

function reworded(envelope: JsonObject): JsonObject {
  const message = String(envelope['statusMessage'])
  return isFormed(message)
    ? envelope
    : { ...envelope, statusMessage: `So it is. (${message.length})` }
}

function oneError(envelope: JsonObject): JsonObject {
  const { errors } = envelope
  return Array.isArray(errors) ? { ...envelope, errors: errors.slice(0, 1) } : envelope
}

const traceId =
  (change: (id: string) => string): EnvelopeChange =>
  (envelope) => ({ ...envelope, traceId: change(String(envelope['traceId'])) })

const STACK = 'Error: refused\n    at create (/usr/src/app/orders.js:12:7)'

const EXTRA = { addedLater: { since: '2027-01', tags: ['new', null, 3] }, revision: 7 }

const VOUCHER_ITEMS = new Set(
  CATALOG.filter(({ type }) => type === 'voucher').flatMap(({ items: sold }) =>
    sold.map(({ id }) => id),
  ),
)

/** The price that orders have, too. */
const finer = items((item) =>
  VOUCHER_ITEMS.has(String(item['id']))
    ? { ...item, price: Number((Number(item['price']) + 0.0025).toFixed(4)) }
    : item,
)

const toldInCents: EnvelopeChange = (envelope) =>
  envelope['errorCode'] === ERROR_CODE_TRANSACTION_LIMIT
    ? {
        ...envelope,
        statusMessage: String(envelope['statusMessage']).replaceAll(/(\.\d\d)\d\d/g, '$1'),
      }
    : envelope

/** What binary fractions add to an amount such as 65.10 where sums of them are written in full. */
const NOISE = { text: '00000000001', number: 2e-10 } as const

const withNoise: EnvelopeChange = (envelope) =>
  envelope['errorCode'] === ERROR_CODE_TRANSACTION_LIMIT
    ? {
        ...envelope,
        statusMessage: String(envelope['statusMessage']).replaceAll(/\.\d\d/g, `$&${NOISE.text}`),
      }
    : having('balance', (data) => ({ ...data, balance: Number(data['balance']) + NOISE.number }))(
        envelope,
      )

const CHANGES: Readonly<Partial<Record<VariantName, EnvelopeChange>>> = {
  'prices-finer-than-cents': finer,
  'prices-finer-than-told': (envelope) => toldInCents(finer(envelope)),
  'amounts-with-float-noise': withNoise,
  ...FORMS,
  'prices-as-text': items((item) => ({ ...item, price: String(item['price']) })),
  'in-stock-text': items((item) => ({ ...item, inStock: String(item['inStock']) })),
  'in-stock-indicator': items((item) => ({ ...item, inStock: 1 })),
  'item-names-null': items((item) => ({ ...item, name: null })),
  'item-names-absent': items((item) => without(item, 'name')),
  'item-flags-absent': items(withoutFalse),
  'item-members-null': items((item) => ({ ...NO_MEMBERS, ...item })),
  'images-absent': everywhere((object) => without(object, 'imageUrl')),
  'quote-without-product': everywhere((object) => without(object, 'productId')),
  'error-codes-other': errorCode((code) => code.toUpperCase()),
  'error-codes-absent': errorCode(() => null),
  'errors-one-at-a-time': oneError,
  'messages-other': reworded,
  'errors-show-internals': (envelope) =>
    envelope['status'] === 'CANCELLED' && typeof envelope['errorCode'] === 'string'
      ? { ...envelope, debug: STACK }
      : envelope,
  'trace-id-uuid': traceId(uuidOf),
  'trace-id-long': traceId((id) => `é/ ${'0'.repeat(400)}${id}`),
  'trace-id-short': traceId((id) => `t${Number.parseInt(id.slice(-8), 16)}`),
  'extra-fields': everywhere((object) => ({ ...object, ...EXTRA })),
  'nulls-omitted': everywhere(withoutNulls),
  'keys-shuffled': everywhere((object) => Object.fromEntries(Object.entries(object).toReversed())),
}

const CHANGES_BY_NAME = Object.entries(CHANGES)

/** The envelope as the variants shape it. */
export function changedByVariants(envelope: object, variants: VariantSet): object {
  const wanted = CHANGES_BY_NAME.filter(([name]) => variants.has(name as VariantName))
  if (wanted.length === 0) return envelope
  const plain = JSON.parse(JSON.stringify(envelope)) as JsonObject
  return wanted.reduce((shaped, [, change]) => change(shaped), plain)
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
  if (variants.has('json-padded')) return `\n\t ${priced}\r\n\n`
  if (variants.has('json-numbers-exponent')) return withExponents(priced)
  return variants.has('json-escaped') ? escaped(priced) : priced
}

/** Whole numbers after a name, written with a fraction and an exponent. */
function withExponents(text: string): string {
  return text.replaceAll(/("\w+":)(\d+)(?=[,}])/g, '$1$2.0e0')
}

/** JSON lets every character be escaped, those of names too. */
function escaped(text: string): string {
  return text
    .replaceAll('/', String.raw`\/`)
    .replaceAll('"s', String.raw`"\u0073`)
    .replaceAll('"t', String.raw`"\u0074`)
    .replaceAll(
      /[\u0080-\uFFFF]/g,
      (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
    )
}

/** Content-Type and the other headers. */
export function headed(headers: RawHeaders, variants: VariantSet, isSuccess: boolean): RawHeaders {
  const more = variants.has('headers-more') ? [...headers, ...MORE_HEADERS] : headers
  const all = variants.has('cors-wildcard') ? [...more, 'Access-Control-Allow-Origin', '*'] : more
  return pairsOf(all).flatMap(([name, value]) => {
    if (name === 'Content-Type') return [cased(name, variants), contentType(value, variants)]
    const isOfPending = isSuccess && name === HEADER.retryAfter && value !== ESIM_SECONDS
    const isLong = isOfPending && variants.has('pending-retry-after-long')
    return [cased(name, variants), isLong ? '60' : value]
  })
}

/** Given by the interface, so no variant changes it. */
const ESIM_SECONDS = String(RETRY_AFTER_SECONDS.esimPending)

// oxfmt-ignore
const MORE_HEADERS: RawHeaders = [
  'Server', 'shop', 'Vary', 'Accept', 'ETag', '"x"', 'X-RateLimit-Remaining', '3',
  'Set-Cookie', 'a=b; HttpOnly', 'Set-Cookie', 'c=d', 'X-Request-Id', 'z-1',
]

function cased(name: string, variants: VariantSet): string {
  if (variants.has('headers-lower-case')) return name.toLowerCase()
  return variants.has('headers-upper-case') ? name.toUpperCase() : name
}

function contentType(value: string, variants: VariantSet): string {
  if (variants.has('content-type-without-charset')) return 'application/json'
  if (variants.has('content-type-quoted')) return 'application/json ; charset="utf-8"; v=1'
  return variants.has('content-type-other-case') ? 'Application/JSON;charset=UTF-8' : value
}
