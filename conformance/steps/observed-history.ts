/** Open questions whose answer lies in what a run has seen anyway: a table, looked through once at its end. No secret may be shown. */
import { isTerminal } from '../../contract/wire.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import type { Exchange, InvariantContext, OpenQuestionId } from '../engine/kit.ts'
import {
  asksToUnhide,
  asText,
  clip,
  hasFilter,
  isAccepted,
  isObject,
  statusCodeOf,
} from '../engine/kit.ts'
import { onceFor, purchasesSeen } from './orders-seen.ts'
import { giftSnapshotIn } from './order-results.ts'
import { itemsOf } from './orders.ts'

type Fields = Readonly<Record<string, unknown>>

/** Something that an answer says of a question. */
type Sign = { readonly says: string; readonly exchange: Exchange }

type Observer = {
  readonly question: OpenQuestionId
  /** Stands before what the answers say. */
  readonly what: string
  readonly signs: (context: InvariantContext) => readonly Sign[]
}

/** Different signs that one answer lists, and exchanges that it names. */
const SIGNS_MAX = 12
const NAMED_MAX = 4

function namesOf(value: unknown): string {
  return isObject(value) ? Object.keys(value).toSorted().join(', ') : typeof value
}

function typesOf(value: unknown): string {
  if (!isObject(value)) return typeof value
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${inner === null ? 'null' : typeof inner}`)
    .join(', ')
}

function dataIn({ json }: Exchange): Fields {
  const data = isObject(json) ? json['data'] : undefined
  return isObject(data) ? data : {}
}

function answered(
  { history }: Pick<InvariantContext, 'history'>,
  operation: Exchange['operation'],
): readonly Exchange[] {
  return history.filter((exchange) => exchange.operation === operation && isAccepted(exchange))
}

/** What each product item of the catalog says. */
const items =
  (says: (item: Fields) => string): Observer['signs'] =>
  (context) => {
    const selector = context.target.operations.listServices.selectors['items'] ?? '$.no-selector'
    return itemsListed(context.history, selector).map(({ item, exchange }) => ({
      says: says(item),
      exchange,
    }))
  }

const itemsListed = onceFor((history, selector: string) =>
  answered({ history }, 'listServices').flatMap((exchange) =>
    selectEach(selector, exchange.json)
      .filter(isObject)
      .map((item) => ({ item, exchange })),
  ),
)

/** What each listed order says. */
const orders =
  (says: (item: Fields, exchange: Exchange) => readonly string[]): Observer['signs'] =>
  (context) =>
    answered(context, 'getOrders').flatMap((exchange) =>
      (itemsOf(exchange) ?? [])
        .filter(isObject)
        .flatMap((item) => says(item, exchange).map((text) => ({ says: text, exchange }))),
    )

/** What each answer with one of these statuses says. */
const refusals =
  (statuses: readonly number[], says: (exchange: Exchange) => string): Observer['signs'] =>
  ({ history }) =>
    history
      .filter(({ response }) => statuses.includes(response?.status ?? 0))
      .map((exchange) => ({ says: says(exchange), exchange }))

function digitsOf(price: unknown): string {
  const [, fraction = ''] = asText(price).split('.')
  const sign = Number(asText(price)) > 0 ? '' : ' and not above zero'
  return `${typeof price} with ${fraction.length} decimals${sign}`
}

/** How a pin looks without unhide=true; never the text itself. */
function pinsOf({ result }: Fields, exchange: Exchange): readonly string[] {
  if (asksToUnhide(exchange)) return []
  return vouchersOf({ result }).map((voucher) => {
    if (!('pin' in voucher)) return 'left out'
    return voucher['pin'] === null ? 'null' : `a ${typeof voucher['pin']} in its place`
  })
}

function vouchersOf({ result }: Fields): readonly Fields[] {
  const vouchers = isObject(result) ? result['vouchers'] : undefined
  return Array.isArray(vouchers) ? vouchers.filter(isObject) : []
}

/** How the codes of an order that was revealed compare; never the codes themselves. */
function codesCompared(item: Fields, exchange: Exchange): readonly string[] {
  const pins = vouchersOf(item).map(({ pin }) => pin)
  if (!asksToUnhide(exchange) || !isTerminal(item['status']) || pins.length < 2) return []
  const different = new Set(pins).size
  return [different === pins.length ? 'all different' : `${different} codes of ${pins.length}`]
}

/** What listed orders that the run bought cost, beside what their purchases said. */
const pricesCompared: Observer['signs'] = (context) => {
  const bought = new Map(
    purchasesSeen(context.history).map(({ value }) => [value['orderId'], value]),
  )
  return orders((item) => {
    const before = bought.get(item['orderId'])
    if (!before) return []
    return ['price', 'currency']
      .filter((name) => name in item)
      .map((name) => `${name} ${item[name] === before[name] ? 'the same' : 'another'}`)
  })(context)
}

function pageOf(exchange: Exchange): unknown {
  return dataIn(exchange)['page']
}

const REFUSED_ROLES: readonly Exchange['role'][] = ['none', 'invented', 'revoked', 'expired']

function statusOf({ response }: Exchange): string {
  return `HTTP ${response?.status ?? 'none'}`
}

/** Whether the lookups of an item give the price that the catalog lists for it. */
function pricesLookedUp(context: InvariantContext): readonly Sign[] {
  const { items: selector } = context.target.operations.listServices.selectors
  if (selector === undefined) return []
  const listed = Map.groupBy(itemsListed(context.history, selector), ({ item }) => item['id'])
  const single = answered(context, 'getItem').map((exchange) => ({
    item: dataIn(exchange),
    exchange,
  }))
  const several = answered(context, 'lookupItems').flatMap((exchange) =>
    selectEach('$.data.items[*].item', exchange.json)
      .filter(isObject)
      .map((item) => ({ item, exchange })),
  )
  return [...single, ...several].flatMap(({ item: { id, price }, exchange }) => {
    const prices = listed.get(id)?.map(({ item }) => item['price']) ?? []
    if (id === undefined || prices.length === 0) return []
    const isListed = prices.includes(price)
    return [{ says: isListed ? 'the listed price' : 'another price than is listed', exchange }]
  })
}

const OBSERVERS: readonly Observer[] = [
  {
    question: 'OPEN-03',
    what: 'inStock',
    signs: items(({ inStock }) => `${typeof inStock} ${asText(inStock)}`),
  },
  { question: 'OPEN-04', what: 'price', signs: items(({ price }) => digitsOf(price)) },
  { question: 'OPEN-05', what: 'currency', signs: items(({ currency }) => asText(currency)) },
  {
    question: 'OPEN-09',
    what: 'a listed order has',
    signs: orders((item) => [namesOf(item)]),
  },
  {
    question: 'OPEN-10',
    what: 'orders end',
    signs: (context) => {
      const kinds = new Map(
        purchasesSeen(context.history).map(({ value, kind }) => [value['orderId'], kind]),
      )
      return orders(({ orderId, status }) =>
        isTerminal(status) && kinds.has(orderId)
          ? [`${asText(kinds.get(orderId))} in ${asText(status)}`]
          : [],
      )(context)
    },
  },
  {
    question: 'OPEN-12',
    what: 'delivery states',
    signs: orders(({ result }) => {
      const gift = giftSnapshotIn(result)
      return isObject(gift) ? [asText(gift['deliveryState'])] : []
    }),
  },
  {
    question: 'OPEN-17',
    what: 'a quote has',
    signs: (context) =>
      answered(context, 'createGiftQuote').map((exchange) => ({
        says: typesOf(dataIn(exchange)),
        exchange,
      })),
  },
  {
    question: 'OPEN-19',
    what: 'the page of the listing has',
    signs: (context) =>
      answered(context, 'getOrders')
        .filter((exchange) => !hasFilter(exchange))
        .map((exchange) => ({ says: namesOf(pageOf(exchange)), exchange })),
  },
  {
    question: 'OPEN-27',
    what: 'bodies have',
    signs: refusals([415, 422], (exchange) => `${statusOf(exchange)}: ${typesOf(exchange.json)}`),
  },
  {
    question: 'OPEN-33',
    what: 'keys are refused',
    signs: ({ history }) =>
      history
        .filter(
          ({ role, response }) => REFUSED_ROLES.includes(role) && (response?.status ?? 0) >= 400,
        )
        .map((exchange) => ({ says: `${exchange.role} by ${statusOf(exchange)}`, exchange })),
  },
  {
    question: 'OPEN-81',
    what: 'codes of one order are',
    signs: orders(codesCompared),
  },
  {
    question: 'OPEN-82',
    what: 'a pending order has',
    signs: orders((item) =>
      item['status'] === 'IN_PROGRESS'
        ? [vouchersOf(item).length > 0 ? 'vouchers' : 'no vouchers']
        : [],
    ),
  },
  { question: 'OPEN-87', what: 'lookups give', signs: pricesLookedUp },
  { question: 'OPEN-83', what: 'a listed order has', signs: pricesCompared },
  { question: 'OPEN-47', what: 'the pin of a masked voucher is', signs: orders(pinsOf) },
  {
    question: 'OPEN-58',
    what: 'refusals say',
    signs: refusals([401, 403, 404, 415, 422], (exchange) => {
      const { status } = isObject(exchange.json) ? exchange.json : {}
      return `${statusOf(exchange)}: ${asText(status)}, ${asText(statusCodeOf(exchange))}`
    }),
  },
  {
    question: 'OPEN-75',
    what: 'answers to purchases',
    signs: ({ history }) =>
      purchasesSeen(history).map(({ exchange, kind, value }) => ({
        says: `${asText(kind)} ${'result' in value ? `with result ${value['result'] === null ? 'null' : typeof value['result']}` : 'without result'}`,
        exchange,
      })),
  },
]

/** Records what the history says of each question; of those that it says nothing of, nothing. */
export function observeHistory(context: InvariantContext): void {
  for (const { question, what, signs } of OBSERVERS) {
    const found = Map.groupBy(signs(context), ({ says }) => says)
    if (found.size === 0) continue
    const texts = [...found.keys()].slice(0, SIGNS_MAX).map((text) => clip(text))
    const more = found.size > SIGNS_MAX ? ` and ${found.size - SIGNS_MAX} more` : ''
    const exchanges = [...found.values()].flatMap(([first]) => first?.exchange ?? [])
    context.observe(question, `${what}: ${texts.join('; ')}${more}`, exchanges.slice(0, NAMED_MAX))
  }
}
