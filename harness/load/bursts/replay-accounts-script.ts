import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import type { Credential } from '../../target-file/target.ts'
import {
  purchasableOf,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

/** The script in which keys of one account, and one of another, use the same references. */
export const ACCOUNTS_SCRIPT = 'two accounts'
/** Places of its keys. */
export const ACCOUNT_KEYS = { own: [0, 1], other: 2 } as const

const KEYS = [...ACCOUNT_KEYS.own, ACCOUNT_KEYS.other]
const ROLES = ['full', 'sibling', 'stranger'] as const
const REFERENCES = 3
/** Bought by the other account alone: that it can buy at all. */
export const CONTROL_REFERENCE = REFERENCES
/** Of one account, beside what the other scripts send. */
const REQUESTS = 2 * 2 * REFERENCES

/** What is bought under references beside vouchers, where accounts are made to order; the places of their references follow the control's. */
export function accountsPurchasables({ target, accounts }: BurstContext): readonly Purchasable[] {
  if (!accounts.make) return []
  return (['dtu', 'esim'] as const).flatMap((kind) => {
    const purchasable = purchasableOf(target, kind, 1, kind)
    return 'lacks' in purchasable ? [] : [purchasable]
  })
}

/** Every key buys under each reference, all at once, and once more when that is answered; so with other purchasables, from `firstProduct` on. */
export function accountsScript(
  context: BurstContext,
  firstProduct: number,
  atMs: number,
  othersOfAccount: number,
): ScriptDraft[] {
  const { accounts, limits } = context
  const hasRoles = ROLES.every((role) => accounts.roles.includes(role))
  const hasRoom = othersOfAccount + REQUESTS <= limitOf(limits, 'default', 'createOrder').count
  if (!accounts.make && !(hasRoles && hasRoom)) return []
  const vouchers = Array.from({ length: REFERENCES }, (_, reference) => byEveryKey(reference, 0))
  const others = accountsPurchasables(context).map((_, index) =>
    byEveryKey(CONTROL_REFERENCE + 1 + index, firstProduct + index),
  )
  const bursts = (phase: 'burst' | 'storm'): PlannedStep[] =>
    [...vouchers, ...others].map((purchases) => ({ do: 'buy', phase, purchases }))
  return [
    {
      name: ACCOUNTS_SCRIPT,
      headroomUnits: KEYS.map(() => null),
      steps: [
        { do: 'warm', count: KEYS.length },
        { do: 'meet', atMs },
        ...bursts('burst'),
        ...bursts('storm'),
        {
          do: 'buy',
          phase: 'spare',
          purchases: [purchase(ACCOUNT_KEYS.other, CONTROL_REFERENCE, 0)],
        },
      ],
    },
  ]
}

function byEveryKey(reference: number, product: number): PlannedPurchase[] {
  return KEYS.map((key) => purchase(key, reference, product))
}

function purchase(key: number, reference: number, product: number): PlannedPurchase {
  return { key, reference, product, units: 1 }
}

/** Two keys of one account and one of another. */
export async function leaseAccounts({ accounts }: BurstContext): Promise<readonly Credential[]> {
  if (accounts.make) {
    const own = await accounts.make({ keys: [{ scopes: BUYER_SCOPES }, { scopes: BUYER_SCOPES }] })
    return [...own, ...(await accounts.make({ keys: [{ scopes: BUYER_SCOPES }] }))]
  }
  const keyring = await accounts.open({ roles: ROLES })
  return ROLES.map((role) => keyring.key(role))
}
