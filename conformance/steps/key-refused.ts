import type { Answers } from '../../harness/target-file/target.ts'
import {
  type CheckContext,
  type Exchange,
  type RequirementId,
  messageOf,
  showRequest,
} from '../engine/kit.ts'

/** Statuses that have a condition of their own, which is none of the key. */
const OTHER_CONDITIONS: readonly number[] = [409, 415, 422, 429]

/** Where the target file may say which status refuses such a key. */
const STATED: Readonly<Partial<Record<RequirementId, keyof Answers>>> = {
  'AUTH-01': 'missingKeyHttpStatus',
  'AUTH-02': 'unknownKeyHttpStatus',
  'AUTH-03': 'revokedKeyHttpStatus',
  'AUTH-04': 'expiredKeyHttpStatus',
}

function isRefusal({ response }: Exchange): boolean {
  const status = response?.status ?? 0
  return status >= 400 && status < 500 && !OTHER_CONDITIONS.includes(status)
}

/** The answer that a key gets which is missing, unknown, revoked or expired. */
export function expectRefused(
  { expect, target }: CheckContext,
  requirement: RequirementId,
  exchange: Exchange,
  what = showRequest(exchange),
): void {
  const name = STATED[requirement]
  const stated = name && target.answers[name]
  expect(requirement).that(`${what} is refused`, {
    holds: stated === undefined ? isRefusal(exchange) : exchange.response?.status === stated,
    expected:
      stated === undefined
        ? `a 4xx answer other than ${OTHER_CONDITIONS.join(', ')}, with the envelope`
        : `HTTP ${stated} (target file, answers.${name})`,
    exchanges: [exchange],
  })
}

/** What tells one refusal from another: status, number and code. */
export function refusalOf({ response, json }: Exchange): string {
  const { statusCode, errorCode } = (json ?? {}) as Record<string, unknown>
  return JSON.stringify([response?.status, statusCode, errorCode ?? null])
}

/** The same, with the words. */
export function wordedRefusalOf(exchange: Exchange): string {
  return `${refusalOf(exchange)} ${JSON.stringify(messageOf(exchange))}`
}
