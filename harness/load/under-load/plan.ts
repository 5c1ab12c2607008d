/** Plans the traffic of other accounts that lies on the target while the checks run. */
import type { Credential } from '../../target-file/target.ts'
import { HarnessError } from '../../errors.ts'
import { clientsOf, leaseKeys, placeholders } from '../open-model/draft.ts'
import { planOpenModel, type OpenModelPlan } from '../open-model/plan.ts'
import type { OpenModelContext } from '../open-model/context.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { LoadBudget } from '../shared/budget.ts'
import { UNDER_LOAD } from '../shared/scenarios.ts'
import { sessionBuys, type BoughtProduct } from '../attempts.ts'
import { UNDER_LOAD_MIXES, type UnderLoadChoice } from './workload.ts'

/** Its cost is known before there are keys. */
export type UnderLoadDraft = {
  /** `mixed:20/s`. */
  readonly workload: string
  readonly ratePerSecond: number
  readonly accounts: number
  readonly budget: LoadBudget
  readonly buys: readonly BoughtProduct[]
  /** Leases keys and plans the run with them. */
  plan(): Promise<OpenModelPlan>
}

/** Where nothing says how much: noticed by a service, and carried by any machine. */
const RATE_DEFAULT = 10
const ACCOUNTS = { made: 8, madeMax: 64 } as const
const ROLE = 'background'

/**
 * Lays the traffic out for as long as the checks may take; it is stopped with them. Throws E_USAGE where more is asked for than the
 * windows of its accounts admit.
 */
export function draftUnderLoad(
  choice: UnderLoadChoice,
  context: OpenModelContext,
  seconds: number,
): UnderLoadDraft | Lacks {
  const { target, limits, accounts: source } = context
  const mix = UNDER_LOAD_MIXES[choice.name]
  const clients = clientsOf(mix, context)
  if ('lacks' in clients) return clients
  const { parts, perAccount } = clients
  const accounts = accountsFor(context, choice, perAccount)
  if (accounts === 0)
    return {
      lacks: `the target file gives no key of role "${ROLE}": a key with the scopes of full, in an account that no other role is in. Add credentials.${ROLE} (targets/README.md), or set ORDERING_KEY_BACKGROUND`,
    }
  const admitted = perAccount * accounts
  const ratePerSecond = choice.ratePerSecond ?? Math.min(RATE_DEFAULT, admitted / 2)
  requireAdmitted({ name: choice.name, ratePerSecond, admitted, accounts })
  const workload = `${choice.name}:${Number(ratePerSecond.toFixed(2))}/s`
  const stages = [
    {
      seconds: Math.max(seconds, 1 / ratePerSecond),
      fromPerSecond: ratePerSecond,
      toPerSecond: ratePerSecond,
    },
  ]
  const planWith = (keys: OpenModelPlan['keys']): OpenModelPlan =>
    planOpenModel({ target, limits }, { scenario: UNDER_LOAD, workload, stages, mix, keys }, parts)
  const { budget } = planWith(placeholders(accounts))
  return {
    workload,
    ratePerSecond,
    accounts,
    budget,
    buys: budget.ordersMax > 0 ? sessionBuys(target) : [],
    // Never a key of an account that a check uses.
    plan: async () =>
      planWith(source.make ? await leaseKeys(source, accounts) : keysOfFile(source)),
  }
}

/** Many where they can be made: what a service keeps for each account is then contended too. */
function accountsFor(
  { accounts }: OpenModelContext,
  { ratePerSecond = 0 }: UnderLoadChoice,
  perAccount: number,
): number {
  if (!accounts.make) return keysOfFile(accounts).length
  const wanted = Math.ceil((2 * ratePerSecond) / perAccount)
  return Math.min(ACCOUNTS.madeMax, Math.max(ACCOUNTS.made, wanted))
}

/** Refusals would be load of another kind than was asked for. */
function requireAdmitted({
  name,
  ratePerSecond,
  admitted,
  accounts,
}: Required<UnderLoadChoice> & {
  readonly admitted: number
  readonly accounts: number
}): void {
  if (ratePerSecond <= admitted) return
  throw new HarnessError(
    'E_USAGE',
    `--under-load ${name}:${ratePerSecond}/s asks for more clients a second than the windows of ${accounts} ${accounts === 1 ? 'account admits' : 'accounts admit'}: ${admitted.toFixed(2)}`,
    `Ask for ${name}:${Math.floor(admitted * 100) / 100}/s or less, or for a workload whose windows are wider: browse or orders.`,
  )
}

/** Of the keys that a target file names for it, one of each account. */
function keysOfFile({ each }: OpenModelContext['accounts']): readonly Credential[] {
  const keys = each?.(ROLE) ?? []
  return keys.filter(
    ({ account }, index) => index === keys.findIndex((key) => key.account === account),
  )
}
