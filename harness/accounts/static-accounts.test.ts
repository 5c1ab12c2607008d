import { expect, it } from 'vitest'
import type { Role } from '../../contract/capabilities.ts'
import type { Credential } from '../target-file/target.ts'
import { staticAccounts } from './static-accounts.ts'

function keyOf(role: Role, account: string, limit?: string): Credential {
  const env = `${role}-${account}`
  const cap = limit === undefined ? {} : { transactionLimit: { currency: 'USD', limit, used: '0' } }
  return { role, account, env, secret: env, ...cap }
}

const ALL = [
  keyOf('full', 'main'),
  keyOf('full', 'second'),
  keyOf('sibling', 'main'),
  keyOf('capped', 'main', '100.00'),
  keyOf('capped', 'second', '400.00'),
]
const FILE = {
  credentials: Object.fromEntries(ALL.map((key) => [key.role, key] as const).toReversed()),
  moreKeys: ALL.filter((key) => key.account === 'second'),
}

/** The accounts of the keys that a check with these roles gets. */
async function accountsOf(roles: readonly Role[], transactionLimit: string) {
  const keys = await staticAccounts(FILE).open({ roles, transactionLimit })
  return roles.map((role) => keys.key(role).account)
}

it('takes a cap with room from another account, and the keys of that account with it', async () => {
  expect(await accountsOf(['capped'], '90.00')).toEqual(['main'])
  expect(await accountsOf(['capped'], '200.00')).toEqual(['second'])
  expect(await accountsOf(['full', 'capped'], '200.00')).toEqual(['second', 'second'])
})

it('stays with the account that has the other roles of the check', async () => {
  expect(await accountsOf(['sibling', 'full', 'capped'], '200.00')).toEqual([
    'main',
    'main',
    'main',
  ])
})
