import { plural } from '../../text.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import { orderBreach, priceBreach, type OrderAnswer } from '../../judge/rules/replays.ts'
import type { SessionExchange } from './exchange-table.ts'
import { decide, say } from '../shared/statements.ts'
import { isAsynchronous, strangersIn } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Owners } from './sessions-owners.ts'
import type { Statement } from '../shared/statements.ts'
import { ANNOUNCED_MS, isAccepted } from '../../../contract/answers.ts'

/** What a buyer saw of its order: the replays, and the reads that must find it. */
export function orderStatements(purchase: Purchase, owners: Owners): Statement[] {
  if (purchase.kind !== 'order' || !purchase.original) return []
  return [
    ...replayStatements(purchase, purchase.original),
    ...countStatements(purchase, purchase.original, owners),
    ...foundStatements(purchase),
  ]
}

/** A replay gives the original result: while the order is pending, and after it has finished. */
function replayStatements(purchase: Purchase, original: SessionExchange): Statement[] {
  const { replays } = purchase
  if (replays.length === 0 || original.ids[0] === undefined) return []
  const first = orderIn(original)
  const others = replays.flatMap((each) => {
    const breach = isAccepted(each) ? orderBreach(first, orderIn(each)) : 'no order'
    return breach === undefined ? [] : [`HTTP ${each.status}, ${breach}`]
  })
  const requirement = isAsynchronous(purchase) ? 'IDEM-15' : 'IDEM-03'
  if (others[0]) {
    const observed = `${others.length} of ${replays.length} replays did not give its order, the first ${others[0]}`
    return [say(requirement, 'fail', purchase, observed)]
  }
  const [dearer] = replays.flatMap((each) => priceBreach(first, orderIn(each)) ?? [])
  return [
    say(requirement, 'pass', purchase, `${replays.length} replays named its order`),
    dearer === undefined
      ? say('IDEM-03', 'pass', purchase, 'replays gave the same result')
      : say('IDEM-03', 'fail', purchase, `a replay gave ${dearer}`),
  ]
}

function orderIn({
  ids,
  prices,
  currency,
  states,
  state = states[0],
}: SessionExchange): OrderAnswer {
  return { orderId: ids[0], price: prices[0], currency, state }
}

/** Its names select this order and no other; more than one under its reference means that it was bought again. */
function countStatements(
  purchase: Purchase,
  { ids: [orderId] }: SessionExchange,
  owners: Owners,
): Statement[] {
  return purchase.reads
    .filter(({ status, items = 0 }) => status === 200 && items > 0)
    .map((read) => {
      const { operation, items = 0, ids } = read
      const isByReference = operation === 'by-reference'
      const strangers = isByReference
        ? strangersIn(read, purchase, owners)
        : ids.filter((id) => id !== orderId)
      const observed = `reading by its ${isByReference ? 'reference' : 'orderId'} found ${plural(items, 'order')}`
      const selects = isByReference ? 'GET-04' : 'GET-03'
      if (strangers.length > 0)
        return say(selects, 'fail', purchase, `${observed}, ${strangers.length} not its own`)
      if (items === 1) return say(isByReference ? 'IDEM-05' : 'GET-03', 'pass', purchase, observed)
      return say(isByReference ? 'IDEM-05' : 'GET-03', 'fail', purchase, observed)
    })
}

/** An accepted purchase is found by both of its names, while it is pending as well; a read right after it may find nothing. */
function foundStatements(purchase: Purchase): Statement[] {
  let isPending = isAsynchronous(purchase)
  const announcedMs = (purchase.original?.receivedMs ?? 0) + ANNOUNCED_MS
  return purchase.reads.flatMap((read) => {
    if (read.status !== 200 && read.status !== 404) return []
    const isFound = read.status === 200 && read.items !== 0
    if (!isFound && read.sentMs < announcedMs) return []
    if (isFound) isPending = read.states.includes('IN_PROGRESS')
    const isByReference = read.operation === 'by-reference'
    const observed = `${isPending ? 'pending' : 'completed'}, its ${isByReference ? 'reference' : 'orderId'} found ${isFound ? 'it' : 'nothing'}`
    return [decide(findingOf(isByReference, isPending), isFound, purchase, observed)]
  })
}

function findingOf(isByReference: boolean, isPending: boolean): RequirementId {
  if (isPending) return isByReference ? 'ASYNC-04' : 'ASYNC-03'
  return isByReference ? 'GET-04' : 'GET-07'
}
