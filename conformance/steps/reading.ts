import { isTerminal } from '../../contract/wire.ts'
import { isMasked, isTraceable } from '../../harness/judge/codes.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import type { CallOptions, CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import {
  inconclusive,
  isAccepted,
  isObject,
  needSuccess,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findsNothing, itemsOf, orderIdsOf, type OrderItem } from './orders.ts'

export type Revealed = { readonly exchange: Exchange; readonly codes: readonly unknown[] }

/** Reads an order with unhide=true, which its budget permits once in a window. */
export async function reveal(
  context: CheckContext,
  orderId: string,
  referenceId?: string,
): Promise<Revealed> {
  const query = { orderId, referenceId, unhide: true }
  const exchange = needSuccess(await context.api.as('full').getOrders(query))
  return { exchange, codes: codesIn(context, exchange) }
}

/** The listed orders of an answer; untested where a success lists none at the place that GET-01 decides. */
export function needItems(exchange: Exchange): readonly OrderItem[] | undefined {
  const items = itemsOf(exchange)
  if (!items && isAccepted(exchange))
    untested(`the reading has no list of orders: ${showAnswer(exchange)}`)
  return items
}

/** The vouchers of the one order that was read; undefined where the list keeps them elsewhere. Untested where they are no array: ORD-12. */
export function vouchersOf(exchange: Exchange): readonly unknown[] | undefined {
  return vouchersIn(itemsOf(exchange)?.[0])
}

/** The same of one of several orders that were read. */
export function vouchersIn(item: OrderItem | undefined): readonly unknown[] | undefined {
  const result = item?.['result']
  const vouchers = (result as { vouchers?: unknown } | null | undefined)?.vouchers
  if (vouchers === undefined || vouchers === null) return undefined
  if (!Array.isArray(vouchers)) untested('the vouchers of the order are no array')
  return vouchers
}

/** Every code in a reading of orders, masked or in clear. For checks that need the selector `getOrders.codes`. */
export function codesIn({ target }: CheckContext, exchange: Exchange): readonly unknown[] {
  const selector = target.operations.getOrders.selectors['codes']
  if (selector === undefined) throw new Error('the check must need the selector getOrders.codes')
  const codes = selectEach(selector, exchange.json)
  if (codes.some((code) => typeof code !== 'string' && code !== null))
    untested('codes of the order are no texts, which ORD-14 decides')
  return codes
}

/** Codes of a reading with unhide=true, those of them that are surely in clear, and what else a verdict on them names. */
type Unhidden = {
  readonly codes: readonly unknown[]
  readonly clear: readonly string[]
  readonly exchanges: readonly Exchange[]
  /** So many in clear at least. */
  readonly clearMin?: number
  /** Added to what was observed. */
  readonly note?: string
}

/** Whether every code is in clear; inconclusive where one may be a mask or a code. */
export function expectClear(
  { expect }: CheckContext,
  statement: string,
  { codes, clear, exchanges, clearMin, note = '' }: Unhidden,
): void {
  const open = codes.filter((code) => !clear.includes(code as string))
  if (open.some((code) => typeof code === 'string' && !isMasked(code)))
    inconclusive('masked and revealed answers show the same text, which may be a mask or a code')
  expect('UNHIDE-01').that(statement, {
    holds: open.length === 0 && clear.length >= (clearMin ?? 0),
    expected:
      clearMin === undefined
        ? `${codes.length} codes in clear`
        : `a code in clear for each of ${clearMin} orders at least, and none masked`,
    observed: `${clear.length} in clear, ${open.length} masked or no text${note}`,
    exchanges,
  })
}

/** What an order that is not there looks like: status of the answer and number of orders. */
export function looksOf(exchange: Exchange): readonly [number | undefined, number] {
  return [exchange.response?.status, itemsOf(exchange)?.length ?? 0]
}

/** That both selectors may stand together is shown for checkouts alone: for one order a service may refuse the query. */
export function isRefusedPair(
  filter: NonNullable<CallOptions['query']>,
  { response }: Exchange,
): boolean {
  const isPair = filter['orderId'] !== undefined && filter['referenceId'] !== undefined
  return isPair && [400, 422].includes(response?.status ?? 0)
}

/** A key that did not buy it does not find an order. */
export async function expectHidden(
  { api, expect }: CheckContext,
  role: 'sibling' | 'stranger',
  requirement: RequirementId,
  seen: {
    readonly filter: NonNullable<CallOptions['query']>
    readonly exchanges: readonly Exchange[]
  },
): Promise<void> {
  const foreign = await api.as(role).getOrders(seen.filter)
  expect(requirement).that(`${role} finds nothing by ${show(seen.filter)}`, {
    holds: looksOf(foreign)[1] === 0,
    expected: 'no order',
    exchanges: [...seen.exchanges, foreign],
  })
}

