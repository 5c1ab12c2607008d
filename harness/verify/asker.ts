/** Sends single harmless requests, never more than permitted, and keeps them. */
import type { OperationName } from '../../contract/operations.ts'
import { keyringOf, type Keyring } from '../accounts/accounts.ts'
import { Api, type Caller, type CallOptions } from '../client/api.ts'
import { Client } from '../client/client.ts'
import type { Exchange, Transport } from '../client/exchange.ts'
import { History } from '../client/history.ts'
import type { Clock } from '../clock.ts'
import { PurchaseGuard } from '../purchases/purchase-guard.ts'
import * as answers from '../../contract/answers.ts'
import type { Credential, Scalar, Target } from '../target-file/target.ts'

export type AskerOptions = {
  readonly target: Target
  readonly keyring: Keyring
  readonly transport: Transport
  readonly clock: Clock
  readonly requestsMax: number
  readonly signal: AbortSignal
}

export type Question = Omit<CallOptions, 'throttled' | 'unpaced'> & {
  readonly variables?: Record<string, Scalar>
  readonly body?: unknown
  /** In the place of the key that the role has by default. */
  readonly key?: Credential | undefined
}

export class Asker {
  readonly #context: ConstructorParameters<typeof Api>[0]
  readonly #options: AskerOptions
  readonly #history = new History()
  #asked = 0

  constructor(options: AskerOptions) {
    this.#options = options
    const { target, keyring, transport, clock, signal } = options
    const pacer = { admit: () => undefined, settle: () => {} }
    const client = new Client({ transport, clock, history: this.#history, pacer, signal })
    // No order can be made through it, whatever is asked.
    const guard = new PurchaseGuard({ ordersMax: 0 })
    this.#context = { client, target, clock, guard, keyring, check: 'verify', signal }
  }

  get exchanges(): readonly Exchange[] {
    return this.#history.all()
  }

  get requestsLeft(): number {
    return this.#options.requestsMax - this.#asked
  }

  /** Whether it can be asked at all: the target file, or the interface, gives its path. */
  knows(operation: OperationName): boolean {
    return this.#options.target.operations[operation].path !== undefined
  }

  /** What ended the questions. Undefined: nothing did. */
  get shortOf(): 'request' | 'time' | undefined {
    if (this.#options.signal.aborted) return 'time'
    return this.requestsLeft <= 0 ? 'request' : undefined
  }

  /** Undefined where the number or the time of requests is used up, or the target file gives no path. */
  async ask(
    caller: Caller,
    operation: OperationName,
    { variables = {}, body, key, ...options }: Question = {},
  ): Promise<Exchange | undefined> {
    const { target, signal } = this.#options
    const hasPath = (options.path ?? target.operations[operation].path) !== undefined
    if (!hasPath || this.requestsLeft <= 0 || signal.aborted) return undefined
    this.#asked += 1
    try {
      const sent = { ...options, throttled: 'return' } as const
      const keyring = key ? keyringOf({ [key.role]: key }) : this.#context.keyring
      const api = new Api({ ...this.#context, keyring }, caller)
      return await api.send(operation, { variables, body }, sent)
    } catch (cause) {
      if (signal.aborted) return undefined
      throw cause
    }
  }
}

export function statusOf(exchange: Exchange | undefined): number | undefined {
  return exchange?.response?.status
}

export function isAccepted(exchange: Exchange | undefined): boolean {
  return answers.isAccepted({ status: statusOf(exchange) ?? 0 })
}

/** An answer in a few words: `HTTP 403: Forbidden: …`. */
export function answerText(exchange: Exchange | undefined): string {
  if (!exchange) return 'not asked'
  const { response, error, json } = exchange
  if (!response) return `no answer (${error?.code ?? 'unknown'}: ${error?.message ?? ''})`
  const { statusMessage } = (json ?? {}) as { statusMessage?: unknown }
  if (typeof statusMessage !== 'string' || statusMessage === '') return `HTTP ${response.status}`
  const shown = statusMessage.length > 160 ? `${statusMessage.slice(0, 160)}…` : statusMessage
  return `HTTP ${response.status}: ${shown}`
}
