import type { Role } from '../../contract/capabilities.ts'
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { Scope } from '../../contract/wire.ts'
import type { Credential } from '../target-file/target.ts'

/** Keys that one check may use. */
export type Keyring = {
  /** The credential of a role; throws where the check did not ask for the role. */
  key(role: Role): Credential
  has(role: Role): boolean
}

/** What a check asks of its accounts. */
export type KeyringRequest = {
  readonly roles: readonly Role[]
  /** Decimal headroom of the role `capped`, where fresh keys can be made. */
  readonly transactionLimit?: string
}

/** A key as the control side makes it. */
export type KeySpec = {
  readonly scopes: readonly Scope[]
  readonly allowlist?: readonly string[]
  readonly status?: 'active' | 'revoked' | 'expired'
  /** Decimal amount as text. */
  readonly transactionLimit?: string
}

/** One account of a check's own choice. */
export type AccountSpec = {
  readonly keys: readonly KeySpec[]
  /** Rules of this account alone; for buckets that are left out, those of the target hold. */
  readonly limits?: Readonly<Partial<Record<Bucket, WindowLimit>>>
}

/** Gives each check its keys: fresh accounts where the target makes them, else those of the target file. */
export interface AccountSource {
  /** True when every check has accounts of its own, so that nothing has to queue. */
  readonly fresh: boolean
  /** Roles that can be had at all. */
  readonly roles: readonly Role[]
  open(request: KeyringRequest): Promise<Keyring>
  /** Of keys that stand in a target file: the roles of a request that no account has together; undefined where one has. */
  readonly notTogether?: (roles: readonly Role[]) => readonly Role[] | undefined
  /** Of such keys: each of a role, as a file may name several. */
  readonly each?: (role: Role) => readonly Credential[]
  /** Makes one more account, with a credential for each key in its order. Undefined where the target makes none. */
  make?(spec: AccountSpec): Promise<readonly Credential[]>
}

export function keyringOf(credentials: Readonly<Partial<Record<Role, Credential>>>): Keyring {
  return {
    has: (role) => credentials[role] !== undefined,
    key(role) {
      const credential = credentials[role]
      if (!credential)
        throw new Error(`no credential for role "${role}"; does the check's needs name it?`)
      return credential
    },
  }
}
