import type { OperationName } from '../../contract/operations.ts'
import type { ProductAbility, Role } from '../../contract/capabilities.ts'

export type HeaderList = readonly (readonly [name: string, value: string])[]

/** What goes on the wire. */
export type WireRequest = {
  readonly method: string
  /** Absolute URL as the URL class writes it. */
  readonly url: string
  readonly headers: HeaderList
  readonly body?: string
  /** Local address to send from, where it matters (allowlist). */
  readonly localAddress?: string
}

/** What came back. */
export type WireResponse = {
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
  /** True when the body was longer than the client reads. */
  readonly truncated: boolean
  /** What is wrong with the bytes of the body: not UTF-8, or of a content coding that does not decode. */
  readonly flaw?: string
  /** Which connection carried it, where known. */
  readonly connection?: string
}

/** Told while a request is under way. */
export type SendHooks = {
  /** The head of the request is being written: the server cannot have acted before. */
  readonly onSent?: () => void
  /** The last byte of the request has left: the server may act on all of it. */
  readonly onBodySent?: () => void
}

/** Carries one request; rejects with a transport error. No redirects, no retries. */
export interface Transport {
  send(request: WireRequest, hooks?: SendHooks, signal?: AbortSignal): Promise<WireResponse>
  close(): Promise<void>
}

/** A transport error: no response was read. `code` is Node's or undici's. */
export type TransportError = { readonly code: string; readonly message: string }

/** One request with its response or transport error, with times. The server acted at some moment in [sentAtMs, receivedAtMs]. */
export type Exchange = {
  /** Unique in the run, for example `x0042`. */
  readonly id: string
  /** The check that asked for it. */
  readonly check: string
  readonly operation: OperationName | 'raw'
  /** Whose key was presented; `none` without one, `invented` for a key that no account has. */
  readonly role: Role | 'none' | 'invented'
  readonly account: string
  /** The environment variable that holds the key which was presented. */
  readonly keyVariable?: string | undefined
  /** The products of the target file that it asks for as the file describes them. */
  readonly products?: readonly ProductAbility[] | undefined
  /** The body template of the target file that it was rendered from, as a JSON Pointer. */
  readonly template?: string | undefined
  /** How many units of its one product an order asks for, where its price is so many times the price of one. */
  readonly units?: number | undefined
  readonly request: WireRequest
  /** Monotonic milliseconds of the harness's clock. */
  readonly sentAtMs: number
  readonly receivedAtMs: number
  /** Wall clock at sending, milliseconds since the epoch. */
  readonly sentAtWallMs: number
  readonly response?: WireResponse
  /** Parsed JSON body of the response; undefined where there is none or it does not parse. */
  readonly json?: unknown
  readonly error?: TransportError
}
