import { ACCOUNT_OF_FULL, type Role } from '../../contract/capabilities.ts'
import { parseMoney, type Micros } from '../money.ts'
import { keysOfFile, type FileKeys } from '../target-file/keys.ts'
import type { Credential } from '../target-file/target.ts'
import { keyringOf, type AccountSource } from './accounts.ts'

/** The keys of the target file, shared by all checks. */
export function staticAccounts(target: FileKeys): AccountSource {
  const all = keysOfFile(target)
  const promised = new Map<string, Micros>()
  return {
    fresh: false,
    roles: rolesOf(all),
    notTogether: (roles) => notTogether(all, roles),
    each: (role) => all.filter((key) => key.role === role),
    open: ({ roles, transactionLimit }) => {
      const accounts = accountsFor(all, roles)
      const wanted = parseMoney(transactionLimit) ?? 0n
      const capped = roles.includes('capped')
        ? cappedKey(all, accounts, { wanted, promised })
        : undefined
      const account = accounts.find((each) => each === capped?.account) ?? accounts[0]
      const chosen = roles.flatMap((role) => {
        const key = role === 'capped' ? capped : keyOf(all, role, account)
        return key ? [[role, { ...key, role }] as const] : []
      })
      return Promise.resolve(keyringOf(Object.fromEntries(chosen)))
    },
  }
}

/** The role full of a second account is a stranger to the first. */
function rolesOf(keys: readonly Credential[]): readonly Role[] {
  const accounts = new Set(keys.filter(({ role }) => role === 'full').map((each) => each.account))
  const strangers = accounts.size > 1 ? (['stranger'] as const) : []
  return [...new Set([...keys.map(({ role }) => role), ...strangers])]
}

/** The roles of a request that no account of the file has together; undefined where one has. */
function notTogether(
  keys: readonly Credential[],
  roles: readonly Role[],
): readonly Role[] | undefined {
  const bound = boundOf(roles)
  const [account] = accountsFor(keys, roles)
  return bound.every((role) => has(keys, role, account)) ? undefined : bound
}

function boundOf(roles: readonly Role[]): readonly Role[] {
  const bound: readonly Role[] = ['full', ...ACCOUNT_OF_FULL]
  return roles.filter((role) => bound.includes(role))
}

/** The accounts that have most of the roles which have to be of one, in the order of the file. */
function accountsFor(keys: readonly Credential[], roles: readonly Role[]): readonly string[] {
  const bound = boundOf(roles)
  const main = keys.find(({ role }) => role === 'full')?.account
  const accounts = new Set([...(main === undefined ? [] : [main]), ...keys.map((k) => k.account)])
  const shares = [...accounts].map((account) => ({
    account,
    count: bound.filter((role) => has(keys, role, account)).length,
  }))
  const most = Math.max(...shares.map(({ count }) => count))
  return shares.filter(({ count }) => count === most).map(({ account }) => account)
}

function has(keys: readonly Credential[], role: Role, account: string | undefined): boolean {
  return keys.some((each) => each.role === role && each.account === account)
}

function keyOf(
  keys: readonly Credential[],
  role: Role,
  account: string | undefined,
): Credential | undefined {
  if (role === 'stranger')
    return (
      keys.find((each) => each.role === 'stranger' && each.account !== account) ??
      keys.find((each) => each.role === 'full' && each.account !== account)
    )
  const own = keys.filter((each) => each.role === role)
  return own.find((each) => each.account === account) ?? own[0]
}

/**
 * Chooses the smallest of several caps that has room for what a check wants. The largest stays for those that want most.
 * Where none has, the one with most room. Caps of these accounts come before others.
 */
function cappedKey(
  keys: readonly Credential[],
  accounts: readonly string[],
  { wanted, promised }: { readonly wanted: Micros; readonly promised: Map<string, Micros> },
): Credential | undefined {
  const capped = keys.filter(({ role }) => role === 'capped')
  const near = capped.filter((each) => accounts.includes(each.account))
  const rooms = (near.length > 0 ? near : capped)
    .map((key) => ({ key, left: headroomOf(key) - (promised.get(key.env) ?? 0n) }))
    .toSorted((a, b) => Number(a.left - b.left))
  const chosen = rooms.find(({ left }) => left >= wanted) ?? rooms.at(-1)
  if (chosen) promised.set(chosen.key.env, (promised.get(chosen.key.env) ?? 0n) + wanted)
  return chosen?.key
}

function headroomOf({ transactionLimit }: Credential): Micros {
  return (parseMoney(transactionLimit?.limit) ?? 0n) - (parseMoney(transactionLimit?.used) ?? 0n)
}
