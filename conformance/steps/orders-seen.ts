/** What the answers of a run show of orders and vouchers: the subjects of invariants. */
import { isPurchase } from '../../contract/operations.ts'
import { sentBody, sentReference, valueInside } from '../../harness/client/sent-body.ts'
import { isTerminal } from '../../contract/wire.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import type {
  Exchange,
  InvariantContext,
  InvariantDefinition,
  RequirementId,
} from '../engine/kit.ts'
import {
  asksToUnhide,
  hasFilter,
  inapplicable,
  invariant,
  isAccepted,
  isObject,
  queryOf,
  untested,
} from '../engine/kit.ts'
import { dataOf, itemsOf } from './orders.ts'

type Fields = Readonly<Record<string, unknown>>

/** The answer to one accepted purchase. */
export type SeenPurchase = {
  readonly exchange: Exchange
  /** `ordersType` of the first request that this order answered: a replay may ask for another kind. Undefined where its body has none. */
  readonly kind: unknown
  readonly value: Fields
}

/** One voucher of an answer. */
export type SeenVoucher = {
  readonly exchange: Exchange
  readonly value: Fields
  /**
   * It was read with unhide=true and a filter. Whether an answer to a purchase, or a listing without a filter, shows codes in clear is
   * not shown.
   */
  readonly isClear: boolean
}

export const purchasesSeen = onceFor((history): readonly SeenPurchase[] => {
  const kinds = new Map<string, unknown>()
  const checked = new Set<string>()
  return history
    .filter((exchange) => exchange.operation === 'createOrder' && isReadable(exchange))
    .toSorted((one, other) => one.sentAtMs - other.sentAtMs)
    .flatMap((exchange) => {
      const body = sentBody(exchange)
      const reference = referenceKeyOf(exchange)
      if (valueInside(body, 'checkOnly') === true) {
        if (reference !== undefined) checked.add(reference)
        return []
      }
      const asked = valueInside(body, 'ordersType')
      const value = dataOf(exchange)
      const { orderId } = value
      // It may be the outcome of that check again, which is no order (OPEN-88): CHECK-02 judges it.
      if (orderId === undefined && reference !== undefined && checked.has(reference)) return []
      if (typeof orderId !== 'string') return [{ exchange, kind: asked, value }]
      const order = `${exchange.account} ${orderId}`
      if (!kinds.has(order)) kinds.set(order, asked)
      return [{ exchange, kind: kinds.get(order), value }]
    })
})

/**
 * What many invariants look for in one history is looked for once, as long as nothing is added to it. The rest is of the run's one
 * target.
 */
export function onceFor<T, Rest extends readonly unknown[]>(
  of: (history: readonly Exchange[], ...rest: Rest) => T,
): (history: readonly Exchange[], ...rest: Rest) => T {
  const known = new WeakMap<readonly Exchange[], { readonly length: number; readonly seen: T }>()
  return (history, ...rest) => {
    const before = known.get(history)
    if (before?.length === history.length) return before.seen
    const seen = of(history, ...rest)
    known.set(history, { length: history.length, seen })
    return seen
  }
}

/** Those of the purchases that were the first to be sent under their reference, so that none is a replay. */
export const firstAnswers = onceFor((history): readonly SeenPurchase[] => {
  const sent = Map.groupBy(
    history.filter(({ operation }) => isPurchase(operation)),
    referenceKeyOf,
  )
  return purchasesSeen(history).filter(({ exchange }) => {
    const key = referenceKeyOf(exchange)
    const others = (sent.get(key) ?? []).filter((each) => each !== exchange)
    return key !== undefined && others.every((each) => each.sentAtMs > exchange.receivedAtMs)
  })
})

/** References are unique in an account. Undefined where the body has none. */
export function referenceKeyOf(exchange: Exchange): string | undefined {
  const referenceId = sentReference(exchange)
  return referenceId === undefined ? undefined : `${exchange.account} ${referenceId}`
}

/** One item of a reading of orders, and which order it is; undefined where the answer does not say. */
export type SeenItem = { readonly item: unknown; readonly orderId: unknown }

/** Items are told apart by the selector of the target file, by their `orderId`, or as the only one that an orderId selected. */
export function itemsSeen(exchange: Exchange, selector: string | undefined): readonly SeenItem[] {
  if (exchange.operation !== 'getOrders' || !isReadable(exchange)) return []
  const items: readonly unknown[] = itemsOf(exchange) ?? []
  const ids = selector === undefined ? undefined : selectEach(selector, exchange.json)
  const only = items.length === 1 ? queryOf(exchange).get('orderId') : undefined
  return items.map((item, index) => {
    const own = isObject(item) ? item['orderId'] : undefined
    return { item, orderId: ids?.length === items.length ? ids[index] : (own ?? only) }
  })
}

