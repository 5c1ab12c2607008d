import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { Statement } from '../shared/statements.ts'
import { operationAt } from './exchange-table.ts'
import type { SessionTable } from './session-table.ts'

/** How many answers have a fault, and which is the first: one place for all of them. */
export class FaultCount {
  #all = 0
  #wrong = 0
  #first = ''

  /** Answers so far. */
  get all(): number {
    return this.#all
  }

  /** `fault` is undefined for a right answer; `shown` names it. */
  add(fault: string | undefined, shown: () => string): void {
    this.#all++
    if (fault === undefined) return
    if (this.#wrong++ === 0) this.#first = `${fault}; the first: ${shown()}`
  }

  /** Pass if none has a fault; else how many have, and the first. */
  statement(requirement: RequirementId, right: string): Statement {
    if (this.#wrong === 0) return { requirement, verdict: 'pass', observed: right }
    const observed = `${this.#wrong} of ${this.#all} answers had ${this.#first}`
    return { requirement, verdict: 'fail', observed }
  }
}

/** Names the exchange of a row. */
export function shownAt(sessions: SessionTable, row: number): string {
  const { exchanges } = sessions
  const session = sessions.indexOf(exchanges.sessions[row] as number)
  const sentSeconds = (exchanges.sentMs[row] as number) / 1000
  return `${operationAt(exchanges, row)} of session ${session}, sent at ${sentSeconds.toFixed(3)} s`
}
