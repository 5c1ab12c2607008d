/** The fixed demo accounts: one key for each role, in three accounts, the same after every start. */
import type { Role } from '../contract/capabilities.ts'
import { SCOPES, type Scope } from '../contract/wire.ts'
import type { KeySpec } from './model/accounts.ts'
import type { Control } from './control/control.ts'

const EVERY_ORDER_SCOPE: readonly Scope[] = SCOPES.filter((scope) => scope !== 'funds:read')

/** Networks that no caller of a demo comes from: reserved for documentation. */
const FOREIGN_NETWORKS: readonly string[] = ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32']
const LOOPBACK_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1']

export const DEMO_TRANSACTION_LIMIT = '500.00'
export const DEMO_ACCOUNTS = {
  main: 'demo-main',
  other: 'demo-other',
  background: 'demo-background',
} as const

export const DEMO_KEYS: Readonly<Record<Role, KeySpec>> = {
  full: { scopes: EVERY_ORDER_SCOPE },
  sibling: { scopes: EVERY_ORDER_SCOPE },
  stranger: { scopes: EVERY_ORDER_SCOPE },
  browser: { scopes: ['product:read'] },
  writer: { scopes: ['orders:write'] },
  poller: { scopes: ['orders:read'] },
  unscoped: { scopes: [] },
  capped: { scopes: EVERY_ORDER_SCOPE, transactionLimit: DEMO_TRANSACTION_LIMIT },
  blocked: { scopes: EVERY_ORDER_SCOPE, allowlist: FOREIGN_NETWORKS },
  'blocked-unscoped': { scopes: [], allowlist: FOREIGN_NETWORKS },
  allowed: { scopes: EVERY_ORDER_SCOPE, allowlist: LOOPBACK_NETWORKS },
  revoked: { scopes: EVERY_ORDER_SCOPE, status: 'revoked' },
  expired: { scopes: EVERY_ORDER_SCOPE, status: 'expired' },
  'revoked-unscoped': { scopes: [], status: 'revoked' },
  'expired-unscoped': { scopes: [], status: 'expired' },
  funds: { scopes: ['funds:read'] },
  background: { scopes: EVERY_ORDER_SCOPE },
}

export const DEMO_ROLES = Object.keys(DEMO_KEYS) as readonly Role[]

/** The text of a demo key. Not a secret: it opens a demo service only, whose money is none. */
export function demoKey(role: Role): string {
  return `ref_demo_${role}_0123456789abcdef`
}

/** The environment variable that a target file names for a role. */
export function envNameOf(role: Role): string {
  return `ORDERING_KEY_${role.toUpperCase().replaceAll('-', '_')}`
}

/** Environment by name, for whoever runs the harness against the demo service. */
export function demoEnvironment(): Record<string, string> {
  return Object.fromEntries(DEMO_ROLES.map((role) => [envNameOf(role), demoKey(role)]))
}

export function createDemoAccounts(control: Control): void {
  const secrets = Object.fromEntries(DEMO_ROLES.map((role) => [role, demoKey(role)]))
  const { stranger, background, ...main } = DEMO_KEYS
  control.createAccountWithKeys({ account: DEMO_ACCOUNTS.main, keys: main }, secrets)
  control.createAccountWithKeys({ account: DEMO_ACCOUNTS.other, keys: { stranger } }, secrets)
  control.createAccountWithKeys(
    { account: DEMO_ACCOUNTS.background, keys: { background } },
    secrets,
  )
}
