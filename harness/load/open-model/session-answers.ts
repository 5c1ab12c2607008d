import type { Answer } from '../../judge/rules/rule.ts'
import { answerOf } from '../shared/rule-tally.ts'
import { codeAt, operationAt, textAt, type Exchanges } from './exchange-table.ts'
import type { SessionTable } from './session-table.ts'

/** The answer of a row, as rules see it. */
export function answerAt(exchanges: Exchanges, row: number): Answer {
  return answerOf({
    status: exchanges.statuses[row] as number,
    code: codeAt(exchanges, row),
    errorCode: textAt(exchanges, 'errorCode', row),
    retryAfter: textAt(exchanges, 'retryAfter', row),
  })
}

/** Names the exchange of a row. */
export function shownAt(sessions: SessionTable, row: number): string {
  const { exchanges } = sessions
  const session = sessions.indexOf(exchanges.sessions[row] as number)
  const sentSeconds = (exchanges.sentMs[row] as number) / 1000
  return `${operationAt(exchanges, row)} of session ${session}, sent at ${sentSeconds.toFixed(3)} s`
}
