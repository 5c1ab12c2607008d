import type { WindowLimit } from '../../../contract/limits.ts'
import { areEdgesImprobable } from '../../judge/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import { ADMISSION_ORDERS } from './unhide-topics.ts'
import { countOf, outcomeOf, say, show, spanOf } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import type { BurstExchange } from './burst-import.ts'

/** What is left of admission when orders have completed. */
export function admissionStatements(script: UnhideScript): Statement[] {
  const { orders, budgets } = script
  const { control, spent, open } = ADMISSION_ORDERS
  const find = (reference: number): OrderReads[] =>
    orders.filter((order) => order.reference === reference)
  const suited = (reference: number): OrderReads[] =>
    find(reference).filter((order) => isSuited(order, budgets.pending.count))
  const [bracket] = find(control)
  const isBracketed = bracket !== undefined && isBracket(bracket, budgets.completed)
  const over = spent.flatMap(suited)
  const exact = open.flatMap(suited)
  /** The control excludes an edge of all windows; with windows of a start of their own, several orders do. */
  const hasNoEdge = (orders: readonly OrderReads[], passedMax: number): boolean => {
    const excess = orders.filter((order) => passedBeyond(order) > passedMax)
    const { windowSeconds } = budgets.admission
    return isBracketed && areEdgesImprobable(excess.map(spanOf), 1000 * windowSeconds)
  }
  if (over.length + exact.length === 0)
    return [
      say('UNHIDE-17', 'inconclusive', 'admission', 'no order could be read as planned, then end'),
    ]
  return [
    ...over.flatMap((order) => overStatements(order, script, hasNoEdge(over, 0))),
    ...exact.flatMap((order) =>
      exactStatements(order, script, hasNoEdge(exact, budgets.completed.count)),
    ),
  ]
}

function phaseOf(
  { reads }: Pick<OrderReads, 'reads'>,
  phase: 'attempt' | 'beyond',
): BurstExchange[] {
  return reads.filter((each) => each.phase === phase)
}

function passedBeyond(order: OrderReads): number {
  return countOf({ reads: phaseOf(order, 'beyond') }, 'completed')
}

/** Spent while pending, as its pending budget allows, and seen to be completed before it was read again. */
function isSuited(order: OrderReads, pendingCount: number): boolean {
  const attempts = phaseOf(order, 'attempt').map(outcomeOf)
  const beyond = phaseOf(order, 'beyond').map(outcomeOf)
  return (
    order.isFinished &&
    attempts.every((each) => each === 'pending' || each === 'refused') &&
    attempts.filter((each) => each === 'pending').length === pendingCount &&
    beyond.length > 0 &&
    beyond.every((each) => each === 'completed' || each === 'refused')
  )
}

/** Spent before the attempts and still refused after them: no edge lay in between. */
function isBracket(order: OrderReads, { count }: WindowLimit): boolean {
  const before = phaseOf(order, 'attempt').map(outcomeOf)
  const after = phaseOf(order, 'beyond').map(outcomeOf)
  return (
    before.filter((each) => each === 'completed').length === count &&
    before.includes('refused') &&
    after.length > 0 &&
    after.every((each) => each === 'refused')
  )
}

/** What a read after the whole of admission breaks: its sum, that refused attempts count, and that completion changes nothing. */
const OF_ADMISSION = ['UNHIDE-17', 'UNHIDE-19', 'UNHIDE-21'] as const

/** All of admission was attempted: nothing is left. */
function overStatements(
  order: OrderReads,
  { budgets }: UnhideScript,
  hasNoEdge: boolean,
): Statement[] {
  const attempts = phaseOf(order, 'attempt').length
  const passed = passedBeyond(order)
  const observed = `after ${attempts} attempts, ${passed} more passed, admission is ${show(budgets.admission)}`
  if (passed === 0) return OF_ADMISSION.map((each) => say(each, 'pass', order.name, observed))
  return OF_ADMISSION.map((each) =>
    hasNoEdge
      ? say(each, 'fail', order.name, observed)
      : say(each, 'inconclusive', order.name, `${observed}, which an edge may explain`),
  )
}

/**
 * The completed budget is left, of admission as well: it can be read whole, and no more. Even with every read counted, none of them
 * can have spent either before the last one.
 */
function exactStatements(
  order: OrderReads,
  { budgets }: UnhideScript,
  hasNoEdge: boolean,
): Statement[] {
  const { count } = budgets.completed
  const attempts = phaseOf(order, 'attempt').length
  const beyond = phaseOf(order, 'beyond')
  const passed = passedBeyond(order)
  const observed = `after ${attempts} attempts, ${passed} of ${beyond.length} more passed, the completed budget is ${show(budgets.completed)}, admission ${show(budgets.admission)}`
  if (passed === 0)
    return (['UNHIDE-17', 'UNHIDE-20'] as const).map((each) =>
      say(each, 'fail', order.name, observed),
    )
  const left = say('UNHIDE-20', 'pass', order.name, observed)
  // The first read after completion, or one of them, was held to another budget than the completed one.
  if (passed < count)
    return [
      left,
      ...(['UNHIDE-09', 'UNHIDE-17'] as const).map((each) =>
        say(each, 'fail', order.name, observed),
      ),
    ]
  const whole = say('UNHIDE-17', 'pass', order.name, observed)
  if (passed === count) return [left, whole, say('UNHIDE-09', 'pass', order.name, observed)]
  const more = hasNoEdge
    ? say('UNHIDE-09', 'fail', order.name, observed)
    : say('UNHIDE-09', 'inconclusive', order.name, `${observed}, which an edge may explain`)
  return [left, more]
}
