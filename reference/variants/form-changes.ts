/** Forms of values that the interface leaves open: messages, field errors, currencies, results, lists. */
import { type JsonObject, isJsonObject } from '../http/body.ts'
import type { VariantName } from '../base/variants.ts'
import { briefName } from '../model/catalog.ts'
import { type EnvelopeChange, everywhere, having, without } from './change-members.ts'

/** Messages whose form the interface gives keep it. */
const FORMED = /^Forbidden: caller IP|transaction limit|POST \/orders \(check\)/

export function isFormed(message: unknown): boolean {
  return FORMED.test(String(message))
}

const message =
  (change: (text: string, envelope: JsonObject) => string): EnvelopeChange =>
  (envelope) => {
    const { statusMessage } = envelope
    return isFormed(statusMessage)
      ? envelope
      : { ...envelope, statusMessage: change(String(statusMessage), envelope) }
  }

/** Changes FieldErrors one by one: each may become several. */
const fieldErrors =
  (change: (error: JsonObject) => readonly JsonObject[]): EnvelopeChange =>
  (envelope) => {
    const { errors } = envelope
    if (!Array.isArray(errors)) return envelope
    return { ...envelope, errors: errors.flatMap((error: JsonObject) => change(error)) }
  }

const GENERAL = { code: 'INVALID_VALUE', field: 'request', message: '' }

function isRefusal({ data, errorCode }: JsonObject): boolean {
  return data === null && typeof errorCode === 'string'
}

/** Services, which list items and have a type. */
const services = (change: (service: JsonObject) => JsonObject): EnvelopeChange =>
  having('type', (object) => (Array.isArray(object['items']) ? change(object) : object))

const ODD_ITEMS = [
  { id: 'odd-free', currency: 'EUR', price: 0, inStock: 0 },
  { id: 'odd-tiny', name: 'Ünïcode ✓', currency: 'JPY', price: 0.000001, inStock: 1e21 },
]

function withOddItems(service: JsonObject): JsonObject {
  if (service['id'] === 'svc-books') return { ...service, items: ODD_ITEMS }
  return service['id'] === 'svc-console' ? { ...service, items: [] } : service
}

/** Items that are named without their service, but for the first of the catalog. */
function withBriefNames(service: JsonObject): JsonObject {
  const list = service['items'] as readonly JsonObject[]
  const name = String(service['name'])
  return {
    ...service,
    items: list.map((item) => ({ ...item, name: briefName(String(item['name']), name) })),
  }
}

function signed(imageUrl: unknown): unknown {
  return typeof imageUrl === 'string' ? `${imageUrl}?signature=${writtenAnew()}` : imageUrl
}

let answers = 0

function writtenAnew(): number {
  answers += 1
  return answers
}

/** An order as the answer to its purchase shows it, with what is declared alone. */
function declaredOnly(order: JsonObject): JsonObject {
  return without(order, 'referenceId', 'ordersType', 'quantity')
}

function bare(order: JsonObject): JsonObject {
  return without(order, 'result')
}

function isGiftResult(result: unknown): boolean {
  return isJsonObject(result) && Object.hasOwn(result, 'platformGift')
}

function empty(order: JsonObject): JsonObject {
  return { ...order, result: null }
}

function emptyOfVouchers(order: JsonObject): JsonObject {
  const { result } = order
  return isJsonObject(result) && Object.hasOwn(result, 'vouchers') ? empty(order) : order
}

/** Both forms of an answer to a purchase. A pending eSIM may have no result either: the member is not required. */
const purchases =
  (change: (order: JsonObject) => JsonObject): EnvelopeChange =>
  (envelope) => {
    const { data } = envelope
    if (!isJsonObject(data)) return envelope
    const { orders } = data
    if (Array.isArray(orders))
      return { ...envelope, data: { ...data, orders: orders.filter(isJsonObject).map(change) } }
    return Object.hasOwn(data, 'orderId') ? { ...envelope, data: change(data) } : envelope
  }

/** The status that all listed orders have; SUCCESS where they have several or there are none. */
function withStatusOfOrders(envelope: JsonObject): JsonObject {
  const { data } = envelope
  const page = isJsonObject(data) ? data['page'] : undefined
  const items = isJsonObject(page) ? page['items'] : undefined
  if (!Array.isArray(items)) return envelope
  const states = new Set(items.filter(isJsonObject).map(({ status }) => status))
  const [only = 'SUCCESS'] = states
  return states.size === 1 ? { ...envelope, status: only } : envelope
}

const reversed =
  (name: string): EnvelopeChange =>
  (envelope) =>
    having(name, (object) => {
      const list = object[name]
      return Array.isArray(list) ? { ...object, [name]: list.toReversed() } : object
    })(envelope)

const NO_RESULTS = { attributes: null, esim: null, platformGift: null, vouchers: null }
const RESULTS = Object.keys(NO_RESULTS)

const createdAt = (change: (text: string) => string): EnvelopeChange =>
  having('createdAt', (object) => ({ ...object, createdAt: change(String(object['createdAt'])) }))

