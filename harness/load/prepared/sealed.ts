/**
 * What a run was planned for, as text for a file: no key is in it, and it becomes the same again but for the keys, which the judge needs
 * only to tell them apart.
 */
import type { AccountSource } from '../../accounts/accounts.ts'
import { HarnessError } from '../../errors.ts'
import type { PlannedAttempt } from '../planned-attempt.ts'

/** Stands for money, which JSON has no numbers for. */
const BIGINT = '$bigint'
/** Stands for the accounts: plain facts in the place of functions. */
type SealedAccounts = Pick<AccountSource, 'fresh' | 'roles'> & { readonly makes: boolean }

/** Text of a value, with money, and with every key replaced by the name of its environment variable. */
export function seal(value: unknown, secrets: Readonly<Record<string, string>>): string {
  const names = new Map(Object.entries(secrets).map(([name, secret]) => [secret, name]))
  const text = JSON.stringify(
    value,
    (_, each: unknown) => {
      if (typeof each === 'bigint') return { [BIGINT]: String(each) }
      return typeof each === 'string' ? (names.get(each) ?? each) : each
    },
    2,
  )
  requireNoSecret(text, Object.values(secrets))
  return `${text}\n`
}

/** The value that was sealed. */
export function unseal(text: string): unknown {
  return JSON.parse(text, (_, each: unknown) => {
    const isBigint = typeof each === 'object' && each !== null && BIGINT in each
    return isBigint ? BigInt(String(each[BIGINT])) : each
  })
}

/** A planned run without its keys. */
export function sealAttempt(attempt: PlannedAttempt): string {
  const { secrets } = attempt.plan
  const plan = { ...attempt.plan, secrets: {} }
  if (!('context' in attempt)) return seal({ ...attempt, plan }, secrets)
  const { target, limits, accounts } = attempt.context
  const sealed: SealedAccounts = {
    fresh: accounts.fresh,
    roles: accounts.roles,
    makes: accounts.make !== undefined,
  }
  const context = { target: { ...target, credentials: {} }, limits, accounts: sealed }
  return seal({ ...attempt, plan, context }, secrets)
}

/** The planned run again, for its judge alone: its accounts give no key any more. */
export function unsealAttempt(text: string): PlannedAttempt {
  const attempt = unseal(text) as PlannedAttempt
  if (!('context' in attempt)) return attempt
  const sealed = attempt.context.accounts as unknown as SealedAccounts
  const accounts: AccountSource = {
    fresh: sealed.fresh,
    roles: sealed.roles,
    open: noKeys,
    ...(sealed.makes && { make: noKeys }),
  }
  return { ...attempt, context: { ...attempt.context, accounts } }
}

function noKeys(): never {
  throw new Error('a run that was prepared before is only judged; it gets no keys')
}

/** Throws E_HARNESS where a key stands in a text that is to be written to a file. */
export function requireNoSecret(text: string, secrets: readonly string[]): void {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  if (!written.some((secret) => text.includes(secret))) return
  throw new HarnessError(
    'E_HARNESS',
    'a key would have been written into a file of the prepared run',
    'Nothing was written of that file. Report it; the keys of the run are safe.',
  )
}
