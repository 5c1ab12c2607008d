import { isThrottled } from '../../contract/answers.ts'
import type { RefinedResponse, ResponseType } from 'k6/http'
import { encoded } from '../protocol/lines.ts'

/** What the evidence keeps of one answer; see protocol/evidence.ts. */
export type Answer = {
  readonly status: number
  readonly code: string
  readonly retryAfter: string
  readonly connection: 'n' | 'r' | '-'
}

/** Reads no more of the answer than the verdict needs: the body only of a refusal. */
export function readAnswer(response: RefinedResponse<ResponseType | undefined>): Answer {
  const { status } = response
  if (status === 0)
    return { status, code: String(response.error_code), retryAfter: '-', connection: '-' }
  const connection = response.timings.connecting > 0 ? 'n' : 'r'
  if (!isThrottled(response)) return { status, code: '-', retryAfter: '-', connection }
  const retryAfter = response.headers['Retry-After']
  return {
    status,
    code: readStatusCode(response.body),
    retryAfter: retryAfter === undefined ? '-' : encoded(retryAfter),
    connection,
  }
}

const STATUS_CODE = /"statusCode"\s*:\s*(-?\d+)(?=\s*[,}])/

/** The envelope's statusCode. Parses the whole body only if another object or list opens before the name. */
export function readStatusCode(body: unknown): string {
  if (typeof body !== 'string') return '-'
  const found = STATUS_CODE.exec(body)
  if (found && !/[{[]/.test(body.slice(body.indexOf('{') + 1, found.index))) return found[1] ?? '-'
  const { statusCode } = readEnvelope(body)
  return Number.isInteger(statusCode) ? String(statusCode) : '-'
}

/** The envelope's statusMessage; undefined where there is none. */
export function readStatusMessage(body: unknown): string | undefined {
  const { statusMessage } = readEnvelope(body)
  return typeof statusMessage === 'string' ? statusMessage : undefined
}

type Envelope = Readonly<Partial<Record<'statusCode' | 'statusMessage' | 'errorCode', unknown>>>

/** Empty where the body is none: that is what the evidence says. */
export function readEnvelope(body: unknown): Envelope {
  if (typeof body !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}