export const FORMS = {
  'messages-unique': message((text, { traceId }) => `${text} [${String(traceId)}]`),
  'messages-empty': message(() => ''),
  'errors-repeated': fieldErrors((error) => [GENERAL, error, error]),
  'error-fields-as-paths': fieldErrors((error) => [
    { ...error, field: `$.${String(error['field'])}` },
  ]),
  'errors-empty-lists': (envelope) => ({ ...envelope, errors: envelope['errors'] ?? [] }),
  'refusals-have-data': (envelope) =>
    isRefusal(envelope) ? { ...envelope, data: { details: [1], orderId: null } } : envelope,
  'success-has-error-code': (envelope) => ({ ...envelope, errorCode: envelope['errorCode'] ?? '' }),
  'currencies-lower-case': having('currency', (object) => ({
    ...object,
    currency: String(object['currency']).toLowerCase(),
  })),
  'item-currencies-numeric': having('inStock', (item) => ({ ...item, currency: '840' })),
  'catalog-odd-items': services(withOddItems),
  'service-names-null': services((service) => ({
    ...service,
    name: /^svc-[abc]/.test(String(service['id'])) ? service['name'] : null,
  })),
  'service-ids-numeric': services((service) => ({ ...service, id: String(service['id']).length })),
  'services-reversed': (envelope) =>
    Object.hasOwn(envelope['data'] ?? {}, 'total') ? envelope : reversed('services')(envelope),
  'searches-look-at-items': services(withBriefNames),
  'images-signed': having('imageUrl', (object) => ({
    ...object,
    imageUrl: signed(object['imageUrl']),
  })),
  'products-dated': services((service) => ({
    ...service,
    readAt: new Date(1.7e12 + 1000 * writtenAnew()).toISOString(),
  })),
  'items-in-any-order': services((service) => {
    const list = service['items'] as readonly unknown[]
    const start = writtenAnew() % Math.max(1, list.length)
    return { ...service, items: [...list.slice(start), ...list.slice(0, start)] }
  }),
  'lookup-errors-null': having('found', (element) => ({ ...element, error: null })),
  'caller-address-mapped': having('callerAddress', (object) => ({
    callerAddress: String(object['callerAddress']).replace(/^(?=\d+\.)/, '::ffff:'),
  })),
  // As runtimes write the other end of a connection.
  'whoami-with-port': having('callerAddress', (object) => ({
    ...object,
    callerAddress: String(object['callerAddress']).replace(/^.*:.*$/, '[$&]') + ':49152',
  })),
  'rate-limits-as-text': having('windowSeconds', (limit) => ({
    ...limit,
    count: String(limit['count']),
    windowSeconds: String(limit['windowSeconds']),
  })),
  'rate-limits-in-milliseconds': having('windowSeconds', (limit) => ({
    ...limit,
    windowSeconds: Number(limit['windowSeconds']) * 1000,
  })),
  'rate-limits-as-durations': having('windowSeconds', (limit) => ({
    ...limit,
    windowSeconds: durationOf(Number(limit['windowSeconds'])),
  })),
  'sources-worded-otherwise': having('windowSeconds', (limit) => ({
    ...limit,
    ...(!/admission/.test(String(limit['bucket'])) && {
      source: limit['source'] === 'rule' ? 'account' : 'built in',
    }),
  })),
  'created-at-absent': everywhere((object) => without(object, 'createdAt')),
  'post-results-absent': purchases(bare),
  'post-results-null': purchases(empty),
  'voucher-results-null': purchases(emptyOfVouchers),
  'pending-envelopes-success': (envelope) =>
    isJsonObject(envelope['data']) && envelope['data']['status'] === 'IN_PROGRESS'
      ? { ...envelope, status: 'SUCCESS' }
      : envelope,
  'list-status-of-orders': withStatusOfOrders,
  'created-at-seconds': createdAt((text) => text.replace(/\.\d+/, '')),
  'created-at-minutes': createdAt((text) => text.replace(/:\d\d\.\d+/, '')),
  'purchases-sparse': purchases(declaredOnly),
  'checkout-orders-reversed': reversed('orders'),
  'results-with-nulls': everywhere((object) =>
    RESULTS.some((name) => isJsonObject(object[name]) || name in object)
      ? { ...NO_RESULTS, ...object }
      : object,
  ),
  'attributes-empty': having('attributes', (result) => ({ ...result, attributes: {} })),
  'voucher-expiration-offset': having('expiration', ({ expiration, ...voucher }) => ({
    ...voucher,
    expiration: typeof expiration === 'string' ? expiration.replace('Z', '+02:00') : expiration,
  })),
  'gift-names-alike': having('editionName', (snapshot) => ({
    ...snapshot,
    editionName: 'Standard',
  })),
  'gift-snapshots-at-end': everywhere((order) =>
    order['status'] === 'IN_PROGRESS' && isGiftResult(order['result']) ? bare(order) : order,
  ),
  'gift-sparse': having('resolutionRequired', ({ resolutionRequired }) => ({ resolutionRequired })),
  'gift-states-other': having('deliveryState', (gift) => ({
    ...gift,
    deliveryState: 'queued_upstream',
    giftState: null,
  })),
} as const satisfies Partial<Record<VariantName, EnvelopeChange>>

/** As some languages write a duration: `1m30s`. */
function durationOf(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
