import type { OperationName } from '../../contract/operations.ts'
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { GiveBack } from '../limits/limiter.ts'
import type { Route } from './routes.ts'

/** One authenticated request on its way through a handler. */
export type Call = {
  readonly context: Context
  readonly route: Route
  readonly operation: OperationName
  readonly query: URLSearchParams
  /** Placeholders of the route's path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
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