/** The same purchases, and what later reads show of them: items of a listing that name an order which the run bought. */
export const ordersSeen = onceFor((history): readonly SeenPurchase[] => {
  const purchases = purchasesSeen(history)
  const kinds = new Map(purchases.map(({ value, kind }) => [value['orderId'], kind]))
  const read = history
    .filter((exchange) => exchange.operation === 'getOrders' && isReadable(exchange))
    .flatMap((exchange) =>
      (itemsOf(exchange) ?? [])
        .filter((item) => isObject(item) && typeof item['orderId'] === 'string')
        .filter(({ orderId }) => kinds.has(orderId))
        .map((value) => ({ exchange, kind: kinds.get(value['orderId']), value })),
    )
  return [...purchases, ...read]
})

export const vouchersSeen = onceFor((history): readonly SeenVoucher[] => {
  const posted = purchasesSeen(history)
    .filter(({ kind }) => kind === 'shop')
    .flatMap(({ exchange, value }) => vouchersIn(value, exchange, false))
  const revealed = history
    .filter((exchange) => isReadable(exchange) && isReveal(exchange))
    .flatMap((exchange) =>
      (itemsOf(exchange) ?? [])
        .filter(({ status }) => isTerminal(status))
        .flatMap((item) => vouchersIn(item, exchange, hasFilter(exchange))),
    )
  return [...posted, ...revealed]
})

function isReadable(exchange: Exchange): boolean {
  return isAccepted(exchange) && exchange.json !== undefined
}

export function isReveal(exchange: Exchange): boolean {
  return exchange.operation === 'getOrders' && asksToUnhide(exchange)
}

function vouchersIn(order: Fields, exchange: Exchange, isClear: boolean): SeenVoucher[] {
  const vouchers = isObject(order['result']) ? order['result']['vouchers'] : undefined
  if (!Array.isArray(vouchers)) return []
  return vouchers.filter(isObject).map((value) => ({ exchange, value, isClear }))
}

/** Exchanges that one finding names. */
const NAMED_MAX = 5

export type Rule<Subject> = {
  readonly id: string
  readonly title: string
  readonly requirement: RequirementId
  /** Reads as a claim about one subject. */
  readonly statement: string
  readonly subjects: (context: InvariantContext) => readonly Subject[]
  /** Why there may be nothing to judge. */
  readonly nothing: string
  /** Answers that have nothing of it are right too, so that none is nothing that the run lacks. */
  readonly isOptional?: boolean | ((context: InvariantContext) => boolean)
  /** What breaks the rule; undefined when it holds. */
  readonly breach: (subject: Subject) => string | undefined
}

type Seen = {
  readonly exchange: Exchange
  /** What it is held against, if that was answered before: an outage between the two may explain a difference. */
  readonly first?: { readonly exchange: Exchange }
}

/** One requirement held against everything of a kind that the run saw; not decided when it saw nothing of it. */
export function everySeen<Subject extends Seen>(rule: Rule<Subject>): InvariantDefinition {
  const { id, title, requirement, statement, nothing } = rule
  return invariant({
    id,
    title,
    requirements: [requirement],
    judge: (context) => {
      const subjects = rule.subjects(context)
      if (subjects.length === 0) {
        const { isOptional = false } = rule
        const isRight = typeof isOptional === 'function' ? isOptional(context) : isOptional
        return isRight ? inapplicable(nothing) : untested(nothing)
      }
      const broken = subjects.flatMap((subject) => {
        const breach = rule.breach(subject)
        return breach === undefined ? [] : [{ ...subject, breach }]
      })
      context.expect(requirement).that(`${statement} (${subjects.length} seen)`, {
        holds: broken.length === 0,
        expected: `so in all ${subjects.length}`,
        observed:
          broken.length === 0
            ? 'in all'
            : `not in ${broken.length} of ${subjects.length}, first: ${broken[0]?.breach}`,
        exchanges: (broken.length > 0 ? broken : subjects)
          .slice(0, NAMED_MAX)
          .flatMap(({ first, exchange }) => (first ? [first.exchange, exchange] : [exchange])),
      })
    },
  })
}
