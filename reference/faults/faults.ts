import { type FaultFact, fault } from './fact.ts'
import { ACCESS_FAULTS } from './access.ts'
import { ANSWER_FAULTS } from './answers.ts'
import { BODY_FAULTS } from './bodies.ts'
import { BUDGET_FAULTS } from './budgets.ts'
import { CATALOG_FAULTS } from './catalog.ts'
import { CHARGE_FAULTS } from './charges.ts'
import { CHECK_FAULTS } from './checks.ts'
import { ENDPOINT_FAULTS } from './endpoints.ts'
import { KEY_FAULTS } from './keys.ts'
import { KIND_FAULTS } from './kinds.ts'
import { LIMIT_FAULTS } from './limits.ts'
import { NATURE_FAULTS } from './natures.ts'
import { NOTHING_BOUGHT_FAULTS } from './nothing-bought.ts'
import { ORDER_FAULTS } from './orders.ts'
import { CROWDED, UNDER_LOAD_FAULTS } from './under-load.ts'
import { Crowd } from './crowd.ts'
import { WINDOW_FAULTS } from './windows.ts'
import { SHAPE_FAULTS, type ShapeFault, shapeFault } from './shape.ts'

/**
 * Named deliberate defects of the reference service. Each is small, is switched at one point of the code by its name, and breaks
 * one requirement that a client can see; the checks are proven by turning them on one at a time.
 */
