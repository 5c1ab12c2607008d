/**
 * Conforming variants: legal differences where the interface is silent or can be read in two ways. Each keeps every check green, or
 * the check asserts what the interface does not show.
 */
export type VariantFact = {
  readonly summary: string
  /** Of those of one family only one can be on. */
  readonly family: string | undefined
}

const variant = (summary: string, family?: string): VariantFact => ({ summary, family })

const ANSWERS = {
  'extra-fields': variant('every object of an answer has fields that the interface does not name'),
  'keys-shuffled': variant('the properties of all objects come in reverse order'),
  'nulls-omitted': variant('optional fields without a value are absent instead of null'),
  'json-pretty': variant('bodies are indented', 'json'),
  'json-escaped': variant(
    'bodies escape what is not ASCII, slashes, and each s and t that begins a text',
    'json',
  ),
  'json-padded': variant('white space surrounds bodies', 'json'),
  'json-numbers-exponent': variant('whole numbers are written with fraction and exponent', 'json'),
  'messages-other': variant('messages have another wording', 'messages'),
  'messages-unique': variant('each message names its request', 'messages'),
  'messages-empty': variant('messages whose form is not given are empty', 'messages'),
  'errors-repeated': variant(
    'a field error is given twice, after one of the whole request',
    'errors',
  ),
  'error-fields-as-paths': variant('the fields of errors are paths'),
  'errors-empty-lists': variant('answers without field errors have an empty list of them'),
  'refusals-have-data': variant('refusals have data with details'),
  'success-has-error-code': variant('the error code of a success is an empty text'),
  'error-codes-other': variant(
    'error codes that the interface does not give are in capitals',
    'errorCode',
  ),
  'unknown-paths-answered-elsewhere': variant('a gateway answers unknown paths by a page'),
  'other-methods-answered-elsewhere': variant(
    'a framework refuses methods that a path does not have, in plain text',
  ),
  'unknown-parameters-refused': variant(
    'a gateway refuses query parameters of the catalog and of orders that it does not know',
  ),
  'browsers-refused': variant('a call that carries an Origin header is refused'),
  'cors-wildcard': variant('pages of any origin may read every answer'),
  'errors-show-internals': variant('refusals have a stack trace beside their message'),
  'paths-answer-bare': variant('GET /services answers without a key'),
  'whoami-with-port': variant('/whoami gives the port of the caller with the address', 'caller'),
  'whoami-shows-allowlist': variant('/whoami lists the entries of the allowlist'),
  'error-codes-absent': variant(
    'only the error code that the interface gives is there',
    'errorCode',
  ),
  'errors-one-at-a-time': variant('a 422 names the first problem only', 'errors'),
  'refusals-say-success': variant('the envelope status of a refusal is SUCCESS'),
  'codes-other': variant('status codes that the interface does not number are others', 'codes'),
  'codes-other-undeclared': variant('the same, and the target file does not tell them', 'codes'),
  'trace-id-uuid': variant('a traceId is a UUID', 'traceId'),
  'trace-id-long': variant('a traceId is long, with letters beyond ASCII', 'traceId'),
  'trace-id-short': variant('a traceId is short', 'traceId'),
  'headers-lower-case': variant('header names are in lower case', 'headers'),
  'headers-upper-case': variant('header names are in capitals', 'headers'),
  'headers-more': variant('answers have headers that the interface does not name'),
  'content-type-quoted': variant('Content-Type has a quoted charset and a version', 'contentType'),
  'content-type-without-charset': variant('Content-Type is application/json alone', 'contentType'),
  'content-type-other-case': variant(
    'Content-Type is Application/JSON;charset=UTF-8',
    'contentType',
  ),
} as const satisfies Record<string, VariantFact>

