import { ANNOUNCED_MS } from '../../../contract/answers.ts'
import { keyOfRole } from '../../target-file/wants.ts'
import type { Lacks } from '../shared/lacks.ts'
import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase } from '../../../load/protocol/bursts.ts'
import type { Role } from '../../../contract/capabilities.ts'
import { buyerKeys } from '../shared/buyer-keys.ts'
import { cartsScript, cartsToReplay } from './replay-carts-script.ts'
import { copiedKinds } from './replay-kinds-script.ts'
import { purchasableOf, MEET, planBursts, range } from './burst-plan.ts'
import type { BurstDraft, ScriptDraft, BurstPlan, BurstContext } from './burst-plan.ts'

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
/** All of them. */
const REFERENCES = FIRST + FRESH

/** Lays out the scripts within one window of each account, or tells why they cannot be. */
export function draftReplay(context: BurstContext): BurstDraft | Lacks {
  const { target, limits, accounts } = context
  const { count } = limitOf(limits, 'default', 'createOrder')
  const copies = Math.min(COPIES_MAX, Math.floor(count / (2 * FIRST + 1)))
  const reads = limits['orders.filtered'].count
  if (copies < COPIES_MIN || reads < REFERENCES)
    return {
      lacks: `windows of ${count} requests and ${reads} masked reads have no room for a storm`,
    }
  const purchasable = purchasableOf(target, 'voucher', { unitsMax: CHANGED_UNITS })
  if ('lacks' in purchasable) return purchasable
  const scriptsCount = accounts.fresh ? FRESH_SCRIPTS : staticRoles(accounts).length
  if (scriptsCount === 0)
    return { lacks: 'there is no credential for the role full', wants: [keyOfRole('full')] }
  const scripts = Array.from({ length: scriptsCount }, (_, index) => scriptOf(index, copies))
  const allPurchasables = [purchasable]
  const next = (): number => MEET.firstMs + scripts.length * MEET.everyMs
  const carts = cartsToReplay(context)
  if (carts) {
    scripts.push(cartsScript(allPurchasables.length, next()))
    allPurchasables.push(...carts)
  }
  for (const { purchasable: copied, script } of copiedKinds(context)) {
    scripts.push(script(allPurchasables.length, next()))
    allPurchasables.push(copied)
  }
  return { scripts, purchasables: allPurchasables }
}

function scriptOf(index: number, copies: number): ScriptDraft {
  const first = mixed(range(FIRST), copies)
  // Those of the first reference ask for something else.
  const replays = mixed(range(FIRST), Math.min(REPLAYS_MAX, copies)).map((each) =>
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
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'rest', ms: ANNOUNCED_MS },
      {
        do: 'read',
        phase: 'count',
        reads: range(REFERENCES).map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

/** Copies of several references, in turns. */
function mixed(references: readonly number[], copies: number): PlannedPurchase[] {
  return range(copies).flatMap(() =>
    references.map((reference) => ({ key: 0, reference, product: 0, units: 1 })),
  )
}

/** One key of each account of the target file. */
function staticRoles({ roles }: BurstContext['accounts']): Role[] {
  return (['full', 'stranger'] as const).filter((role) => roles.includes(role))
}

/** Leases a fresh account for each script, or the accounts of the target file. */
export async function planReplay(context: BurstContext, draft: BurstDraft): Promise<BurstPlan> {
  const { target, accounts } = context
  const roles = staticRoles(accounts)
  const keys = await Promise.all(
    draft.scripts.map(async (_, index) => {
      if (accounts.make) return { keys: await accounts.make({ keys: buyerKeys(undefined) }) }
      const role = roles[index] ?? 'full'
      const keyring = await accounts.open({ roles: [role] })
      return { keys: [keyring.key(role)] }
    }),
  )
  return planBursts('replay-storm', target, draft, keys)
}
