import type { Capability, ProductAbility, Role } from '../../contract/capabilities.ts'
import type { LimitName, WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { ReferenceForm } from '../../contract/reference-id.ts'
import type { Scope } from '../../contract/wire.ts'

/** Where a value of the target came from; the first that gives one wins. */
export type Origin = 'flag' | 'environment' | 'file' | 'default' | 'embedded'

/** A key that can be presented. `secret` never leaves the process unredacted. */
export type Credential = {
  readonly role: Role
  readonly account: string
  readonly secret: string
  /** The environment variable it came from, for curl lines. */
  readonly env: string
  readonly transactionLimit?: {
    readonly currency: string
    readonly limit: string
    readonly used: string
  }
  readonly allowlist?: readonly string[]
  /** As the key was issued, where the target file says so. */
  readonly scopes?: readonly Scope[]
}

export type Scalar = string | number | boolean | null

export type Product = {
  readonly variables: Readonly<Record<string, Scalar>>
  readonly currency?: string
  /** Decimal amount as text. */
  readonly unitPrice?: string
  readonly completesWithinSeconds?: number
  readonly quoteSeconds?: number
  readonly search?: string
}

export const ORDER_KINDS = ['shop', 'dtu', 'dtu-check', 'esim', 'platform-gift'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

/** How one operation is called on this target: the interface's path, or the target file's. */
export type TargetOperation = {
  readonly method: 'GET' | 'POST'
  /** Undefined: not known, so checks that need it are untested. */
  readonly path?: string
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly bodies: Readonly<Partial<Record<OrderKind, unknown>>>
  /** Name of a value -> JSON Pointer or JSONPath. */
  readonly selectors: Readonly<Record<string, string>>
  /** Of the report of limits: the unit of windows that are plain numbers. */
  readonly windowUnit?: 'seconds' | 'milliseconds'
}

/** Answers to open questions that the target file gives. What is undefined is observed. */
export type Answers = {
  readonly missingKeyHttpStatus?: number
  readonly unknownKeyHttpStatus?: number
  readonly revokedKeyHttpStatus?: number
  readonly expiredKeyHttpStatus?: number
  readonly replayStatusCode?: number
  readonly replayHttpStatus?: number
  readonly successStatusCode?: number
  readonly platformGift?: 'enabled' | 'disabled'
  readonly giftQuotes?: 'given' | 'upstream-missing'
}

/** How the target is reached, where that is not as any other. A proxy comes from the environment of each process. */
export type Network = {
  /** Absolute paths of PEM files: the key itself stays where it is. */
  readonly clientCertFile?: string
  readonly clientKeyFile?: string
  /** Only addresses of this family. */
  readonly family?: 4 | 6
}

/** The configured system: everything that checks need to know, resolved, as plain data (it crosses a thread boundary). */
export type Target = {
  readonly name: string
  readonly kind: 'embedded' | 'url' | 'image'
  /** Digest of the container image that was started. */
  readonly image?: string
  /** Of the container, where its process can be seen on this machine. */
  readonly processId?: number
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly environment: 'sandbox' | 'production'
  readonly timing: 'strict' | 'partner'
  /** How references have to look; UUIDs if it says nothing. */
  readonly referenceForm?: ReferenceForm
  /** How long checks of late replays wait, if that is longer than a window. */
  readonly replayAfterSeconds?: number
  readonly capabilities: readonly Capability[]
  readonly credentials: Readonly<Partial<Record<Role, Credential>>>
  /** Further keys of roles that have several: of other accounts, with other allowlists, with other caps. */
  readonly moreKeys?: readonly Credential[]
  readonly products: Readonly<Partial<Record<ProductAbility, Product>>>
  /** Only what the target file states; effective values are read from GET /rate-limits first. */
  readonly limits: Readonly<Partial<Record<LimitName, WindowLimit>>>
  readonly operations: Readonly<Record<OperationName, TargetOperation>>
  readonly answers: Answers
  readonly control?: { readonly baseUrl: string }
  readonly network?: Network
  /** Dotted name of a value -> where it came from, for example `baseUrl` -> `flag`. */
  readonly origins: Readonly<Record<string, Origin>>
  /** Where the target file says what, by JSON Pointer. Undefined: there is no file. */
  readonly places?: { readonly file: string; readonly lines: Readonly<Record<string, number>> }
  /** Faults of the embedded reference service that are on. */
  readonly faults: readonly string[]
}

/** The longest single wait of a check, seconds. Windows that a target reports as longer, as in another unit, would never end. */
export const WAIT_SECONDS_MAX = 900

/** Slack for timing judgements, milliseconds (algorithms: strict for one node, partner for several whose clocks differ). */
export const TIMING_SLACK_MS: Readonly<Record<Target['timing'], number>> = {
  strict: 50,
  partner: 250,
}
