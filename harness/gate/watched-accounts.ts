import type { AccountSource, AccountSpec } from '../accounts/accounts.ts'
import { accountsOf } from '../accounts/select-accounts.ts'
import { keysOfFile } from '../target-file/keys.ts'
import type { Redactor } from '../record/redact.ts'
import { CONTROL_TOKEN_VARIABLE, variable } from '../target-file/options.ts'
import type { Target } from '../target-file/target.ts'

/** The accounts of a target. Every key of them is made unprintable before it is used. */
export function watchedAccounts(target: Target, redactor: Redactor): AccountSource {
  for (const { role, secret } of keysOfFile(target)) redactor.addSecret(secret, `key of ${role}`)
  const token = variable(process.env, CONTROL_TOKEN_VARIABLE)
  if (token !== undefined) redactor.addSecret(token, 'key of the control side')
  const accounts = accountsOf(target)
  return {
    fresh: accounts.fresh,
    roles: accounts.roles,
    ...(accounts.notTogether && { notTogether: accounts.notTogether }),
    ...(accounts.each && { each: accounts.each }),
    async open(request) {
      const keyring = await accounts.open(request)
      for (const role of request.roles)
        if (keyring.has(role)) redactor.addSecret(keyring.key(role).secret, `key of ${role}`)
      return keyring
    },
    ...(accounts.make && {
      async make(spec: AccountSpec) {
        const credentials = (await accounts.make?.(spec)) ?? []
        for (const { secret } of credentials) redactor.addSecret(secret, 'key made for the run')
        return credentials
      },
    }),
  }
}
