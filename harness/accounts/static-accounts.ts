import type { Role } from '../../contract/capabilities.ts'
import type { Credential } from '../target-file/target.ts'
import { keyringOf, type AccountSource } from './accounts.ts'

/** The keys of the target file, shared by all checks. */
export function staticAccounts(
  credentials: Readonly<Partial<Record<Role, Credential>>>,
): AccountSource {
  return {
    fresh: false,
    roles: Object.keys(credentials) as Role[],
    open: () => Promise.resolve(keyringOf(credentials)),
  }
}
