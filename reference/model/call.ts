import type { OperationName } from '../../contract/operations.ts'
import type { Scope } from '../../contract/wire.ts'
import type { Answer } from '../http/answer.ts'
import type { Body } from '../http/body.ts'
import type { ApiKey } from './accounts.ts'
import type { Context } from './context.ts'
import type { GiveBack } from './limiter.ts'

export type Handler = (call: Call) => Answer | Promise<Answer>

export type Route = {
  readonly operation: OperationName
  readonly method: 'GET' | 'POST'
  /** Placeholders in braces take one segment each. */
  readonly path: string
  readonly scope?: Scope
  /** False: answers callers outside the allowlist too. */
  readonly checksAllowlist: boolean
  readonly handler: Handler
}

/** One authenticated request on its way through a handler. */
export type Call = {
  readonly context: Context
  readonly route: Route
  readonly operation: OperationName
  readonly query: URLSearchParams
  /** Placeholders of the route's path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Body
  /** Whether the request declares application/json. */
  readonly declaresJson: boolean
  readonly key: ApiKey
  readonly callerAddress: string
  /** User-Agent; only faults look at it. */
  readonly userAgent: string
  /** Moment of admission: limits and answer read every state at it. */
  readonly nowMs: number
  /** Whether the client has gone away meanwhile. */
  readonly isGone: (() => boolean) | undefined
  /** Gives back what the rate limit counted for this request. */
  readonly giveBack: GiveBack
}
