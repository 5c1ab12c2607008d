import type { OpenModelFile, SessionEnd, SessionOperation } from '../protocol/open-model.ts'

/** One request of a session. */
export type SessionRequest = {
  readonly operation: SessionOperation
  /** 0, and one more with each retry of the same request. */
  readonly attempt: number
  /** Its planned moment, on the clock of `nowMs`. */
  readonly dueMs: number
  /** What the marks of url and body stand for. */
  readonly fill?: {
    readonly reference?: string
    readonly orderId?: string
    readonly offset?: number
  }
}

/** What is read off an answer: what its operation's `reads` name. Nothing of it is judged here. */
export type SessionAnswer = {
  /** 0: no answer. */
  readonly status: number
  readonly sentMs: number
  readonly receivedMs: number
  /** k6's http_req_duration: the service alone. */
  readonly durationMs: number
  /** The envelope's statusCode; for status 0 k6's error code. */
  readonly code?: number
  /** The header as it came. */
  readonly retryAfter?: string
  readonly errorCode?: string
  readonly state?: string
  readonly currency?: string
  readonly total?: string
  readonly reference?: string
  readonly items?: number
  readonly ids: readonly string[]
  readonly prices: readonly string[]
  readonly states: readonly string[]
}

/** What a session needs of its surroundings: k6, or a simulation. */
export type SessionIo = {
  /** Milliseconds since time 0 of the schedule. */
  nowMs(): number
  sleepUntilMs(atMs: number): Promise<void> | void
  /** From 0 to below 1. */
  random(): number
  /** Sends one request, waits for its answer and writes its evidence. */
  send(request: SessionRequest): Promise<SessionAnswer> | SessionAnswer
}

/** Index of the session in the schedule, of its key in the plan, and when it was due. */
export type SessionStart = { readonly index: number; readonly key: number; readonly dueMs: number }

/** One client, from its first request to its last. */
export type Session = (
  io: SessionIo,
  plan: OpenModelFile,
  session: SessionStart,
) => Promise<SessionEnd>
