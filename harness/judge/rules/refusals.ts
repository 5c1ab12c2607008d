/** What refusals must carry: the one definition for checks at rest and for judges of load. */
import type { WindowLimit } from '../../../contract/limits.ts'
import {
  ERROR_CODE_TRANSACTION_LIMIT,
  RETRY_AFTER_SECONDS,
  STATUS_CODE,
} from '../../../contract/wire.ts'
import { isServerError, isThrottled } from '../../../contract/answers.ts'
import type { Answer, Rule } from './rule.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

/** Of every 429: windows, budgets, contention, and limits that are passed on. */
export const REFUSAL_RULES: readonly Rule<Answer>[] = [
  {
    requirement: 'RATE-05',
    expected: `statusCode ${STATUS_CODE.limitReached}`,
    breach: ({ code }) => (code === STATUS_CODE.limitReached ? undefined : codeText(code)),
  },
  {
    requirement: 'RATE-06',
    expected: 'one Retry-After header',
    breach: ({ retryAfters: { length } }) =>
      length === 1 ? undefined : `${length || 'no'} Retry-After`,
  },
  {
    requirement: 'RATE-07',
    expected: 'a Retry-After of whole seconds',
    breach: ({ retryAfters }) => {
      const odd = retryAfters.find((each) => parseRetryAfterSeconds(each) === undefined)
      return odd === undefined ? undefined : `Retry-After ${JSON.stringify(odd)}`
    },
  },
]

/** A wait longer than needed is permitted, but not one of hours for a window of a minute: that counts no seconds. */
const WINDOWS_MAX = 100

/** Of the 429 of a window whose length is known. */
export function waitRule({ windowSeconds }: Pick<WindowLimit, 'windowSeconds'>): Rule<Answer> {
  const secondsMax = WINDOWS_MAX * Math.max(1, windowSeconds)
  return {
    requirement: 'RATE-07',
    expected: `a Retry-After of at most ${secondsMax} s`,
    breach: ({ retryAfters }) => {
      const long = retryAfters.find((each) => (parseRetryAfterSeconds(each) ?? 0) > secondsMax)
      return long === undefined ? undefined : `Retry-After ${long}`
    },
  }
}

/** Of every 409 by the cap. */
export const CAP_MARK_RULES: readonly Rule<Answer>[] = [
  {
    requirement: 'CAP-04',
    expected: `statusCode ${STATUS_CODE.apiKeyLimitExceeded}`,
    breach: ({ code }) => (code === STATUS_CODE.apiKeyLimitExceeded ? undefined : codeText(code)),
  },
  {
    requirement: 'CAP-05',
    expected: `errorCode ${ERROR_CODE_TRANSACTION_LIMIT}`,
    breach: ({ errorCode }) =>
      errorCode === ERROR_CODE_TRANSACTION_LIMIT
        ? undefined
        : `errorCode ${JSON.stringify(errorCode) ?? 'missing'}`,
  },
  {
    requirement: 'CAP-17',
    expected: `no statusCode ${STATUS_CODE.limitReached}`,
    breach: ({ code }) => (code === STATUS_CODE.limitReached ? codeText(code) : undefined),
  },
]

/**
 * Of purchases that overlap on one key: a 5xx is wrong, and a 429 with the number of something else. One without a number, such as one
 * without an envelope, breaks RATE-05 and the envelope's own requirements.
 */
export const CONTENTION_RULE: Rule<Answer> = {
  requirement: 'BUSY-01',
  expected: `no 5xx, and no statusCode but ${STATUS_CODE.limitReached} with a 429`,
  breach: (answer) =>
    isServerError(answer) || (isThrottled(answer) && hasOtherNumber(answer))
      ? `HTTP ${answer.status}, ${codeText(answer.code)}`
      : undefined,
}

/** Of those among them that are refused by 429. */
export const CONTENTION_WAIT_RULE: Rule<Answer> = {
  requirement: 'BUSY-02',
  expected: 'one Retry-After of whole seconds',
  breach: ({ retryAfters }) =>
    retryAfters.length === 1 && parseRetryAfterSeconds(retryAfters[0]) !== undefined
      ? undefined
      : `Retry-After ${retryAfters.map((each) => JSON.stringify(each)).join(' and ') || 'missing'}`,
}

/** How long contention typically lasts: another wait is only unusual. */
export const TYPICAL_WAIT_RULE: Rule<Answer> = {
  requirement: 'BUSY-03',
  expected: `Retry-After: ${RETRY_AFTER_SECONDS.contentionTypical}`,
  breach: ({ retryAfters }) =>
    retryAfters.length === 1 &&
    parseRetryAfterSeconds(retryAfters[0]) === RETRY_AFTER_SECONDS.contentionTypical
      ? undefined
      : `Retry-After: ${retryAfters.join(' and ') || 'none'}`,
}

function hasOtherNumber({ code }: Answer): boolean {
  return Number.isInteger(code) && code !== STATUS_CODE.limitReached
}

function codeText(code: unknown): string {
  return `statusCode ${JSON.stringify(code) ?? 'missing'}`
}
