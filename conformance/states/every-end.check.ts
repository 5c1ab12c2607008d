import type { TerminalStatus } from '../../contract/wire.ts'
import { FINAL_REQUIREMENTS, seenAfterEnd, type Sight } from '../../harness/judge/rules/states.ts'
import type { Exchange, InvariantContext, InvariantDefinition } from '../engine/kit.ts'
import { hasFilter, isObject, queryOf, show, showRequest } from '../engine/kit.ts'
import { everySeen, itemsSeen, onceFor, purchasesSeen } from '../steps/orders-seen.ts'
import { LATE } from '../steps/reading.ts'
import { isKnownStatus } from '../steps/states.ts'

type Shown = Sight & { readonly exchange: Exchange; readonly order: string }

const sightsIn = onceFor((history, selector: string | undefined): readonly Shown[] => {
  const posted = purchasesSeen(history).map(({ exchange, value }) =>
    shown(exchange, value['orderId'], value['status'], true),
  )
  const read = history.flatMap((exchange) =>
    itemsSeen(exchange, selector).map(({ item, orderId }) =>
      shown(exchange, orderId, isObject(item) ? item['status'] : undefined),
    ),
  )
  return [...posted, ...read]
    .flatMap((each) => each ?? [])
    .filter(({ state }) => isKnownStatus(state))
    .toSorted((one, other) => one.sentMs - other.sentMs)
})

/** Undefined where the answer does not say which order it is. */
function shown(
  exchange: Exchange,
  orderId: unknown,
  state: unknown,
  isPosted = false,
): Shown | undefined {
  if (typeof orderId !== 'string') return undefined
  const { account, sentAtMs: sentMs, receivedAtMs: receivedMs } = exchange
  return { exchange, order: `${account} ${orderId}`, state, isPosted, sentMs, receivedMs }
}

type Later = Shown & { readonly end: Shown }

/** What was asked about an order after an answer had shown its end. */
function sightsAfterEnd({ history, target }: InvariantContext, status: TerminalStatus): Later[] {
  // Read by each invariant, so that all are known to build on it.
  const all = sightsIn(history, target.operations.getOrders.selectors['orderIds'])
  return [...Map.groupBy(all, ({ order }) => order).values()].flatMap((sights) => {
    const { end, later = [] } = seenAfterEnd(sights) ?? {}
    return end?.state === status
      ? later.filter((sight) => !mayBeLate(sight, end)).map((sight) => ({ ...sight, end }))
      : []
  })
}

/**
 * A listing without a filter may show for a moment what an order was before. So may a masked read where another answer showed the end:
 * it may come from a copy.
 */
function mayBeLate({ exchange, sentMs }: Shown, end: Shown): boolean {
  const isCopy = !hasFilter(exchange) || (isMaskedRead(exchange) && !isMaskedRead(end.exchange))
  const isSoon = sentMs < end.receivedMs + LATE.seconds * 1000
  return exchange.operation === 'getOrders' && isCopy && isSoon
}

function isMaskedRead(exchange: Exchange): boolean {
  return exchange.operation === 'getOrders' && queryOf(exchange).get('unhide') !== 'true'
}

function staysAs(status: TerminalStatus, name: string): InvariantDefinition {
  return everySeen<Later>({
    id: `states.every-${name}-stays`,
    title: `every order that any answer showed as ${status} is ${status} in all later answers`,
    requirement: FINAL_REQUIREMENTS[status],
    statement: `what an answer showed as ${status} is ${status} later`,
    subjects: (context) => sightsAfterEnd(context, status),
    nothing: `no order of the run was seen again after an answer had shown it as ${status}`,
    isOptional: true,
    breach: (later) =>
      later.state === status
        ? undefined
        : `${show(later.state)} in ${showRequest(later.exchange)}, after ${showRequest(later.end.exchange)}`,
  })
}

export const successStays = staysAs('SUCCESS', 'success')
export const cancelledStays = staysAs('CANCELLED', 'cancelled')
export const partialStays = staysAs('PARTIALLY_COMPLETED', 'partial')
