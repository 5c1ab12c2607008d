import { unexplainedRefusals } from '../../judge/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import { countOf, outcomeOf, readOf, say, show } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import { stateStatements } from './unhide-state-judge.ts'

/** Checkouts of which some orders have completed and some have not: the completed budget counts their reads. */
export function checkoutStatements(script: UnhideScript): Statement[] {
  const orders = script.orders.filter(isMixed)
  if (orders.length > 0) return stateStatements({ ...script, orders }, 'checkout')
  // Those with a SUCCESS order decide as well, and every service has them.
  if (script.topic === 'cancelled checkout') return []
  return [
    say('UNHIDE-15', 'inconclusive', 'checkout', 'none had completed and other orders at once'),
  ]
}

function isMixed({ reads }: OrderReads): boolean {
  const shown = reads.filter(({ status }) => status === 200)
  return (
    shown.length > 0 &&
    shown.every(({ state }) => {
      const states = state?.split(',') ?? []
      const completed = states.filter((each) => each === 'SUCCESS' || each === 'CANCELLED')
      return completed.length > 0 && completed.length < states.length
    })
  )
}

/** Checkouts of which every order is pending: their reads are counted as such, however often the completed budget would have refused them. */
export function pendingCheckoutStatements({ orders, budgets, slackMs }: UnhideScript): Statement[] {
  const pending = orders.filter(({ reads }) =>
    reads.every((each) => ['pending', 'refused'].includes(outcomeOf(each))),
  )
  const counts = pending.map((order) => countOf(order, 'pending'))
  const observed = `${counts.join(', ')} reads of ${pending.length} pending checkouts passed, the completed budget is ${show(budgets.completed)}`
  const blocked = pending.filter(
    ({ reads }) => unexplainedRefusals(reads.flatMap(readOf), budgets, slackMs).length > 0,
  )
  if (blocked.length > 0) return [say('UNHIDE-15', 'fail', 'pending checkout', observed)]
  return counts.some((count) => count > budgets.completed.count)
    ? [say('UNHIDE-15', 'pass', 'pending checkout', observed)]
    : []
}

/** Checkouts whose orders were read each by itself before: their own budget is whole all the same. */
export function childrenFirstStatements({ orders, budgets, slackMs }: UnhideScript): Statement[] {
  const isRead = ({ child, reference }: OrderReads): boolean =>
    child === undefined &&
    orders.some(
      (each) =>
        each.reference === reference &&
        each.child !== undefined &&
        each.reads.some((read) => outcomeOf(read) === 'refused'),
    )
  const checkouts = orders.filter(isRead)
  const counts = checkouts.map((order) => countOf(order, 'completed')).join(', ')
  const observed = `${counts} reads of ${checkouts.length} checkouts passed whose orders had been read before, each has ${show(budgets.completed)}`
  const blocked = checkouts.filter(
    ({ reads }) => unexplainedRefusals(reads.flatMap(readOf), budgets, slackMs).length > 0,
  )
  if (blocked.length > 0) return [say('UNHIDE-16', 'fail', 'children first', observed)]
  const whole = checkouts.filter((order) => countOf(order, 'completed') >= budgets.completed.count)
  return whole.length > 0 ? [say('UNHIDE-16', 'pass', 'children first', observed)] : []
}

/**
 * Whether the reads of a checkout count for each of its orders (OPEN-74): throughout, both stay refused while the other is spent, and
 * each order has a budget of its own. An edge may lie in the reads of one checkout of each script.
 */
export function countsForOrders(scripts: readonly UnhideScript[]): boolean {
  const first = scripts.find(({ topic }) => topic === 'children first')
  const last = scripts.find(({ topic }) => topic === 'children')
  if (!first || !last) return false
  const { count } = first.budgets.completed
  return (
    holdsForAllButOne(last, (order) => order.child === undefined || isRefused(order)) &&
    holdsForAllButOne(first, (order) =>
      order.child === undefined ? isRefused(order) : countOf(order, 'completed') === count,
    )
  )
}

function isRefused({ reads }: OrderReads): boolean {
  return reads.every((read) => outcomeOf(read) === 'refused')
}

function holdsForAllButOne(
  { orders }: UnhideScript,
  holds: (order: OrderReads) => boolean,
): boolean {
  const checkouts = [...Map.groupBy(orders, ({ reference }) => reference).values()]
  const held = checkouts.filter(
    (each) => each.some(({ child }) => child !== undefined) && each.every(holds),
  )
  return held.length >= Math.max(2, checkouts.length - 1)
}

/** What both scripts of children show together, where reads of checkouts count for their orders. */
export function countingStatements({ topic, orders }: UnhideScript): Statement[] {
  const observed = `${orders.length} checkouts and orders of them counted for each other throughout, and no order for another`
  return [say('UNHIDE-16', 'pass', topic, observed)]
}

/** Orders of checkouts, each read by itself while the budget of its checkout is spent. */
export function childStatements(script: UnhideScript): Statement[] {
  const children = script.orders.filter(({ child }) => child !== undefined)
  const spent = new Set(script.orders.filter(isSpentThroughout).map(({ reference }) => reference))
  const statements = stateStatements({ ...script, orders: children }, 'children')
  const isBracketed = children.some(({ reference }) => spent.has(reference))
  const isPassed = statements.some(
    ({ requirement, verdict }) => requirement === 'UNHIDE-16' && verdict === 'pass',
  )
  // That a child can be read says nothing where its checkout can be read as well.
  return isPassed && !isBracketed
    ? [
        say(
          'UNHIDE-16',
          'inconclusive',
          'children',
          'no checkout stayed spent while they were read',
        ),
      ]
    : statements
}

/** Refused before its children were read and after: no edge lay in between. */
function isSpentThroughout({ child, reads }: OrderReads): boolean {
  const before = reads.filter(({ phase }) => phase === 'attempt').map(outcomeOf)
  const after = reads.filter(({ phase }) => phase === 'beyond').map(outcomeOf)
  return (
    child === undefined &&
    before.includes('completed') &&
    before.includes('refused') &&
    after.length > 0 &&
    after.every((each) => each === 'refused')
  )
}
