import type { WindowLimit } from '../../../contract/limits.ts'
import { STATUS_CODE } from '../../../contract/wire.ts'
import { headerValues } from '../../../harness/client/headers.ts'
import type { Exchange, RequirementId } from '../../engine/kit.ts'
import { isThrottled, showAnswer, statusCodeOf } from '../../engine/kit.ts'

/** What a 429 has to have besides its status. */
export type RefusalRule = {
  readonly requirement: Extract<RequirementId, 'RATE-05' | 'RATE-06' | 'RATE-07'>
  readonly expected: string
  readonly holds: (exchange: Exchange, limit?: Pick<WindowLimit, 'windowSeconds'>) => boolean
}

export const REFUSAL_RULES: readonly RefusalRule[] = [
  {
    requirement: 'RATE-05',
    expected: `statusCode ${STATUS_CODE.limitReached}`,
    holds: (exchange) => statusCodeOf(exchange) === STATUS_CODE.limitReached,
  },
  {
    requirement: 'RATE-06',
    expected: 'one Retry-After header',
    holds: (exchange) => headerValues(exchange, 'retry-after').length === 1,
  },
  {
    requirement: 'RATE-07',
    expected: 'a Retry-After of whole seconds',
    holds: (exchange, limit) =>
      headerValues(exchange, 'retry-after').every(
        (value) => /^\d{1,9}$/.test(value) && Number(value) <= secondsMax(limit),
      ),
  },
]

/** A wait longer than needed is permitted, but not one of hours for a window of a minute: that counts no seconds. */
const WINDOWS_MAX = 100

function secondsMax(limit: Pick<WindowLimit, 'windowSeconds'> | undefined): number {
  return limit ? WINDOWS_MAX * Math.max(1, limit.windowSeconds) : Infinity
}

export function describeRefusal(exchange: Exchange): string {
  return `Retry-After: ${headerValues(exchange, 'retry-after').join(' and ') || 'none'}; ${showAnswer(exchange)}`
}

/** Refused, but not by 429. A provider that did not answer says nothing of the window. */
export function isRefusedOtherwise(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0
  return status >= 400 && !isThrottled(exchange) && !isProviderSilent(exchange)
}

/** The check of a top-up whose provider did not answer twice. */
export function isProviderSilent(exchange: Exchange): boolean {
  return (
    exchange.response?.status === 504 && statusCodeOf(exchange) === STATUS_CODE.providerUnavailable
  )
}
