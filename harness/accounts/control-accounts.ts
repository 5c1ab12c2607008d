import { keyVariable } from '../target-file/options.ts'
import { ROLE_SCOPES, ROLES, type Role } from '../../contract/capabilities.ts'
import type { Credential } from '../target-file/target.ts'
import {
  keyringOf,
  type AccountSource,
  type AccountSpec,
  type KeyringRequest,
  type KeySpec,
} from './accounts.ts'

/** The control side of a target that makes fresh accounts (the reference service does). */
export interface AccountMaker {
  createAccount(spec: {
    keys: Record<string, KeySpec>
    limits?: NonNullable<AccountSpec['limits']>
  }): Promise<{
    account: string
    keys: Record<string, { key: string }>
  }>
}

/** Each has an account of its own. */
const FOREIGN_ROLES: readonly Role[] = ['stranger', 'background']

/** An address of the documentation range (RFC 5737), which no caller has. */
export const FOREIGN_ADDRESS = '203.0.113.7'
/** Where we call from: this machine itself, or the private address (RFC 1918, RFC 4193) that a container's published port gives us. */
const NEAR = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** What a key of a role has besides its scopes. */
const KEY_TRAITS: Readonly<Partial<Record<Role, Omit<KeySpec, 'scopes'>>>> = {
  capped: { transactionLimit: '10.00' },
  blocked: { allowlist: [FOREIGN_ADDRESS] },
  'blocked-unscoped': { allowlist: [FOREIGN_ADDRESS] },
  allowed: { allowlist: NEAR },
  revoked: { status: 'revoked' },
  expired: { status: 'expired' },
  'revoked-unscoped': { status: 'revoked' },
  'expired-unscoped': { status: 'expired' },
}

/** A fresh account for every check (and a second one where it needs a stranger), so that checks run side by side. */
export function controlAccounts(maker: AccountMaker, capCurrency: string): AccountSource {
  return {
    fresh: true,
    roles: Object.keys(ROLES) as Role[],
    async open(request) {
      const own = request.roles.filter((role) => !FOREIGN_ROLES.includes(role))
      const foreign = request.roles.filter((role) => FOREIGN_ROLES.includes(role))
      const made = await Promise.all(
        [own, ...foreign.map((role) => [role])]
          .filter((roles) => roles.length > 0)
          .map((roles) => openAccount(maker, roles, request, capCurrency)),
      )
      return keyringOf(Object.assign({}, ...made) as Partial<Record<Role, Credential>>)
    },
    make: (spec) => makeAccount(maker, spec),
  }
}

/** Its keys are presented in the role full, whatever they may do. */
async function makeAccount(maker: AccountMaker, spec: AccountSpec): Promise<Credential[]> {
  const specs = new Map(spec.keys.map((key, index) => [`key-${index}`, key]))
  const { account, keys } = await maker.createAccount({
    keys: Object.fromEntries(specs),
    ...(spec.limits ? { limits: spec.limits } : {}),
  })
  return [...specs].map(([name, { allowlist }]) => {
    const secret = keys[name]?.key
    if (secret === undefined) throw new Error(`the control side made no key "${name}"`)
    const env = keyVariable('full')
    return { role: 'full', account, secret, env, ...(allowlist ? { allowlist } : {}) }
  })
}

async function openAccount(
  maker: AccountMaker,
  roles: readonly Role[],
  request: KeyringRequest,
  currency: string,
): Promise<Partial<Record<Role, Credential>>> {
  const { transactionLimit } = request
  const cap = transactionLimit === undefined ? {} : { transactionLimit }
  const specs = Object.fromEntries(roles.map((role) => [role, specOf(role, cap)]))
  const { account, keys } = await maker.createAccount({ keys: specs })
  const credentials: Partial<Record<Role, Credential>> = {}
  for (const role of roles) {
    const secret = keys[role]?.key
    const spec = specs[role]
    if (secret === undefined || !spec)
      throw new Error(`the control side made no key for role "${role}"`)
    credentials[role] = {
      role,
      account,
      secret,
      env: keyVariable(role),
      ...(spec.allowlist ? { allowlist: spec.allowlist } : {}),
      ...(spec.transactionLimit
        ? { transactionLimit: { currency, limit: spec.transactionLimit, used: '0' } }
        : {}),
    }
  }
  return credentials
}

/** A key of a role, with what is wished otherwise. */
export function specOf(
  role: Role,
  { transactionLimit, allowlist }: Pick<KeySpec, 'transactionLimit' | 'allowlist'>,
): KeySpec {
  return {
    scopes: ROLE_SCOPES[role],
    ...KEY_TRAITS[role],
    ...(role === 'capped' && transactionLimit !== undefined && { transactionLimit }),
    ...(allowlist && { allowlist }),
  }
}
