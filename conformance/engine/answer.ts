import { unescaped } from '../../harness/text-views.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import * as answers from '../../contract/answers.ts'
import { headerValues } from '../../harness/client/headers.ts'
import type { Answer } from '../../harness/judge/rules/rule.ts'

/** `statusCode` of the envelope; undefined where the answer has none. */
export function statusCodeOf({ json }: Exchange): unknown {
  return (json as { statusCode?: unknown } | null | undefined)?.statusCode
}

function answeredOf(exchange: Exchange): answers.Answered {
  const { errorCode } = (exchange.json ?? {}) as { errorCode?: unknown }
  return { status: exchange.response?.status ?? 0, code: statusCodeOf(exchange), errorCode }
}

/** As the rules that load is judged by see it. */
export function answerOf(exchange: Exchange): Answer {
  return { ...answeredOf(exchange), retryAfters: headerValues(exchange, 'retry-after') }
}

export function meaningOf(exchange: Exchange): answers.Meaning {
  return answers.meaningOf(answeredOf(exchange))
}

export { isObject } from '../../harness/objects.ts'

type Predicate = (exchange: Exchange) => boolean

export const isAccepted: Predicate = (exchange) => answers.isAccepted(answeredOf(exchange))
export const isCapRefusal: Predicate = (exchange) => answers.isCapRefusal(answeredOf(exchange))
export const isDecided: Predicate = (exchange) => answers.isDecided(answeredOf(exchange))
/** Refused for good, by whatever status: not by a window. */
export const isRefusedForGood: Predicate = (exchange) =>
  isDecided(exchange) && !isAccepted(exchange)
export const isLost: Predicate = (exchange) => answers.isLost(answeredOf(exchange))
export const isThrottled: Predicate = (exchange) => answers.isThrottled(answeredOf(exchange))

export function windowOutcomeOf(exchange: Exchange): ReturnType<typeof answers.windowOutcomeOf> {
  return answers.windowOutcomeOf(answeredOf(exchange))
}

export const NAMED_CODES: readonly unknown[] = [
  STATUS_CODE.limitReached,
  STATUS_CODE.apiKeyLimitExceeded,
  STATUS_CODE.providerUnavailable,
]

/** Whether it has one of the numbers that the interface names: of a rate limit, of the cap, of a provider that does not answer. */
export function hasNamedCode(exchange: Exchange): boolean {
  return NAMED_CODES.includes(statusCodeOf(exchange))
}

/** A text as it is, any other value as JSON: String fails for objects whose toString is none. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

/** A moment in milliseconds since the epoch; NaN for what is no text of one. */
export function momentOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** `statusMessage` of the envelope; empty where the answer has none. */
export function messageOf({ json }: Exchange): string {
  const message = (json as { statusMessage?: unknown } | null | undefined)?.statusMessage
  return typeof message === 'string' ? message : ''
}

/** The body with its escapes read: a service may escape any character of JSON, and many escape slashes and apostrophes. */
export function readableBody({ response }: Exchange): string {
  const body = response?.body ?? ''
  return unescaped(body)?.text ?? body
}
