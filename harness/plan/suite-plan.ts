import { IN_FLIGHT_MAX } from '../client/client.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import { TIMING_SLACK_MS } from '../target-file/target.ts'
import { limitOfCounter, type CostTable, type CounterName } from './costs.ts'
import {
  chainOfCheck,
  heldBy,
  requestsAlone,
  requestsOf,
  type CheckChain,
  type ChosenCheck,
  type Reckoning,
} from './chains.ts'
import type { Lack, Offer } from './check-plan.ts'
import { purchasesOf, withPricesAhead, type PurchasesPlan } from './purchases.ts'
import { queueOf, type Queue } from './queue.ts'

/** The most that a run may take beyond its longest chain: what runs beside it, and the machine. */
const BOUND_SHARE = 1.15

/** What the checks of a run will take, before anything is sent. */
export type SuitePlan = {
  readonly selected: number
  /** Checks that the target lacks something for. */
  readonly lacking: readonly (Lack & { readonly check: string })[]
  readonly isFresh: boolean
  /** Chains of the checks that can be carried out, the longest first. */
  readonly chains: readonly CheckChain[]
  /** Only where checks share accounts. */
  readonly queue?: Queue
  readonly requests: readonly CounterRequests[]
  readonly requestsTotal: number
  /** Where every check takes all of its tries. */
  readonly requestsMax: number
  readonly purchases: PurchasesPlan
  /** Where every first try decides and the target keeps to what it states. */
  readonly expectedSeconds: number
  /** The expected time and 15 %. */
  readonly boundSeconds: number
}

/** Requests on the counters of one name. */
export type CounterRequests = {
  readonly counter: CounterName
  readonly budget: number
  readonly windowSeconds: number
  /** Checks that spend it beyond its limit on purpose, and the most that one of them sends. */
  readonly heldChecks: number
  readonly heldMax: number
  /** Most that the others send on one account: all of it where accounts are shared, else those of one check. */
  readonly pacedMax: number
  /** Who that is. */
  readonly pacedBy: string
  /** Of all checks together. */
  readonly total: number
}

export type SuitePlanInput = {
  readonly checks: readonly ChosenCheck[]
  readonly offer: Offer
  readonly limits: EffectiveLimits
  readonly budgets: CostTable['budgets']
  readonly isFresh: boolean
  readonly makesAccounts: boolean
  readonly latencySeconds: number
}

/** Adds up what the checks declare and what they cost when they were measured. Sends nothing. */
export function planSuite(input: SuitePlanInput): SuitePlan {
  const { checks, offer, isFresh } = input
  const { target } = offer
  const given: Reckoning = { ...input, target, slackMs: TIMING_SLACK_MS[target.timing] }
  const held = checks.map((check) => ({ check, lack: check.lackOf(offer) }))
  const ready = held.filter(({ lack }) => !lack).map(({ check }) => check)
  const chains = ready
    .map((check) => chainOfCheck(check, given))
    .toSorted((a, b) => b.seconds - a.seconds)
  const queue = isFresh ? undefined : queueOf(ready, chains, given)
  const requests = countersOf(ready, given)
  const requestsTotal = requests.reduce((sum, { total }) => sum + total, 0)
  // At the start all checks send at once, and wait for one another's requests.
  const expectedSeconds =
    (queue?.seconds ?? chains[0]?.seconds ?? 0) +
    (requestsTotal * given.latencySeconds) / IN_FLIGHT_MAX
  return {
    selected: checks.length,
    lacking: held.flatMap(({ check, lack }) => (lack ? [{ check: check.id, ...lack }] : [])),
    isFresh,
    chains,
    ...(queue ? { queue } : {}),
    requests,
    requestsTotal,
    requestsMax: ready.reduce((sum, check) => sum + check.tries * sentBy(check, given), 0),
    purchases: withPricesAhead(purchasesOf(ready, given, target), ready, given, offer),
    expectedSeconds,
    boundSeconds: expectedSeconds * BOUND_SHARE,
  }
}

function sentBy(check: ChosenCheck, given: Reckoning): number {
  return requestsAlone(check, given)
    .values()
    .reduce((sum, requests) => sum + requests, 0)
}

type Sent = { readonly check: ChosenCheck; readonly requests: number }

function countersOf(checks: readonly ChosenCheck[], given: Reckoning): CounterRequests[] {
  const counters = new Map<CounterName, Sent[]>()
  for (const check of checks)
    for (const [counter, requests] of requestsOf(check, given))
      counters.set(counter, [...(counters.get(counter) ?? []), { check, requests }])
  return [...counters]
    .map(([counter, sent]) => counterRequests(counter, sent, given))
    .toSorted((a, b) => b.total / b.budget - a.total / a.budget)
}

function counterRequests(
  counter: CounterName,
  sent: readonly Sent[],
  given: Reckoning,
): CounterRequests {
  const { count: budget, windowSeconds } = limitOfCounter(given.limits, counter)
  const held = sent.filter(({ check }) => heldBy(check).has(counter))
  const paced = sent.filter((each) => !held.includes(each))
  const [first] = paced.toSorted((a, b) => b.requests - a.requests)
  const alone = (check: ChosenCheck): number => requestsAlone(check, given).get(counter) ?? 0
  const sum = (some: readonly Sent[]): number =>
    some.reduce((total, { requests }) => total + requests, 0)
  return {
    counter,
    budget,
    windowSeconds,
    heldChecks: held.length,
    heldMax: Math.max(0, ...held.map(({ requests }) => requests)),
    pacedMax: given.isFresh ? (first?.requests ?? 0) : sum(paced),
    pacedBy: first?.check.id ?? '',
    // What several checks spend together was measured with all of them: alone, each spends it by itself.
    total: sum(paced) + Math.max(sum(held), ...held.map(({ check }) => alone(check))),
  }
}
