import type { AccountSource } from '../accounts/accounts.ts'
import type { Role } from '../../contract/capabilities.ts'
import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import type { Want } from '../../schemas/generated/run-record.ts'
import type { Target } from '../target-file/target.ts'
import type { CheckCosts } from './costs.ts'
import type { Wait } from './waits.ts'

/** What a target offers, against which a check's needs are held. */
export type Offer = {
  readonly target: Target
  readonly accounts: Omit<AccountSource, 'open'>
  /** Whether this machine reaches the target over IPv6. Undefined: not tried yet. */
  readonly reachesIpv6?: boolean | undefined
  readonly permission: PurchasePermission | undefined
  /** The run stays below a quarter of each window. */
  readonly isGentle?: boolean | undefined
}

/** What the target lacks of a check's needs. */
export type Lack = {
  readonly verdict: 'untested' | 'inapplicable'
  readonly reason: string
  /** What would have to be added. */
  readonly wants?: readonly Want[]
}

/** What the plan has to know of a check. */
export type CheckFacts = {
  /** Undefined when the target has all that the check needs. */
  readonly lackOf: (offer: Offer) => Lack | undefined
  readonly roles: readonly Role[]
  /** Counters that it spends, or that have requests set aside for it. */
  readonly windows: readonly {
    readonly bucket: Bucket
    readonly role: Role
    readonly operation: OperationName
    readonly units?: number | 'all'
  }[]
  readonly waits: readonly Wait[]
  readonly tries: number
  /** It comes after all others where accounts outlive it. */
  readonly isLast: boolean
  /** Most orders that it creates. */
  readonly purchases: number
  readonly costs: CheckCosts
}
