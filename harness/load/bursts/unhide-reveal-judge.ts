import type { Statement } from '../shared/statements.ts'
import { say } from './unhide-reads.ts'
import type { BurstEvidence, BurstExchange } from './burst-import.ts'

/** Reads with unhide=true show the vouchers of an order in clear: more than a masked read in the same state did. */
export function revealStatements({ scripts }: BurstEvidence): Statement[] {
  const marked = scripts.flatMap(({ exchanges }) =>
    exchanges.filter(({ reveals }) => reveals !== undefined),
  )
  return [...refusedStatements(marked), ...shownStatements(marked)]
}

function refusedStatements(marked: readonly BurstExchange[]): Statement[] {
  const told = marked.filter(({ status }) => status === 429).length
  const observed = `${told} refused reads told codes all the same`
  return told === 0 ? [] : [say('UNHIDE-10', 'fail', 'all orders', observed)]
}

function shownStatements(marked: readonly BurstExchange[]): Statement[] {
  const reads = marked.filter(({ status }) => status !== 429)
  if (reads.length === 0) return []
  const hidden = reads.filter(({ reveals = '' }) => /[ps]/.test(reveals))
  const [first] = hidden
  const observed =
    first === undefined
      ? `${reads.length} reads with unhide showed more of each order than masked ones`
      : `${hidden.length} of ${reads.length} reads with unhide showed ${first.reveals?.includes('s') ? '' : 'some '}vouchers as masked reads do, the first ${first.kind} in state ${first.state}`
  return [say('UNHIDE-01', first === undefined ? 'pass' : 'fail', 'all orders', observed)]
}