/** What an account bought is found by its key, and not by that of another account. */
export async function expectHiddenFromStranger(
  context: CheckContext,
  bought: Exchange,
  filter: NonNullable<CallOptions['query']>,
): Promise<void> {
  const own = await context.api.as('full').getOrders(filter)
  if (isRefusedPair(filter, own)) return
  if (looksOf(own)[1] === 0)
    untested(`what its own key does not find by ${show(filter)} cannot be hidden from others`)
  await expectHidden(context, 'stranger', 'GET-11', { filter, exchanges: [bought, own] })
}

/** What was bought a moment ago may come late to a listing. */
export const LATE = { seconds: 1, reason: 'an order to be listed' } as const

export function waitWhileLate({ wait }: Pick<CheckContext, 'wait'>): Promise<void> {
  return wait(LATE.reason, LATE.seconds * 1000)
}

/**
 * Whether the listing of a key shows what the check bought with it, and nothing else: how a listing is paged is not shown, so that one
 * of several orders is enough. `own` is a reading of the orders: pending ones may be listed once they have ended. Gives whether it was
 * judged.
 */
export async function expectListed(
  context: CheckContext,
  own: Exchange,
  orderIds: readonly string[],
): Promise<boolean> {
  const hasEnded = (itemsOf(own) ?? []).every(({ status }) => isTerminal(status))
  if (!context.isFresh || !hasEnded) return false
  const list = (): Promise<Exchange> =>
    context.api.as('full').getOrders({}, { throttled: 'return' })
  const isShown = (listed: Exchange): boolean | undefined =>
    isAccepted(listed)
      ? orderIdsOf(context, listed)?.some((id) => orderIds.some((each) => each === id))
      : undefined
  let listed = await list()
  if (isShown(listed) === false) {
    await waitWhileLate(context)
    listed = await list()
  }
  const holds = isShown(listed)
  if (holds === undefined) return false
  context.expect('GET-07').that('the listing of a key that bought nothing else shows it', {
    holds,
    expected: `an order of ${show(orderIds)}`,
    observed: show(orderIdsOf(context, listed)),
    exchanges: [own, listed],
  })
  return true
}

/** One more letter or digit makes such an identifier different from others. */
const LOOKED_AT = 1_000

/** An identifier of the same form that no order has: the last letter or digit replaced by another of its kind. */
export function strangeIdLike(orderId: string): string {
  let index = orderId.length - 1
  const first = Math.max(0, orderId.length - LOOKED_AT)
  while (index >= first && !/[0-9A-Za-z]/.test(orderId.charAt(index))) index -= 1
  if (index < first) return `${orderId}0`
  const last = orderId.charAt(index)
  const other = /\d/.test(last)
    ? String((Number(last) + 5) % 10)
    : /[a-z]/.test(last)
      ? swap(last, 'a', 'b')
      : swap(last, 'A', 'B')
  return orderId.slice(0, index) + other + orderId.slice(index + 1)
}

function swap(letter: string, one: string, two: string): string {
  return letter === one ? two : one
}

/** What the target answers about an order that does not exist. Untested where even that finds something. */
export async function needNothing(
  read: (value: string) => Promise<Exchange>,
  value: string,
): Promise<Exchange> {
  const exchange = await read(value)
  if (!findsNothing(exchange) && (itemsOf(exchange)?.length ?? 0) > 0)
    untested('a filter for an order that does not exist finds something')
  return exchange
}

/**
 * Two have the same code, and no serial number tells them apart. Short codes may be alike by chance: all of them have to be. Only codes
 * in clear count.
 */
export function isRepeated(
  vouchers: readonly unknown[],
  codes: readonly unknown[],
  clear: readonly string[],
): boolean {
  if (clear.length === 0 || codes.length < 2) return false
  const serials = vouchers.map((voucher) => (isObject(voucher) ? voucher['serialNumber'] : voucher))
  const isOneCode = typeof codes[0] === 'string' && new Set(codes).size === 1
  if (isOneCode && new Set(serials).size <= 1) return true
  if (codes.length !== vouchers.length) return false
  const long = codes.flatMap((code, index) =>
    typeof code === 'string' && isTraceable(code) && clear.includes(code)
      ? [JSON.stringify([code, serials[index]])]
      : [],
  )
  return new Set(long).size < long.length
}
