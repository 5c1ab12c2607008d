/** Accounts and their keys. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../contract/wire.ts'
import type { LimitRules } from '../base/types.ts'
import type { EffectiveLimits } from './effective-limits.ts'
import { type Network, parseAllowlist } from './allowlist.ts'
import { requireMoney } from '../base/money.ts'

export const KEY_STATUSES = ['active', 'revoked', 'expired'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

export type KeySpec = {
  readonly scopes: readonly Scope[]
  /** Empty or absent: no restriction. */
  readonly allowlist?: readonly string[]
  readonly status?: KeyStatus
  /** Lifetime spend cap, decimal. Absent: none. */
  readonly transactionLimit?: string
  /** Spent so far, decimal. */
  readonly transactionUsed?: string
}

export type Account = {
  readonly id: string
  /** Balance that purchases are paid from, minor units. */
  balanceMinor: number
  /** Rules of its own; the service's hold for the rest. */
  readonly rules: LimitRules
  limits: EffectiveLimits
  /** Amounts of orders that will be cancelled: they flow back once the order is ready. */
  refunds: Refund[]
  /** Quotes of this account that the shop service still refuses (control side). */
  shopRefusals: { left: number; retryAfterSeconds: number }
}

export type Refund = { readonly readyAtMs: number; readonly amountMinor: number }

export type ApiKey = {
  readonly id: string
  readonly account: Account
  readonly role: string
  readonly scopes: ReadonlySet<Scope>
  readonly allowlist: readonly Network[]
  /** As configured: only the control side and one fault ever show it. */
  readonly allowlistText: readonly string[]
  status: KeyStatus
  /** The spend counter, minor units. */
  limitMinor: number | undefined
  usedMinor: number
  reservedMinor: number
  /** Amounts of cancelled orders that a variant gives back to the cap. */
  capRefunds: Refund[]
  /** Orders between quote and commit. */
  ordersInFlight: number
  /** Moment of the last order that was paid; only faults look at it. */
  paidAtMs: number
  /** Whether the allowlist let its first caller in; only a fault looks at it. */
  firstCallerWasAllowed?: boolean
}

const BALANCE_DEFAULT = '1000000.00'

/** Characters by which a fault tells keys apart: enough for random ones. */
const BEGINNING_LENGTH = 16

const beginningOf = (secret: string): string => secret.slice(0, BEGINNING_LENGTH)

export class Accounts {
  /** By their text. */
  readonly #keys = new Map<string, ApiKey>()
  /** By how their text begins. */
  readonly #keysByBeginning = new Map<string, ApiKey>()
  /** By their text in lower case. */
  readonly #keysByLetters = new Map<string, ApiKey>()
  readonly #accounts = new Map<string, Account>()
  #serial = 0

  /** Throws RangeError when the id is taken. */
  add(spec: AccountSpec, limits: EffectiveLimits): Account {
    const id = spec.account ?? `acct-${++this.#serial}`
    if (this.#accounts.has(id)) throw new RangeError(`The account ${id} exists already.`)
    const account: Account = {
      id,
      balanceMinor: requireMoney(spec.funds ?? BALANCE_DEFAULT),
      rules: spec.limits ?? {},
      limits,
      refunds: [],
      shopRefusals: { left: 0, retryAfterSeconds: 1 },
    }
    this.#accounts.set(id, account)
    return account
  }

  /** Creates a key and returns its text. Throws RangeError for a specification that cannot hold. */
  addKey(account: Account, role: string, spec: KeySpec, secret = newSecret()): string {
    if (this.#keys.has(secret)) throw new RangeError('The key exists already.')
    const id = `key-${this.#keys.size + 1}`
    const key = { id, account, role, ...keyFieldsOf(spec) }
    this.#keys.set(secret, key)
    this.#keysByLetters.set(secret.toLowerCase(), key)
    this.#keysByBeginning.set(beginningOf(secret), key)
    return secret
  }

  key(secret: string): ApiKey | undefined {
    return this.#keys.get(secret)
  }

  /** The key whose text begins alike; for a fault. */
  keyAlike(secret: string): ApiKey | undefined {
    return this.#keysByBeginning.get(beginningOf(secret))
  }

  /** The key with these letters in any case; for a fault. */
  keyInAnyCase(secret: string): ApiKey | undefined {
    return this.#keysByLetters.get(secret.toLowerCase())
  }

  keysOf(account: Account): ApiKey[] {
    return this.#keys
      .values()
      .filter((key) => key.account === account)
      .toArray()
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id)
  }

  all(): Iterable<Account> {
    return this.#accounts.values()
  }
}

/** What a specification says of a key. Throws RangeError for one that cannot hold. */
export function keyFieldsOf(spec: KeySpec): Omit<ApiKey, 'id' | 'account' | 'role'> {
  const { transactionLimit } = spec
  return {
    scopes: new Set(spec.scopes),
    allowlist: parseAllowlist(spec.allowlist ?? []),
    allowlistText: spec.allowlist ?? [],
    status: spec.status ?? 'active',
    limitMinor: transactionLimit === undefined ? undefined : requireMoney(transactionLimit),
    usedMinor: requireMoney(spec.transactionUsed ?? '0'),
    reservedMinor: 0,
    capRefunds: [],
    ordersInFlight: 0,
    paidAtMs: Number.NEGATIVE_INFINITY,
  }
}

function newSecret(): string {
  return `ref_${randomBytes(24).toString('base64url')}`
}

export type AccountSpec = {
  readonly account?: string
  readonly keys: Readonly<Record<string, KeySpec>>
  /** Balance, decimal. Default 1000000.00. */
  readonly funds?: string
  /** Rules that hold for this account instead of the service's. */
  readonly limits?: LimitRules
}
