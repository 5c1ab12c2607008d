import type { Exchange as RecordedExchange } from '../../schemas/generated/run-record.ts'
import type { Exchange } from '../client/exchange.ts'
import { isConnectionFailure, isUnanswered } from '../client/watchful-transport.ts'
import { HarnessError } from '../errors.ts'
import { unescaped } from '../text-views.ts'
import type { Target } from '../target-file/target.ts'
import { introduce, type Introducing } from './introduce.ts'
import { isAccepted } from '../../contract/answers.ts'

/** How the target introduced itself before the run: what it is held against afterwards. */
export type Introduction = {
  readonly hasEnvelope: boolean
  readonly isAccepted: boolean
}

/** The target is not there any more, or not as it was: what to report, and which answers say nothing about it. */
export type Absence = {
  readonly error: HarnessError
  readonly saysNothing: (exchange: RecordedExchange) => boolean
}

/** A passing outage, or a kept connection that was closed meanwhile: once is not enough to call a target lost. */
const ATTEMPTS = 3
const PAUSE_MS = 1_000

/** Whether a text is an answer of this interface; by its names, since an envelope that does not parse is a defect to be judged, too. */
export function looksLikeEnvelope(body: string): boolean {
  const texts = [body, unescaped(body)?.text]
  return ENVELOPE_NAMES.some((name) => texts.some((text) => text?.includes(name)))
}

const ENVELOPE_NAMES = ['"statusCode"', '"statusMessage"', '"traceId"']

export function introductionOf({ response }: Exchange): Introduction {
  const status = response?.status ?? 0
  return {
    hasEnvelope: looksLikeEnvelope(response?.body ?? ''),
    isAccepted: isAccepted({ status }),
  }
}

/** Asks the target once more who it is. Undefined where it answers as it did at first. */
export async function absence(
  options: Introducing,
  introduction: Introduction,
): Promise<Absence | undefined> {
  const { target, clock, signal } = options
  let absent: Absence | undefined
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    absent = compare(await askAgain(options), introduction, target)
    if (!absent || signal?.aborted) return absent
    if (attempt < ATTEMPTS) await clock.sleep(PAUSE_MS, signal)
  }
  return absent
}

/** Undefined where nothing was answered in time. */
async function askAgain(options: Introducing): Promise<Exchange | undefined> {
  try {
    const api = await introduce(options)
    return await api.whoami({ throttled: 'return' })
  } catch (cause) {
    if (cause instanceof HarnessError && cause.exitCode === 3) return undefined
    throw cause
  }
}

function compare(
  again: Exchange | undefined,
  before: Introduction,
  target: Target,
): Absence | undefined {
  if (!again?.response) return silent(target)
  const { status, body } = again.response
  if (before.hasEnvelope && !looksLikeEnvelope(body)) return outside(target, status, body)
  const refusals = [401, 403, target.answers.unknownKeyHttpStatus]
  if (before.isAccepted && refusals.includes(status)) return keyRefused(target, status)
  return undefined
}

function silent({ baseUrl }: Target): Absence {
  return {
    error: new HarnessError(
      'E_ENVIRONMENT_LOST',
      `${baseUrl} answered at first and stopped answering during the run`,
      'Find out why the service went away (its log, its container), start it and run again.',
    ),
    saysNothing: ({ error }) => error !== undefined && isUnanswered(error.code),
  }
}

/** The checks ended because nothing was answered, and now the target is there again. */
export function lostMeanwhile({ baseUrl }: Target): HarnessError {
  return new HarnessError(
    'E_ENVIRONMENT_LOST',
    `${baseUrl} stopped answering during the run, which ended its checks, and answers again now`,
    'Find out why the service was gone (a restart, a deployment, its log at that time); then run again.',
  )
}

function outside({ baseUrl }: Target, status: number, body: string): Absence {
  const shown = body.length > 80 ? `${body.slice(0, 80)}…` : body
  return {
    error: new HarnessError(
      'E_ENVIRONMENT_LOST',
      `${baseUrl} answered as this interface at first and does so no more (GET /whoami: HTTP ${status}, ${shown || 'no body'})`,
      'Find out what answers in its place (a proxy, a login page, a maintenance page) and why; then run again.',
    ),
    saysNothing: ({ error, truncated, responseBody = '' }) =>
      error === undefined
        ? truncated !== true && !looksLikeEnvelope(responseBody)
        : isConnectionFailure(error.code),
  }
}

function keyRefused({ baseUrl }: Target, status: number): Absence {
  return {
    error: new HarnessError(
      'E_ENVIRONMENT_KEY',
      `${baseUrl} took the key at first and refuses it now (GET /whoami: HTTP ${status})`,
      'Find out whether the key was revoked, has expired or was blocked during the run; then run again.',
    ),
    saysNothing: (exchange) => exchange.status === status,
  }
}