export const FAULTS = {
  'envelope-status-unknown': fault('ENV-06', 'envelope status is OK, which is none of the four'),
  'status-code-missing': fault('ENV-07', 'the envelope has no statusCode'),
  'status-code-out-of-range': fault('ENV-07', 'statusCode is 15'),
  'status-message-missing': fault('ENV-08', 'the envelope has no statusMessage'),
  'trace-id-missing': fault('ENV-09', 'the envelope has no traceId'),
  'error-without-envelope': fault('ERR-01', 'refusals are plain text'),
  'forbidden-named-code': fault('ERR-02', 'a 403 carries statusCode 13'),
  'field-error-code-of-formats': fault(
    'FIELD-01',
    'a value of a wrong format or length has the code WRONG_FORMAT',
  ),
  'content-type-ignored': fault('CTYPE-01', 'no POST is refused for its media type'),
  'content-type-after-validation': fault(
    'CTYPE-03',
    'an order that is not valid gets 422 before its media type is looked at',
  ),
  'revoked-key-accepted': fault('AUTH-03', 'a revoked key works'),
  'expired-key-accepted': fault('AUTH-04', 'an expired key works'),
  'scope-before-key-status': fault('SEQ-02', 'scopes are decided before revocation'),
  'limit-before-scope': fault('SEQ-05', 'the rate limit is decided before scopes'),
  'limit-before-allowlist': fault('SEQ-06', 'the rate limit is decided before the allowlist'),
  'scope-forgotten-on-services': fault(
    'SCOPE-01',
    'the catalog can be listed without product:read',
  ),
  'scope-forgotten-on-orders-write': fault(
    'SCOPE-03',
    'orders can be created without orders:write',
  ),
  'scope-answers-404': fault('SCOPE-05', 'a missing scope is answered by 404'),
  'scope-write-implies-read': fault('SCOPE-12', 'orders:write includes orders:read'),
  'allowlist-empty-blocks': fault('ALLOW-01', 'a key without an allowlist may call from nowhere'),
  'allowlist-ignored': fault('ALLOW-02', 'the allowlist is not looked at'),
  'forwarded-for-trusted': fault('ALLOW-02', "the caller's address is taken from X-Forwarded-For"),
  'allowlist-single-one-bit-wide': fault('ALLOW-04', 'a single address lets its neighbour in'),
  'allowlist-cidr-one-bit-wide': fault('ALLOW-05', 'a network is compared with one bit less'),
  'allowlist-wildcard-one-octet-wide': fault(
    'ALLOW-06',
    'a wildcard is compared with one octet less',
  ),
  'allowlist-message-without-address': fault(
    'ALLOW-10',
    'the allowlist message does not name the caller',
  ),
  'allowlist-message-echoes-list': fault('ALLOW-11', 'the allowlist message lists the entries'),
  'whoami-other-address': fault('WHO-01', "whoami names an address that is not the caller's"),
  'services-legacy-truncated': fault(
    'CAT-02',
    'the listing without parameters lacks the last product',
  ),
  'services-type-ignored': fault('CAT-03', 'type=voucher has no effect'),
  'services-search-case-sensitive': fault('CAT-08', 'search tells upper from lower case'),
  'services-limit-off-by-one': fault('CAT-09', 'a page has one product more than limit'),
  'services-total-missing': fault('CAT-11', 'pages have no total'),
  'services-total-of-page': fault('CAT-13', 'total counts the products of the page'),
  'lookup-error-unknown': fault('LOOK-06', 'a missing item has the error not_found'),
  'created-at-without-zone': fault('ORD-09', 'createdAt is not marked as UTC'),
  'replay-creates-second-order': fault('IDEM-05', 'a referenceId that is sent again buys again'),
  'replay-status-code': fault('IDEM-04', 'a replay has the statusCode of a first success'),
  'replay-refuses-other-body': fault('IDEM-06', 'a replay with another body is refused'),
  'replay-needs-same-body': fault('IDEM-08', 'a replay with another body buys again'),
  'replay-charges-again': fault('IDEM-09', 'a replay uses the cap up once more'),
  'reference-shared-by-accounts': fault('IDEM-11', 'a referenceId is unique across accounts'),
  'duplicates-race': fault('IDEM-12', 'first-time duplicates that arrive together all buy'),
  'async-answers-200': fault('ASYNC-01', 'an asynchronous purchase is answered by 200'),
  'async-never-finishes': fault('STATE-02', 'asynchronous orders stay IN_PROGRESS'),
  'success-at-once-reverts': fault(
    'STATE-03',
    'an order that finished at once is IN_PROGRESS when it is read again',
  ),
  'allowlist-lists-nobody': fault('ALLOW-03', 'a key with an allowlist may call from nowhere'),
  'terminal-state-reverts': fault(
    'STATE-03',
    'an order that was read as finished turns pending again',
  ),
  'orders-filter-reference-ignored': fault('GET-04', 'referenceId selects every order'),
  'orders-visible-to-account': fault('GET-08', 'other keys of the account find an order'),
  'listing-shows-account': fault(
    'GET-10',
    'the listing shows the orders of every key of the account',
  ),
  'orders-visible-to-everyone': fault(
    'GET-11',
    'keys of other accounts find an order by its orderId',
  ),
  'checkouts-visible-to-everyone': fault(
    'GET-11',
    'keys of other accounts find a checkout by its referenceId',
  ),
  'both-filters-visible-to-everyone': fault(
    'GET-11',
    'keys of other accounts find an order by orderId and referenceId together',
  ),
  'filtered-unmasked': fault('GET-12', 'reads by orderId or referenceId show codes in clear'),
  'listing-unmasked': fault('GET-12', 'the listing shows codes in clear'),
  'masked-code-in-note': fault('GET-12', 'the pin is masked, but a note repeats it'),
  'unhide-false-reveals': fault('GET-13', 'the presence of unhide counts, not its value'),
  'unhide-partial-is-completed': fault(
    'UNHIDE-06',
    'PARTIALLY_COMPLETED counts in the completed budget',
  ),
  'unhide-completed-unlimited': fault(
    'UNHIDE-10',
    'codes of a finished order come from a cache that no budget bounds',
  ),
  'unhide-alias-counted-apart': fault(
    'UNHIDE-13',
    'orderId and referenceId of an order have a counter each',
  ),
  'unhide-counter-per-account': fault(
    'UNHIDE-14',
    'all orders of an account share one unhide counter',
  ),
  'unhide-first-child-decides': fault(
    'UNHIDE-15',
    'the first order of a checkout alone selects the budget',
  ),
  'admission-missing': fault('UNHIDE-17', 'unhide attempts are bounded by the state budgets only'),
  'admission-count-maximum': fault(
    'UNHIDE-17',
    'admission takes the larger count instead of the sum',
  ),
  'admission-window-lcm': fault(
    'UNHIDE-18',
    'admission takes the least common multiple of the windows',
  ),
  'admission-after-state-limit': fault(
    'UNHIDE-19',
    'attempts that a state budget refuses do not count for admission',
  ),
  'window-count-minus-one': fault('RATE-01', 'a window admits one request less'),
  'window-count-plus-one': fault('RATE-02', 'a window admits one request more'),
  'window-sliding-log': fault('RATE-03', 'windows slide'),
  'window-token-bucket': fault('RATE-03', 'requests drip back one by one'),
  'throttle-answers-503': fault('RATE-04', 'a spent window is answered by 503'),
  'throttle-status-code': fault('RATE-05', 'a rate-limit 429 has statusCode 13'),
  'retry-after-missing': fault('RATE-06', 'a rate-limit 429 has no Retry-After'),
  'retry-after-fractional': fault('RATE-07', 'Retry-After has fractions of a second'),
  'retry-after-http-date': fault('RATE-07', 'Retry-After is a date'),
  'retry-after-rounded-down': fault('RATE-08', 'Retry-After is rounded down'),
  'window-counter-global': fault('RATE-09', 'all accounts share their windows'),
  'window-counter-per-key': fault('RATE-10', 'each key has windows of its own'),
  'filtered-counted-as-listing': fault(
    'RATE-15',
    'masked reads count in the window of the listing',
  ),
  'check-bucket-unnamed': fault('RATE-22', 'the message of a 429 does not name the bucket'),
  'check-bucket-throttles-creation': fault('RATE-24', 'purchases count in the check bucket'),
  'rate-limits-report-defaults': fault(
    'LIMIT-01',
    'the report gives the defaults, whatever is configured',
  ),
  'rate-limits-omits-admission': fault('LIMIT-02', 'the report has no admission bucket'),
  'cap-strictly-less': fault('CAP-02', 'a purchase that would use the cap up is refused'),
  'cap-answers-429': fault('CAP-03', 'a used-up cap is a rate limit, as before May 2026'),
  'cap-status-code': fault('CAP-04', 'the 409 of the cap has another statusCode'),
  'cap-error-code-missing': fault('CAP-05', 'the 409 of the cap has no errorCode'),
  'cap-message-without-amounts': fault('CAP-06', 'the 409 of the cap gives no amounts'),
  'cap-refusal-burns-reference': fault(
    'CAP-10',
    'a referenceId that the cap refused cannot be used again',
  ),
  'cap-refusal-leaks-reservation': fault('CAP-11', 'a refused purchase keeps its reservation'),
  'spend-check-then-act': fault(
    'CAP-13',
    'the cap is checked before the quote and charged after it',
  ),
  'spend-lost-update': fault('CAP-13', 'the counter is read before the quote and written after it'),
  'contention-bad-gateway': fault('BUSY-01', 'contention is answered by 502'),
  'contention-without-retry-after': fault('BUSY-02', 'the 429 of contention has no Retry-After'),
  'contention-creates-order': fault('BUSY-04', 'a contended order is created all the same'),
  'contention-leaks-reservation': fault('BUSY-05', 'a contended order keeps its reservation'),
  'check-creates-order': fault('CHECK-02', 'a check creates an order'),
  'check-timeout-status-code': fault('CHECK-06', 'the 504 of a check has statusCode 12'),
  'check-timeout-without-retry-after': fault('CHECK-07', 'the 504 of a check has no Retry-After'),
  'check-charges': fault(
    'CHECK-09',
    'a check uses the cap up, whether the provider answers or not',
  ),
  'gift-token-signature-optional': fault(
    'GIFT-05',
    'a quoteToken with an empty signature is taken for signed',
  ),
  'cart-drops-last-position': fault('CART-01', 'a checkout leaves out its last position'),
  'checkout-total-of-first': fault('CART-07', 'totalPrice is the price of the first order'),
  'envelope-missing': fault('ENV-01', 'successes are the bare data'),
  'body-not-json': fault('ENV-02', 'a comma follows the body'),
  'body-after-byte-order-mark': fault('ENV-02', 'the body begins with a byte order mark'),
  'validation-lists-missing-only': fault(
    'VAL-02',
    'errors lists what is missing; where a value is wrong it is empty',
  ),
  'origin-refused': fault('AUTH-06', 'a call with an Origin header is refused'),
  'limit-before-key-status': fault('SEQ-03', 'the rate limit is decided before revocation'),
  'services-need-orders-read': fault(
    'SCOPE-07',
    'the catalog needs orders:read besides product:read',
  ),
  'allowlist-ipv6-compared-as-text': fault(
    'ALLOW-07',
    'a single IPv6 address is compared as it is written',
  ),
  'allowlist-ipv6-cidr-one-bit-wide': fault(
    'ALLOW-08',
    'an IPv6 network is compared with one bit less',
  ),
  'services-search-prefix-only': fault('CAT-06', 'search looks at the beginning of the name only'),
  'services-total-needs-limit': fault('CAT-12', 'offset alone gives no total'),
  'orders-type-defaulted': fault('ORD-04', 'an unknown ordersType is taken for shop'),
  'finished-result-null': fault('ORD-11', 'the result of a finished voucher order is null'),
  'async-status-success': fault('ASYNC-02', 'the 202 of an asynchronous purchase says SUCCESS'),
  'orders-visible-to-account-by-reference': fault(
    'GET-09',
    'other keys of the account find an order by its referenceId',
  ),
  'unhide-counts-as-filtered': fault(
    'UNHIDE-23',
    'unhide reads count in the window of masked reads too',
  ),
  'window-leaks': fault('RATE-02', 'every tenth request beyond the budget passes'),
  'retry-after-always-one': fault('RATE-08', 'Retry-After is 1, whatever is left'),
  'filtered-counted-per-order': fault('RATE-16', 'masked reads have a window for each order'),
  'admission-source-default': fault('LIMIT-05', 'the source of admission is always default'),
  'cap-message-without-headroom': fault('CAP-07', 'the 409 of the cap does not give the headroom'),
  'cap-message-without-limit': fault('CAP-08', 'the 409 of the cap does not give the cap'),
  'purchase-uncharged': fault('CAP-12', 'purchases use nothing of the cap up'),
  'cap-refusal-suspends-key': fault('CAP-14', 'a key that was refused by its cap is revoked'),
  'contention-long-wait': fault('BUSY-03', 'the Retry-After of contention is 5'),
  'contention-burns-reference': fault(
    'BUSY-06',
    'a referenceId that met contention cannot be used again',
  ),
  'check-answers-202': fault('CHECK-03', 'a check is answered by 202'),
  'dtu-with-vouchers': fault('DTU-02', 'the result of a top-up has vouchers'),
  'esim-replay-until-read': fault(
    'ESIM-08',
    'the replay of an eSIM purchase shows the payload only after the order was read',
  ),
  'esim-replay-stale': fault('ESIM-08', 'the replay of an eSIM purchase never shows the payload'),
  'esim-payload-invented': fault('ESIM-21', 'a payload without qrCodeText gets one made up for it'),
  ...ACCESS_FAULTS,
  ...CATALOG_FAULTS,
  ...ENDPOINT_FAULTS,
  ...NATURE_FAULTS,
  ...NOTHING_BOUGHT_FAULTS,
  ...ORDER_FAULTS,
  ...LIMIT_FAULTS,
  ...CHARGE_FAULTS,
  ...BODY_FAULTS,
  ...BUDGET_FAULTS,
  ...CHECK_FAULTS,
  ...KEY_FAULTS,
  ...KIND_FAULTS,
  ...WINDOW_FAULTS,
  ...ANSWER_FAULTS,
  ...SHAPE_FAULTS,
  ...UNDER_LOAD_FAULTS,
} as const satisfies Record<string, FaultFact>

