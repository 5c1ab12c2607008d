import type { Answer } from '../../judge/rules/rule.ts'
import { answerOf } from '../shared/rule-tally.ts'
import type { Exchanges } from './exchange-table.ts'
import type { SessionTable } from './session-table.ts'

/** The answer of a row, as rules see it. */
export function answerAt(exchanges: Exchanges, row: number): Answer {
  return answerOf({
    status: exchanges.status[row] as number,
    code: exchanges.code.at(row),
    errorCode: exchanges.errorCode.at(row),
    retryAfter: exchanges.retryAfter.at(row),
  })
}

/** Names the exchange of a row. */
export function shownAt(sessions: SessionTable, row: number): string {
  const { exchanges } = sessions
  const session = sessions.indexOf(exchanges.session[row] as number)
  const sentSeconds = (exchanges.sentMs[row] as number) / 1000
  return `${exchanges.operation.at(row)} of session ${session}, sent at ${sentSeconds.toFixed(3)} s`
}
