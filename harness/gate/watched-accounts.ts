import type { AccountSource } from '../accounts/accounts.ts'
import { accountsOf } from '../accounts/select-accounts.ts'
import type { Redactor } from '../record/redact.ts'
import type { Target } from '../target/target.ts'

/** The accounts of a target. Every key of them is made unprintable before it is used. */
export function watchedAccounts(target: Target, redactor: Redactor): AccountSource {
  for (const { role, secret } of Object.values(target.credentials))
    redactor.addSecret(secret, `key of ${role}`)
  const accounts = accountsOf(target)
  return {
    fresh: accounts.fresh,
    roles: accounts.roles,
    async open(request) {
      const keyring = await accounts.open(request)
      for (const role of request.roles)
        if (keyring.has(role)) redactor.addSecret(keyring.key(role).secret, `key of ${role}`)
      return keyring
    },
  }
}
