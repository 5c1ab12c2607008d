import type { Exchange } from '../client/exchange.ts'
import { ipsIn } from '../judge/addresses.ts'
import { answerText, statusOf } from './asker.ts'

const ALLOWLIST_REFUSAL = /allow-?list/i

/** The address that a refusal names, where its message says that an allowlist refuses it (Authentication, rule 4). */
export function refusedAddress(exchange: Exchange | undefined): string | undefined {
  const message = statusOf(exchange) === 403 ? answerText(exchange) : ''
  return ALLOWLIST_REFUSAL.test(message) ? ipsIn(message)[0]?.text : undefined
}