const CATALOG = {
  'prices-with-more-digits': variant('prices are written with four decimals more'),
  'prices-finer-than-cents': variant('vouchers cost a quarter of a cent more', 'prices'),
  'prices-finer-than-told': variant(
    'the same, and a refusal of the cap tells amounts in cents: what is left is cut',
    'prices',
  ),
  'vouchers-priced-by-order': variant(
    'vouchers cost two fifths of a cent more, and the price of an order is rounded to cents',
    'prices',
  ),
  'in-stock-text': variant('inStock is a number in a text', 'inStock'),
  'in-stock-indicator': variant('inStock is 1', 'inStock'),
  'prices-as-text': variant('prices of product items are numbers in texts'),
  'item-names-null': variant('product items have the name null', 'itemName'),
  'item-names-absent': variant('product items have no name', 'itemName'),
  'item-flags-absent': variant('amountIsQuantity and isLongOrder are absent where false'),
  'images-absent': variant('eSIM products have no imageUrl'),
  'catalog-larger': variant('the catalog has sixty products more'),
  'currencies-lower-case': variant('currency codes are in small letters', 'currencies'),
  'item-currencies-numeric': variant('the currency of product items is 840', 'currencies'),
  // A search that looks at items would not know these.
  'catalog-odd-items': variant(
    'the catalog has items that are free or cost next to nothing',
    'itemName',
  ),
  'service-ids-numeric': variant('the id of a listed service is a number'),
  'service-names-null': variant('the listing shows the names of few services'),
  'services-reversed': variant('the whole catalog is in another order than its pages'),
  'services-filter-alone-paged': variant(
    'a filter without limit and offset gives the first page alone',
  ),
  'short-searches-refused': variant('a search of fewer than three letters is refused'),
  // Together with a search in item names alone, a search by the name of a service would find nothing.
  'empty-catalog-pages-404': variant(
    'a listing that finds no product is answered by 404',
    'itemName',
  ),
  'searches-look-at-items': variant('search looks at the names of items', 'itemName'),
  'item-members-null': variant('what a product item does not have is null', 'itemMembers'),
  'images-signed': variant('the address of an image is signed anew in each answer'),
  'products-dated': variant('a product says when its answer was written'),
  'items-in-any-order': variant('the items of a product come in another order each time'),
  'lookup-errors-null': variant('items that are not found come without an error'),
  'quote-without-product': variant('a gift quote has no productId'),
} as const satisfies Record<string, VariantFact>

const KEYS = {
  'refused-keys-403': variant('every key that is refused gets 403', 'refusedKeys'),
  'unknown-keys-404': variant('a missing or unknown key gets 404', 'refusedKeys'),
  'refused-keys-mixed': variant(
    'a missing or unknown key gets 401, a revoked or expired one 403',
    'refusedKeys',
  ),
  'caller-address-mapped': variant('/whoami shows IPv4 addresses as IPv6', 'caller'),
  'whoami-behind-allowlist': variant('/whoami holds callers to the allowlist'),
  'local-proxy-trusted': variant(
    'X-Forwarded-For is believed when it comes from 127.0.0.0/8, ::1 or 10.0.0.0/8, where proxies are',
  ),
  'media-type-first': variant('415 comes before authentication'),
  'media-type-uncounted': variant('a 415 is not counted by a window'),
  'rate-limits-need-funds-read': variant('GET /rate-limits needs funds:read'),
  'orders-need-product-read': variant('creating an order needs product:read too'),
} as const satisfies Record<string, VariantFact>

