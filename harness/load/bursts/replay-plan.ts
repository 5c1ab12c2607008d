import { keyOfRole } from '../../target-file/wants.ts'
import type { Lacks } from '../shared/lacks.ts'
import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import type { Role } from '../../../contract/capabilities.ts'
import {
  ACCOUNTS_SCRIPT,
  accountsPurchasables,
  accountsScript,
  leaseAccounts,
} from './replay-accounts-script.ts'
import { cartsScript, cartsToReplay } from './replay-carts-script.ts'
import { copiedKinds, otherKindGoods, otherKindScript } from './replay-kinds-script.ts'
import {
  purchasableOf,
  MEET,
  planBursts,
  type Purchasable,
  type ScriptDraft,
  type BurstPlan,
} from './burst-plan.ts'
import type { BurstContext } from './burst-plan.ts'

const FRESH_SCRIPTS = 4
/** References whose first-time copies arrive together, and are replayed later. */
const FIRST = 2
/** References that are new while the others are replayed. */
const FRESH = 2
const COPIES_MAX = 10
/** Fewer copies at once would try nothing. */
const COPIES_MIN = 3
const REPLAYS_MAX = 4
const RETRY_ROUNDS = 3
/** What replays ask for whose body is another one. */
const CHANGED_UNITS = 2

/** The reference of the purchase that is sent once and alone: what a first success looks like. */
export const LONE_REFERENCE = FIRST + FRESH

export type ReplayDraft = {
  readonly scripts: readonly ScriptDraft[]
  readonly purchasables: readonly Purchasable[]
}

/** Lays out the scripts within one window of each account, or tells why they cannot be. */
export function draftReplay(context: BurstContext): ReplayDraft | Lacks {
  const { target, limits, accounts } = context
  const { count } = limitOf(limits, 'default', 'createOrder')
  const copies = Math.min(COPIES_MAX, Math.floor(count / (2 * FIRST + 1)))
  const reads = limits['orders.filtered'].count
  if (copies < COPIES_MIN || reads < LONE_REFERENCE)
    return {
      lacks: `windows of ${count} requests and ${reads} masked reads have no room for a storm`,
    }
  const purchasable = purchasableOf(target, 'voucher', CHANGED_UNITS)
  if ('lacks' in purchasable) return purchasable
  const scriptsCount = accounts.fresh ? FRESH_SCRIPTS : staticRoles(accounts).length
  if (scriptsCount === 0)
    return { lacks: 'there is no credential for the role full', wants: [keyOfRole('full')] }
  const scripts = Array.from({ length: scriptsCount }, (_, index) => scriptOf(index, copies))
  const atMs = MEET.firstMs + scriptsCount * MEET.everyMs
  const ofAccount = (2 * FIRST + 1) * copies
  const allPurchasables = [purchasable]
  scripts.push(...accountsScript(context, allPurchasables.length, atMs, ofAccount))
  allPurchasables.push(...accountsPurchasables(context))
  const otherKind = otherKindGoods(context, { orders: ofAccount, reads: LONE_REFERENCE })
  if (otherKind) {
    scripts.push(otherKindScript(allPurchasables.length, atMs + MEET.everyMs))
    allPurchasables.push(otherKind)
  }
  const carts = cartsToReplay(context)
  if (carts) {
    scripts.push(cartsScript(allPurchasables.length, atMs + 2 * MEET.everyMs))
    allPurchasables.push(...carts)
  }
  for (const [index, { purchasable: copied, script }] of copiedKinds(context).entries()) {
    scripts.push(script(allPurchasables.length, atMs + (3 + index) * MEET.everyMs))
    allPurchasables.push(copied)
  }
  return { scripts, purchasables: allPurchasables }
}

function scriptOf(index: number, copies: number): ScriptDraft {
  const first = mixed(range(FIRST, 0), copies)
  // Those of the first reference ask for something else.
  const replays = mixed(range(FIRST, 0), Math.min(REPLAYS_MAX, copies)).map((each) =>
    each.reference === 0 ? { ...each, units: CHANGED_UNITS } : each,
  )
  const fresh = mixed(range(FRESH, FIRST), Math.ceil(copies / 3))
  const storm = [...replays, ...fresh]
  const width = Math.max(first.length, storm.length)
  return {
    name: `account ${index + 1}`,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: width },
      { do: 'meet', atMs: MEET.firstMs + index * MEET.everyMs },
      { do: 'warm', count: width },
      { do: 'buy', phase: 'burst', purchases: first },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'buy', phase: 'storm', purchases: storm },
      { do: 'buy', phase: 'spare', purchases: mixed([LONE_REFERENCE], 1) },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      {
        do: 'read',
        phase: 'count',
        reads: range(LONE_REFERENCE, 0).map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

/** Copies of several references, in turns. */
function mixed(references: readonly number[], copies: number): PlannedPurchase[] {
  return range(copies, 0).flatMap(() =>
    references.map((reference) => ({ key: 0, reference, product: 0, units: 1 })),
  )
}

function range(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

/** One key of each account of the target file. */
function staticRoles({ roles }: BurstContext['accounts']): Role[] {
  return (['full', 'stranger'] as const).filter((role) => roles.includes(role))
}

/** Leases a fresh account for each script, or the accounts of the target file. */
export async function planReplay(
  context: BurstContext,
  { scripts, purchasables }: ReplayDraft,
): Promise<BurstPlan> {
  const { target, accounts } = context
  const roles = staticRoles(accounts)
  const keys = await Promise.all(
    scripts.map(async ({ name }, index) => {
      if (name === ACCOUNTS_SCRIPT) return { keys: await leaseAccounts(context) }
      if (accounts.make) return { keys: await accounts.make({ keys: [{ scopes: BUYER_SCOPES }] }) }
      const role = accounts.fresh ? 'full' : (roles[index] ?? 'full')
      const keyring = await accounts.open({ roles: [role] })
      return { keys: [keyring.key(role)] }
    }),
  )
  return planBursts('replay-storm', target, scripts, keys, purchasables)
}
