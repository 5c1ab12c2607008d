/** What one caller sends: address, headers and body of a call, as the target file describes them. */
import type { Role } from '../../contract/capabilities.ts'
import type { OperationName } from '../../contract/operations.ts'
import { HEADER, MEDIA_TYPE_JSON } from '../../contract/wire.ts'
import type { Keyring } from '../accounts/accounts.ts'
import type { Scalar, Target } from '../target-file/target.ts'
import { renderPath, renderTemplate } from '../target-file/template.ts'
import type { Call } from './client.ts'
import type { HeaderList } from './exchange.ts'

/** Who calls: a role of the check's keyring, nobody, or a key that no account has. */
export type Caller = Role | 'none' | 'invented'

/** How one call departs from a plain one. */
export type CallOptions = {
  /** `return`: a 429 is what the check wants to see. `wait` (default): it is waited out and the call sent again. */
  readonly throttled?: 'wait' | 'return'
  /** Sent without waiting for quota of the ledger. */
  readonly unpaced?: boolean
  /** The client goes away after the last byte of the request: the exchange ends with the error ABANDONED. */
  readonly abandon?: boolean
  readonly localAddress?: string
  /** Set, or with null removed. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent in place of the JSON text of the body. */
  readonly rawBody?: string
  readonly method?: string
  readonly path?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** What a call is about, beyond what goes on the wire. */
export type Marks = Pick<
  Call,
  | 'order'
  | 'filtered'
  | 'unhide'
  | 'awaitedUntilMs'
  | 'checkOnly'
  | 'products'
  | 'units'
  | 'purchases'
  | 'confirms'
  | 'settled'
>

/** A key that no account has: well-formed, and never a secret. */
const INVENTED_KEY = 'harness-invented-key-00000000000000000000'

export type Content = { readonly variables?: Record<string, Scalar>; readonly body?: unknown }

type Described = { readonly target: Target; readonly keyring: Keyring; readonly check: string }

/** Makes the calls of one caller. */
export class Calls {
  readonly #context: Described
  readonly #caller: Caller
  /** Headers of a plain call, without and with a body: the same for all of them. */
  readonly #plain: { without?: HeaderList; with?: HeaderList } = {}

  constructor(context: Described, caller: Caller) {
    this.#context = context
    this.#caller = caller
  }

  of(operation: OperationName, content: Content, options: CallOptions, marks: Marks): Call {
    const { target, check } = this.#context
    const described = target.operations[operation]
    const method = options.method ?? described.method
    const path = options.path ?? described.path
    if (path === undefined) throw new Error(`the target file gives no path for ${operation}`)
    const variables = content.variables ?? {}
    const stated = renderTemplate(described.query, variables) as typeof described.query
    const url = urlOf(target.baseUrl + renderPath(path, variables), { ...stated, ...options.query })
    const body = bodyText(method, content.body, options.rawBody)
    const { account, keyVariable } = this.#presented()
    return {
      check,
      operation,
      role: this.#caller,
      account,
      keyVariable,
      method,
      url,
      headers: this.#headers(body !== undefined, options.headers),
      body,
      localAddress: options.localAddress,
      unpaced: options.unpaced,
      abandon: options.abandon,
      meets: options.throttled === 'return',
      ...marks,
    }
  }

  #headers(hasBody: boolean, overrides?: CallOptions['headers']): HeaderList {
    if (overrides) return this.#headersWith(hasBody, overrides)
    return (this.#plain[hasBody ? 'with' : 'without'] ??= this.#headersWith(hasBody, {}))
  }

  #headersWith(hasBody: boolean, overrides: NonNullable<CallOptions['headers']>): HeaderList {
    const key = this.#key()
    const headers = new Map<string, string>([['accept', MEDIA_TYPE_JSON]])
    if (key !== undefined) headers.set(HEADER.apiKey.toLowerCase(), key)
    if (hasBody) headers.set(HEADER.contentType.toLowerCase(), MEDIA_TYPE_JSON)
    for (const name of Object.keys(overrides)) headers.delete(name.toLowerCase())
    // As they are spelled: how a name is written must not matter to a server.
    for (const [name, value] of Object.entries(overrides))
      if (value !== null) headers.set(name, value)
    return [...headers]
  }

  #key(): string | undefined {
    if (this.#caller === 'none') return undefined
    if (this.#caller === 'invented') return INVENTED_KEY
    return this.#context.keyring.key(this.#caller).secret
  }

  get account(): string {
    return this.#presented().account
  }

  /** Whose key is sent, and where it comes from. */
  #presented(): Pick<Call, 'account' | 'keyVariable'> {
    if (this.#caller === 'none' || this.#caller === 'invented') return { account: this.#caller }
    const { account, env } = this.#context.keyring.key(this.#caller)
    return { account, keyVariable: env }
  }
}

/** Paths as the URL class writes them: a run has few, and calls each many times. */
const hrefs = new Map<string, string>()
const HREFS_MAX = 1_000

function hrefOf(url: string): string {
  const known = hrefs.get(url)
  if (known !== undefined) return known
  if (hrefs.size >= HREFS_MAX) hrefs.clear()
  const { href } = new URL(url)
  hrefs.set(url, href)
  return href
}

function urlOf(url: string, query: NonNullable<CallOptions['query']>): string {
  const href = hrefOf(url)
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return href
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)] as [string, string]),
  )
  // A space as %20, which every decoder understands; + is one in forms only.
  if (!/[?#]/.test(href)) return `${href}?${search.toString().replaceAll('+', '%20')}`
  const whole = new URL(href)
  for (const [name, value] of search) whole.searchParams.append(name, value)
  whole.search = whole.search.replaceAll('+', '%20')
  return whole.href
}

function bodyText(method: string, body: unknown, rawBody?: string): string | undefined {
  if (rawBody !== undefined) return rawBody
  if (body !== undefined) return JSON.stringify(body)
  return method === 'GET' ? undefined : '{}'
}