export type { FaultFact } from './fact.ts'
export type FaultName = keyof typeof FAULTS
/** Those that show at rest: each has a row in the matrix of faults and checks. */
export const FAULT_NAMES = (Object.keys(FAULTS) as FaultName[]).filter(
  (name) => !Object.hasOwn(UNDER_LOAD_FAULTS, name),
) as readonly FaultName[]

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(FAULTS, text)
}

const BOOKING = 'booking'

/** The faults that are on. Read at every point that one can break; changed only through the control side. */
export class FaultSet {
  readonly #on = new Set<FaultName>()
  readonly #notes = new Set<string>()
  readonly #moments = new Map<string, number>()
  readonly #reads = new Map<string, number>()
  /** What faults of a busy service hold. */
  crowd = new Crowd()
  #isEmpty = true
  #shapes: readonly ShapeFault[] = []

  constructor(names: readonly FaultName[] = []) {
    this.set(names)
  }

  /** Asked dozens of times by every request, nearly always of a service without faults. */
  has(name: FaultName): boolean {
    return !this.#isEmpty && this.#on.has(name)
  }

  /** Whether it is on, and the service is busy: orders of all accounts came faster than it books them. */
  hasWhileBusy(name: FaultName, nowMs: number): boolean {
    return this.has(name) && this.crowd.isBehind(BOOKING, nowMs, CROWDED.busy)
  }

