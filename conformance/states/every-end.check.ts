import type { TERMINAL_STATUSES } from '../../contract/wire.ts'
import type {
  Exchange,
  InvariantContext,
  InvariantDefinition,
  RequirementId,
} from '../engine/kit.ts'
import { isAccepted, isObject, show, showRequest } from '../engine/kit.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import { everySeen, onceFor, purchasesSeen } from '../steps/orders-seen.ts'
import { isTerminal, itemsOf } from '../steps/orders.ts'
import { isKnownStatus } from '../steps/states.ts'

/** What one answer says of one order. */
type Sight = {
  readonly exchange: Exchange
  readonly order: string
  readonly status: unknown
  /** The answer to a purchase: a replay may show the order as it was at first, if that was pending. */
  readonly isPosted: boolean
}

const sightsIn = onceFor((history, selector: string | undefined): readonly Sight[] => {
  const posted = purchasesSeen(history).map(({ exchange, value }) => ({
    exchange,
    order: keyOf(exchange, value['orderId']),
    status: value['status'],
    isPosted: true,
  }))
  const read = history
    .filter((exchange) => exchange.operation === 'getOrders' && isAccepted(exchange))
    .flatMap((exchange) => listedIn(selector, exchange))
  return [...posted, ...read]
    .flatMap(({ order, ...sight }) => (order === undefined ? [] : [{ order, ...sight }]))
    .filter(({ status }) => isKnownStatus(status))
    .toSorted((one, other) => one.exchange.sentAtMs - other.exchange.sentAtMs)
})

/** Items that can be told from each other: by their identifiers, or for being the only one that an orderId selected. */
function listedIn(
  selector: string | undefined,
  exchange: Exchange,
): readonly { exchange: Exchange; order: string | undefined; status: unknown; isPosted: false }[] {
  const items = itemsOf(exchange) ?? []
  const ids = selector === undefined ? undefined : selectEach(selector, exchange.json)
  const asked = new URL(exchange.request.url).searchParams.get('orderId')
  const only = items.length === 1 ? asked : undefined
  return items.map((item, index) => ({
    exchange,
    order: keyOf(exchange, ids?.length === items.length ? ids[index] : only),
    status: isObject(item) ? item['status'] : undefined,
    isPosted: false,
  }))
}

function keyOf({ account }: Exchange, orderId: unknown): string | undefined {
  return typeof orderId === 'string' ? `${account} ${orderId}` : undefined
}

type Later = Sight & { readonly end: Sight }

/** What was asked about an order after an answer had shown its end. */
function sightsAfterEnd({ history, target }: InvariantContext, status: string): Later[] {
  // Read by each invariant, so that all are known to build on it.
  const all = sightsIn(history, target.operations.getOrders.selectors['orderIds'])
  return [...Map.groupBy(all, ({ order }) => order).values()].flatMap((sights) => {
    const end = sights.find((sight) => isTerminal(sight.status))
    if (end?.status !== status) return []
    return sights
      .filter(
        ({ exchange }) =>
          exchange.sentAtMs >= end.exchange.receivedAtMs && exchange !== end.exchange,
      )
      .filter((sight) => !sight.isPosted || isTerminal(sight.status) || endedAtOnce(sights, sight))
      .map((sight) => ({ ...sight, end }))
  })
}

/** No answer to its purchase that was sent before showed the order otherwise: a replay has no earlier state to show. */
function endedAtOnce(sights: readonly Sight[], later: Sight): boolean {
  const posted = sights.filter(({ isPosted }) => isPosted)
  return posted.slice(0, posted.indexOf(later)).every(({ status }) => isTerminal(status))
}

function staysAs(
  status: (typeof TERMINAL_STATUSES)[number],
  name: string,
  requirement: RequirementId,
): InvariantDefinition {
  return everySeen<Later>({
    id: `states.every-${name}-stays`,
    title: `every order that any answer showed as ${status} is ${status} in all later answers`,
    requirement,
    statement: `what an answer showed as ${status} is ${status} later`,
    subjects: (context) => sightsAfterEnd(context, status),
    nothing: `no order of the run was seen again after an answer had shown it as ${status}`,
    isOptional: true,
    breach: (later) =>
      later.status === status
        ? undefined
        : `${show(later.status)} in ${showRequest(later.exchange)}, after ${showRequest(later.end.exchange)}`,
  })
}

export const successStays = staysAs('SUCCESS', 'success', 'STATE-03')
export const cancelledStays = staysAs('CANCELLED', 'cancelled', 'STATE-04')
export const partialStays = staysAs('PARTIALLY_COMPLETED', 'partial', 'STATE-05')
