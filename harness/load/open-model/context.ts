import type { AccountSource } from '../../accounts/accounts.ts'
import type { EffectiveLimits } from '../../quota/effective-limits.ts'
import type { Target } from '../../target-file/target.ts'

/** What scenarios of the open model are planned for. */
export type OpenModelContext = {
  readonly target: Target
  readonly limits: EffectiveLimits
  readonly accounts: AccountSource
  /** Of the target's catalog, where it said so. */
  readonly servicesListed?: number
}
