import { keyringOf, type AccountSource } from '../accounts/accounts.ts'
import type { Credential } from '../target-file/target.ts'

const PAPER_ACCOUNTS: Readonly<Partial<Record<Credential['role'], string>>> = {
  stranger: 'another',
  background: 'background',
}

/** Accounts on paper: a plan counts keys, and asks no control side for them. Their secrets are never sent. */
export function paperAccounts(accounts: AccountSource): AccountSource {
  let made = 0
  const credential = (role: Credential['role'], account: string): Credential => ({
    role,
    account,
    secret: `on paper: ${account} ${role} ${(made += 1)}`,
    env: '',
  })
  return {
    fresh: accounts.fresh,
    roles: accounts.roles,
    ...(accounts.notTogether && { notTogether: accounts.notTogether }),
    ...(accounts.each && { each: accounts.each }),
    open: ({ roles }) =>
      Promise.resolve(
        keyringOf(
          Object.fromEntries(
            roles.map((role) => [role, credential(role, PAPER_ACCOUNTS[role] ?? 'one')]),
          ),
        ),
      ),
    ...(accounts.make && {
      make: ({ keys }) => Promise.resolve(keys.map(() => credential('full', 'made'))),
    }),
  }
}