  /** One more order to book. */
  noteBooking(nowMs: number): void {
    if (!this.#isEmpty) this.crowd.doneAtMs(BOOKING, nowMs, CROWDED.busy.perSecond)
  }

  /** Whether none is on. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Turns exactly these on. Throws RangeError for a name that does not exist. */
  set(names: readonly string[]): void {
    const known = names.filter(isFaultName)
    const unknown = names.find((name) => !isFaultName(name))
    if (unknown !== undefined)
      throw new RangeError(
        `Got the fault name ${JSON.stringify(unknown)}, which does not exist; list the names with \`npm run serve -- --list-faults\`.`,
      )
    this.#on.clear()
    this.#notes.clear()
    this.crowd = new Crowd()
    for (const name of known) this.#on.add(name)
    this.#isEmpty = this.#on.size === 0
    this.#shapes = known.map(shapeFault).filter((fault) => fault !== undefined)
  }

  /** Whether a fault that is on has noted this before. */
  hasNoted(name: FaultName, what: string): boolean {
    return this.has(name) && this.#notes.has(`${name}|${what}`)
  }

  /** Some faults depend on what happened: they keep it here, apart from the state of the service. */
  note(name: FaultName, what: string): void {
    if (this.has(name)) this.#notes.add(`${name}|${what}`)
  }

  noteMoment(name: FaultName, what: string, nowMs: number): void {
    if (this.has(name)) this.#moments.set(`${name}|${what}`, nowMs)
  }

  lastMoment(name: FaultName, what: string): number | undefined {
    return this.#moments.get(`${name}|${what}`)
  }

  /** Counts readings of an order: what several faults look at. */
  countRead(orderId: string): void {
    this.#reads.set(orderId, this.reads(orderId) + 1)
  }

  reads(orderId: string): number {
    return this.#reads.get(orderId) ?? 0
  }

  forget(name: FaultName, what: string): void {
    if (this.#notes.size > 0) this.#notes.delete(`${name}|${what}`)
  }

  /** The faults of shape among those that are on. */
  shapes(): readonly ShapeFault[] {
    return this.#shapes
  }

  names(): FaultName[] {
    return [...this.#on]
  }
}