const LIMITS = {
  'windows-by-start': variant('windows start with the service', 'phase'),
  'windows-by-first-request': variant('a window starts with its first request', 'phase'),
  'windows-by-counter': variant(
    'the windows of each counter start at a moment of its own',
    'phase',
  ),
  'limits-larger': variant('budgets are larger by a half', 'budgets'),
  'listing-rules-absent': variant(
    'the listing and masked reads have no rules: the global default holds',
    'budgets',
  ),
  'services-window-tighter': variant(
    'GET /services has a window of its own, tighter and longer than the default',
    'budgets',
  ),
  'carts-window-tighter': variant(
    'POST /carts has a window of its own, with room for one burst of copies',
    'budgets',
  ),
  'services-window-looser': variant(
    'GET /services has a window of its own, looser and shorter than the default',
    'budgets',
  ),
  'windows-unequal': variant(
    'pending and completed budgets have windows of different lengths',
    'budgets',
  ),
  'limits-small': variant('budgets are as small as an order or two need', 'budgets'),
  'windows-all-unequal': variant('each bucket has a window of another length', 'budgets'),
  'completed-budget-larger': variant('the completed budget is larger than the pending', 'budgets'),
  'rate-limits-as-text': variant('GET /rate-limits gives its numbers as texts', 'limitForm'),
  'rate-limits-in-milliseconds': variant(
    'GET /rate-limits gives its windows in milliseconds: the target file says so',
    'limitForm',
  ),
  'rate-limits-as-durations': variant(
    'GET /rate-limits gives its windows as durations, such as 1m0s',
    'limitForm',
  ),
  'shop-limit-relayed': variant('the shop service refuses a purchase now and then'),
  'shop-limit-relayed-to-checks': variant(
    'the shop service refuses the first check of a key after a rest',
    'check-wait',
  ),
  'sources-worded-otherwise': variant(
    'the report of limits has words of its own for the sources of all but admission',
  ),
  'rate-limits-absent': variant(
    'GET /rate-limits cannot be read; the target file gives the limits',
  ),
  'retry-after-constant': variant('Retry-After is the whole window', 'wait'),
  'retry-after-generous': variant('Retry-After is two seconds more than what is left', 'wait'),
  'check-wait-is-rest': variant('Retry-After of the check bucket is what is left', 'check-wait'),
  'check-wait-rounded-up': variant(
    'Retry-After of the check bucket is a second more than its window',
    'check-wait',
  ),
  'check-wait-literal': variant(
    'Retry-After of the check bucket is 60, whatever its window',
    'check-wait',
  ),
  'refusals-uncounted': variant('a request that is refused after its window is not counted'),
  'checks-counted-twice': variant('a check counts in the window of POST /orders too'),
  'checks-counted-twice-tighter': variant(
    'the same, and that window admits fewer requests than the check bucket',
    'budgets',
  ),
  'checks-counted-twice-briefly': variant(
    'the same, and that window is shorter, so that it and the check bucket refuse in turn',
    'budgets',
  ),
  'reads-counted-in-default': variant('GET /orders counts in a default window of its own too'),
  'checkout-counts-children': variant(
    'an unhide read of a checkout counts for each of its orders, and has no counter of its own',
  ),
  'checkout-of-one-apart': variant('a checkout with one order has a counter of its own'),
  'contention-queued': variant('orders that meet on a key wait for each other', 'contention'),
  'contention-queued-briefly': variant(
    'orders that meet on a key wait for each other some milliseconds before they contend',
    'contention',
  ),
  'contention-for-all': variant('orders contend on keys without a cap too', 'contention'),
  'contention-wait-two': variant('Retry-After of contention is 2', 'contention'),
  'contention-counted': variant('a contended order is counted by its rate-limit window'),
  'amounts-with-float-noise': variant(
    'balances and the amounts of a refused cap are written as binary fractions, such as 65.10000000000001',
  ),
  'balance-debited-later': variant('a purchase is taken off the balance some milliseconds later'),
  'cancelled-frees-cap': variant('a cancelled order gives its amount back to the cap'),
  'check-answers-bare': variant('the answer to a check has empty data'),
  'provider-silent-at-times': variant('the provider does not answer a check now and then'),
  'check-outcome-replayed': variant(
    'a purchase under the reference of a successful check gets the outcome of the check again',
  ),
  'check-needs-headroom': variant('a check is held to the cap, without using it up'),
} as const satisfies Record<string, VariantFact>

