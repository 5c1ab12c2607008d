import type { Statement } from '../statements.ts'
import { outcomeOf, say } from './unhide-reads.ts'
import type { OrderReads, UnhideLane } from './unhide-reads.ts'
import { stateStatements } from './unhide-state-judge.ts'

/** Checkouts of which some orders have completed and some have not: the completed budget counts their reads. */
export function checkoutStatements(lane: UnhideLane): Statement[] {
  const orders = lane.orders.filter(isMixed)
  if (orders.length > 0) return stateStatements({ ...lane, orders }, 'checkout')
  // Those with a SUCCESS order decide as well, and every service has them.
  if (lane.topic === 'cancelled checkout') return []
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

/** Orders of checkouts, each read by itself while the budget of its checkout is spent. */
export function childStatements(lane: UnhideLane): Statement[] {
  const children = lane.orders.filter(({ child }) => child !== undefined)
  const spent = new Set(lane.orders.filter(isSpentThroughout).map(({ reference }) => reference))
  const statements = stateStatements({ ...lane, orders: children }, 'children')
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
