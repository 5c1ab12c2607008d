import { keyOfRole } from '../../target-file/wants.ts'
import { sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import type { AccountSource } from '../../accounts/accounts.ts'
import type { RateStage } from '../../../load/protocol/open-model.ts'
import { HarnessError } from '../../errors.ts'
import type { Micros } from '../../money.ts'
import { buyerKeys } from '../shared/buyer-keys.ts'
import { unknownWindows } from '../shared/known-windows.ts'
import { accountRate, costOf, clientPlansOf, planOpenModel } from './plan.ts'
import type { OpenModelPlan, Mix, MixedPart } from './plan.ts'
import { OPERATIONS_OF_KIND } from './operation-figures.ts'
import type { OpenModelContext } from './context.ts'
import { sessionsAtOnceMax } from './quotas.ts'
import { OPEN_MODELS, type OpenModelName } from './scenarios.ts'
import type { LoadBudget } from '../shared/budget.ts'
import type { LoadGoal } from '../shared/goals.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import type { Lacks } from '../shared/lacks.ts'
import { pagesTurned, requestsPerSession } from './session-size.ts'
import {
  inSessions,
  peakOf,
  requireAdmitted,
  stagesOf,
  THINK_SECONDS,
  workloadName,
  type SessionSchedule,
  type WorkloadChoice,
} from './workloads.ts'

/** An open-model scenario whose cost is known, before there are keys. */
export type OpenModelDraft = {
  readonly budget: LoadBudget
  /** Leases keys and plans one run with them. */
  plan(): Promise<OpenModelPlan>
}

const ACCOUNTS = { made: 4, madeMax: 64 } as const
const STATIC_ROLES = ['full', 'stranger'] as const

/** Lays a scenario out for a workload, or tells what the target lacks. Throws E_USAGE where more is asked for than the windows admit. */
export function draftOpenModel(
  name: OpenModelName,
  context: OpenModelContext,
  choice: WorkloadChoice,
): OpenModelDraft | Lacks {
  const { target, limits } = context
  const { shape, capsOf, accounts: made } = OPEN_MODELS[name]
  const mix = mixFor(name, choice)
  const clients = clientsOf(mix, context)
  if ('lacks' in clients) return clients
  const { parts, perAccount } = clients
  const requestsEach = requestsPerSession(parts, pagesTurned(context.servicesListed))
  const schedule = inSessions(choice, requestsEach)
  const accounts = accountsFor(context, schedule, { perAccount, made })
  if (accounts === 0)
    return { lacks: 'there is no credential for the role full', wants: [keyOfRole('full')] }
  requireAdmitted(schedule, { perAccount, accounts, requestsEach })
  const evenStages = stagesOf(schedule, {
    perSecond: perAccount * accounts,
    atOnce: sessionsAtOnceMax(costOf(parts).spends, limits) * accounts,
  })
  const stages = shape?.(evenStages, accounts) ?? evenStages
  requireSession(name, stages, requestsEach)
  const caps = capsOf?.(target, accounts, Math.ceil(sessionsOf(stages) / accounts)) ?? []
  const planWith = (keys: readonly LoadKey[]): OpenModelPlan =>
    planOpenModel(
      context,
      {
        scenario: name,
        workload: workloadName(choice),
        stages,
        mix,
        keys,
        thinkSeconds: choice.thinkSeconds ?? THINK_SECONDS,
      },
      parts,
    )
  return {
    budget: planWith(placeholders(accounts)).budget,
    async plan() {
      const planned = planWith(await leaseKeys(context.accounts, accounts, caps))
      const plan = { ...planned, requestsEach, goals: goalsFor(mix, choice.goals) }
      // What a key of the target file has left is not known: others may have used it.
      return context.accounts.make
        ? { ...plan, caps: plan.keys.map((_, key) => ({ headroom: caps[key] ?? 'none' })) }
        : plan
    },
  }
}

/** Throws E_USAGE where so little is asked for that no session begins. */
function requireSession(name: string, stages: readonly RateStage[], requestsEach: number): void {
  if (sessionsOf(stages) >= 1) return
  throw new HarnessError(
    'E_USAGE',
    `the schedule of ${name} is too short or too slow for one session of about ${Number(requestsEach.toFixed(1))} requests`,
    'Raise --rate or --seconds, or the targets and durations of --stages.',
  )
}

/** Only a scenario of several kinds of clients takes another mix of them. */
export function mixFor(name: OpenModelName, { mix }: Pick<WorkloadChoice, 'mix'>): Mix {
  return name === 'mixed' && mix !== undefined ? mix : OPEN_MODELS[name].mix
}

/** Those that the clients of a mix can show. */
export function goalsFor(mix: Mix, goals: readonly LoadGoal[] = []): LoadGoal[] {
  const sent = mix.flatMap(({ kind }) => OPERATIONS_OF_KIND[kind])
  return goals.filter(({ operation }) => sent.some((each) => (operation ?? each) === each))
}

/** As many accounts as there are; where they can be made, as many as the rate needs. */
function accountsFor(
  { accounts }: OpenModelContext,
  { workload, sessionsPerSecond }: SessionSchedule,
  { perAccount, made = ACCOUNTS.made }: { perAccount: number; made: number | undefined },
): number {
  if (!accounts.make) return STATIC_ROLES.filter((role) => accounts.roles.includes(role)).length
  if (sessionsPerSecond === undefined) return made
  const wanted = Math.ceil(sessionsPerSecond / (perAccount * peakOf(workload)))
  return Math.min(ACCOUNTS.madeMax, Math.max(1, wanted))
}

/** What the clients of a mix send, and how many start each second in the windows of one account; or what the target lacks for them. */
export function clientsOf(
  mix: Mix,
  { target, limits }: Pick<OpenModelContext, 'target' | 'limits'>,
): { readonly parts: readonly MixedPart[]; readonly perAccount: number } | Lacks {
  const parts = clientPlansOf(mix, target)
  if ('lacks' in parts) return parts
  const quotas = costOf(parts).spends.map(({ quota }) => quota)
  const unknown = unknownWindows(limits, quotas)
  return unknown === undefined
    ? { parts, perAccount: accountRate(parts, limits) }
    : { lacks: unknown }
}

/** A key of each of so many accounts: fresh ones, some of them capped, or those of the target file. */
export async function leaseKeys(
  accounts: AccountSource,
  count: number,
  caps: readonly (Micros | undefined)[] = [],
): Promise<LoadKey[]> {
  if (accounts.make) {
    const made: LoadKey[] = []
    for (let index = 0; index < count; index++)
      made.push(...(await accounts.make({ keys: buyerKeys(caps[index]) })))
    return made
  }
  const roles = STATIC_ROLES.filter((role) => accounts.roles.includes(role))
  const keyring = await accounts.open({ roles })
  return roles.slice(0, count).map((role) => keyring.key(role))
}

/** In the place of keys, to see what a plan costs. */
export function placeholders(accounts: number): LoadKey[] {
  return Array.from({ length: accounts }, (_, index) => {
    return { role: 'full', env: '', secret: `key ${index}`, account: `account ${index}` }
  })
}