const ORDERS = {
  'references-of-any-letter': variant('a reference may have letters of any alphabet', 'references'),
  'references-uuid': variant('a reference has to be a UUID, also in a filter', 'references'),
  'references-digits': variant('a reference has to be of digits, 19 at most', 'references'),
  'order-ids-strange': variant('order identifiers have to be encoded in a URL', 'orderIds'),
  'order-ids-digits': variant('order identifiers are digits', 'orderIds'),
  'order-ids-uuid': variant(
    'order identifiers are UUIDs, and a filter that is none is refused',
    'orderIds',
  ),
  'orders-selected-by-one': variant(
    'a filter of both orderId and referenceId is refused, but for a checkout',
  ),
  'created-at-micros': variant('createdAt has microseconds', 'createdAt'),
  'created-at-offset': variant('createdAt is written with +00:00', 'createdAt'),
  'created-at-seconds': variant('createdAt has no fraction of a second', 'createdAt'),
  'created-at-minutes': variant('createdAt has no seconds', 'createdAt'),
  'created-at-absent': variant('no order has a createdAt', 'createdAt'),
  'created-at-absent-while-pending': variant('pending orders have no createdAt'),
  'pending-result-empty': variant(
    'the result of a pending order is an empty object, but for eSIMs',
    'pendingResult',
  ),
  'pending-result-null': variant('the result of a pending order is null', 'pendingResult'),
  'pending-retry-after-absent': variant(
    'pending orders but eSIMs come without Retry-After',
    'pendingWait',
  ),
  'pending-retry-after-long': variant(
    'pending orders but eSIMs come with a Retry-After of 60',
    'pendingWait',
  ),
  'post-results-absent': variant(
    'answers to purchases have no result, that of a pending eSIM included',
  ),
  'post-results-null': variant('the result in answers to purchases is null'),
  'voucher-results-null': variant('the result in answers to purchases of vouchers is null'),
  'pending-orders-appear-later': variant(
    'an order of what always comes later is found three tenths of a second after its purchase',
    'budgets',
  ),
  'orders-finish-soon': variant(
    'what is accepted at first finishes before its next request',
    'budgets',
  ),
  'orders-appear-later': variant(
    'an order that is complete at once is found three tenths of a second after its purchase',
  ),
  'purchases-later': variant(
    'every purchase is accepted at first, and finishes later',
    'pendingWait',
  ),
  'purchases-later-at-times': variant(
    'a purchase comes later now and then, and isLongOrder is ignored where nothing supports it',
    'pendingWait',
  ),
  'esims-at-once': variant('an eSIM is issued with its order', 'esims'),
  'orders-show-totals': variant('an order has a totalPrice too, of amount and currency'),
  'partial-of-one-empty': variant('a partial order of one piece delivers nothing'),
  'partial-result-null': variant('the result of a partial order that delivered nothing is null'),
  'purchases-sparse': variant('answers to purchases have the declared fields alone'),
  'carts-cheaper': variant('what is bought by a cart costs a twentieth less'),
  'checkouts-answer-201': variant('a checkout is answered by 201'),
  'checkout-orders-reversed': variant('the orders of a checkout are in another order'),
  'results-with-nulls': variant('what a result does not have is null'),
  'attributes-empty': variant('top-up attributes are empty'),
  'replay-answers-200': variant('a replay is answered by 200 always', 'replayStatus'),
  'replay-answers-201': variant('a replay is answered by 201 always', 'replayStatus'),
  'orders-of-100-pieces': variant('an order of vouchers takes 100 pieces at most', 'pieces'),
  'orders-of-10-pieces': variant('an order of vouchers takes 10 pieces at most', 'pieces'),
  'vouchers-cheaper-in-bulk': variant(
    'fifty vouchers or more of one order cost a tenth less',
    'bulk',
  ),
  'vouchers-cheaper-by-three': variant(
    'three vouchers or more of one order cost a tenth less',
    'bulk',
  ),
  'refusals-replayed': variant(
    'a reference whose purchase was refused by 422 or by the cap is answered so again',
  ),
  'replay-snapshot': variant('a replay shows the state of the first answer, but for eSIMs'),
  'replay-validates-body': variant('a replay with an invalid body is refused'),
  'foreign-reference-conflict': variant('a reference of another key of the account is a conflict'),
  'carts-by-position': variant('a cart beyond the cap leaves positions out until the others fit'),
  'carts-own-references': variant('checkouts have references of their own'),
  'masked-null': variant('the pin of a masked voucher is null', 'masked'),
  'masked-absent': variant('a masked voucher has no pin', 'masked'),
  'masked-fixed': variant('a masked code is four stars', 'masked'),
  'masked-last-two': variant('a masked code shows its last two characters', 'masked'),
  'post-answers-masked': variant('the answer to a purchase shows codes masked'),
  'codes-long': variant('codes are long, in small letters'),
  'voucher-expiration-offset': variant('vouchers expire at a moment of another time zone'),
  'gift-quotes-upstream-missing': variant(
    'the upstream gift service lacks its quote route: the target file says so',
  ),
  'gift-quotes-brief': variant('a quoteToken can be used for five seconds'),
  'gift-names-alike': variant('gifts of all editions have the same names', 'giftSnapshot'),
  'gift-snapshots-at-end': variant('a gift order shows its snapshot once it has ended'),
  'gift-sparse': variant('a gift snapshot has resolutionRequired alone', 'giftSnapshot'),
  'gift-states-other': variant(
    'a gift has a state that is not among the examples, and none of the recipient',
    'giftSnapshot',
  ),
  'voucher-sparse': variant('vouchers have a pin alone', 'voucher'),
  'voucher-nulls': variant('what a voucher has beside its pin is null', 'voucher'),
  'esim-sparse': variant('eSIM payloads have a qrCodeText alone'),
  'esim-fields-empty': variant(
    'the supplier of eSIMs gives an empty address for iOS, which is passed on',
  ),
  'esim-raw-at-result': variant('a raw eSIM payload stands at result'),
  'esim-raw-code-null': variant('a raw eSIM payload has a qrCodeText of null'),
  'long-orders-at-once': variant('long orders complete at once'),
  'gift-one-address': variant('one address of a gift is enough'),
  'listing-oldest-first': variant('the listing starts with the oldest order'),
  'pages-of-five': variant('the catalog refuses pages of more than five products'),
  'listing-page-small': variant('the listing shows two orders at most, unless asked for more'),
  'listing-unhide-refused': variant('unhide=true without a filter is refused'),
  'foreign-orders-404': variant(
    'the order of another key is answered by 404, an unknown one by an empty list',
    'emptyFilter',
  ),
  'pending-envelopes-success': variant('the envelope of a pending order says SUCCESS'),
  'list-status-of-orders': variant('the envelope status of a list is that of its orders'),
  'listing-late': variant('an order is listed without a filter most of a second after it was made'),
  'listing-states-late': variant(
    'the listing shows the states of orders as they were most of a second before',
  ),
  'page-bare': variant('data.page has items alone'),
  'empty-filter-404': variant('a filter that finds nothing is answered by 404', 'emptyFilter'),
  'prefix-everywhere': variant('all paths start with /api/v1', 'paths'),
  stranger: variant(
    'paths, bodies and fields that the interface does not show are all others',
    'paths',
  ),
} as const satisfies Record<string, VariantFact>

export const VARIANTS = { ...ANSWERS, ...CATALOG, ...KEYS, ...LIMITS, ...ORDERS } as const

export type VariantName = keyof typeof VARIANTS
export const VARIANT_NAMES = Object.keys(VARIANTS) as readonly VariantName[]

export function isVariantName(text: string): text is VariantName {
  return Object.hasOwn(VARIANTS, text)
}

/** Throws RangeError for a name that does not exist. */
export function variantSet(names: readonly string[] = []): VariantSet {
  const unknown = names.find((name) => !isVariantName(name))
  if (unknown !== undefined)
    throw new RangeError(
      `Got the variant name ${JSON.stringify(unknown)}, which does not exist; list the names with \`npm run serve -- --list-variants\`.`,
    )
  return new Variants(names.filter(isVariantName))
}

export type VariantSet = ReadonlySet<VariantName>

/** Asked many times by every request, nearly always of a service without variants. */
class Variants extends Set<VariantName> {
  override has(name: VariantName): boolean {
    return this.size > 0 && super.has(name)
  }
}
