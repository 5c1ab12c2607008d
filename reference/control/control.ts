/** The control side: accounts, keys, faults and facts for tests. No client of the interface can reach it. */
import { keyFieldsOf } from '../model/accounts.ts'
import type { Account, AccountSpec, ApiKey, KeySpec, KeyStatus } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultName } from '../faults/faults.ts'
import { effectiveLimits } from '../model/effective-limits.ts'
import { formatMoney, requireMoney } from '../base/money.ts'
import { statusOf } from '../model/order.ts'
import type { LimitRules } from '../base/types.ts'

export type CreatedAccount = {
  readonly account: string
  readonly keys: Readonly<Record<string, { readonly key: string }>>
}

export type KeyFacts = {
  readonly account: string
  readonly status: KeyStatus
  readonly transactionLimit?: string
  readonly transactionUsed: string
  readonly reserved: string
}

export type OrderFacts = {
  readonly orderId: string
  readonly referenceId: string
  readonly role: string
  readonly status: string
  readonly price: string
}

export type KeyChange = {
  readonly status?: KeyStatus
  /** null takes the limit away. */
  readonly transactionLimit?: string | null
  readonly transactionUsed?: string
}

export interface Control {
  /** A fresh account with keys by role. Throws RangeError for a specification that cannot hold. */
  createAccount(spec: AccountSpec): CreatedAccount
  /** Adds a key with a text of the caller's choice; only the demo accounts need it. */
  createAccountWithKeys(spec: AccountSpec, secrets: Readonly<Record<string, string>>): void
  /** Raises a cap, resets what was used, revokes. Throws RangeError for an unknown key. */
  changeKey(key: string, change: KeyChange): void
  keyFacts(key: string): KeyFacts
  /** Every order of an account, oldest first. Throws RangeError for an unknown account. */
  orders(account: string): OrderFacts[]
  balance(account: string): string
  /** The next `count` quotes of the account meet a rate limit of the shop service, which is relayed. */
  relayShopLimit(account: string, count: number, retryAfterSeconds: number): void
  /** Turns exactly these on. Throws RangeError for a name that does not exist. */
  setFaults(names: readonly string[]): void
  faults(): FaultName[]
}

export function createControl(context: Context, serviceRules: LimitRules): Control {
  const { accounts, clock, faults, orders } = context
  const limitsOf = (rules: LimitRules): Account['limits'] =>
    effectiveLimits({ ...serviceRules, ...rules }, faults)
  const addAccount = (spec: AccountSpec): Account => {
    // All keys are looked at first: a refused specification leaves no account behind.
    for (const key of Object.values(spec.keys)) keyFieldsOf(key)
    return accounts.add(spec, limitsOf(spec.limits ?? {}))
  }
  limitsOf({})

  return {
    createAccount: (spec) => {
      const account = addAccount(spec)
      return { account: account.id, keys: addKeys(context, account, spec.keys) }
    },
    createAccountWithKeys: (spec, secrets) => {
      addKeys(context, addAccount(spec), spec.keys, secrets)
    },
    changeKey: (secret, change) => changeKey(requireKey(context, secret), change),
    keyFacts: (secret) => factsOf(requireKey(context, secret)),
    orders: (id) =>
      orders.ofAccount(requireAccount(context, id)).map((order) => ({
        orderId: order.id,
        referenceId: order.referenceId,
        role: order.key.role,
        status: statusOf(order, clock.nowMs(), faults),
        price: formatMoney(order.line.priceMinor),
      })),
    balance: (id) => formatMoney(requireAccount(context, id).balanceMinor),
    relayShopLimit: (id, count, retryAfterSeconds) => {
      requireAccount(context, id).shopRefusals = { left: count, retryAfterSeconds }
    },
    setFaults: (names) => {
      faults.set(names)
      for (const account of accounts.all()) account.limits = limitsOf(account.rules)
    },
    faults: () => faults.names(),
  }
}

function addKeys(
  { accounts }: Context,
  account: Account,
  keys: Readonly<Record<string, KeySpec>>,
  secrets: Readonly<Record<string, string>> = {},
): Record<string, { key: string }> {
  const entries = Object.entries(keys).map(([role, spec]) => {
    const key = accounts.addKey(
      account,
      role,
      spec,
      Object.hasOwn(secrets, role) ? secrets[role] : undefined,
    )
    return [role, { key }] as const
  })
  return Object.fromEntries(entries)
}

function requireKey({ accounts }: Context, secret: string): ApiKey {
  const key = accounts.key(secret)
  if (key === undefined) throw new RangeError('Got a key that does not exist.')
  return key
}

function requireAccount({ accounts }: Context, id: string): Account {
  const account = accounts.account(id)
  if (account === undefined)
    throw new RangeError(`Got the account ${JSON.stringify(id)}, which does not exist.`)
  return account
}

function changeKey(key: ApiKey, { status, transactionLimit, transactionUsed }: KeyChange): void {
  if (status !== undefined) key.status = status
  if (transactionUsed !== undefined) key.usedMinor = requireMoney(transactionUsed)
  if (transactionLimit !== undefined)
    key.limitMinor = transactionLimit === null ? undefined : requireMoney(transactionLimit)
}

function factsOf(key: ApiKey): KeyFacts {
  return {
    account: key.account.id,
    status: key.status,
    ...(key.limitMinor !== undefined && { transactionLimit: formatMoney(key.limitMinor) }),
    transactionUsed: formatMoney(key.usedMinor),
    reserved: formatMoney(key.reservedMinor),
  }
}
