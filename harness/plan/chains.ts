import {
  atBudget,
  bucketOf,
  holderOf,
  limitOfCounter,
  NO_COST,
  type Cost,
  type CostTable,
  type CounterName,
} from './costs.ts'
import type { CheckFacts } from './check-plan.ts'
import { chainOf, roomLink, secondsOf, type Circumstances, type Link } from './waits.ts'

/** A check that is to be carried out. */
export type ChosenCheck = CheckFacts & { readonly id: string }

/** What the plan reckons with. */
export type Reckoning = Circumstances & {
  readonly budgets: CostTable['budgets']
  /** How long a plain request took in the preflight, seconds. */
  readonly latencySeconds: number
}

/** What one check waits for, one after the other, and how long it takes for it alone on its account. */
export type CheckChain = {
  readonly check: string
  readonly links: readonly Link[]
  readonly seconds: number
  /** Where every try decides too little, as long at most. */
  readonly secondsMax: number
}

/** Requests in flight at once where a check spends a window (conformance/steps/rate-limits/probe.ts). */
const BURST_WIDTH = 24

/** What a check cost when it was measured with such accounts; nothing where it could not be carried out. */
export function costOf({ costs }: ChosenCheck, { isFresh }: Reckoning): Cost {
  return (isFresh ? costs.fresh : costs.shared) ?? costs.fresh ?? NO_COST
}

/** Requests of a check by counter, at the budgets of this target. */
export function requestsOf(check: ChosenCheck, given: Reckoning): ReadonlyMap<CounterName, number> {
  const entries = Object.entries(costOf(check, given).requests) as [CounterName, number][]
  return new Map(
    entries.map(([counter, measured]) => {
      const bucket = bucketOf(counter)
      return [counter, atBudget(measured, bucket, limitOfCounter(given.limits, counter), given)]
    }),
  )
}

/** The same where no other check has spent a counter before: it spends all that it holds itself, as on an account of its own. */
export function requestsAlone(
  check: ChosenCheck,
  given: Reckoning,
): ReadonlyMap<CounterName, number> {
  const shared = requestsOf(check, given)
  const own = requestsOf(check, { ...given, isFresh: true })
  const held = [...heldBy(check)].map((counter) => {
    const requests = Math.max(own.get(counter) ?? 0, shared.get(counter) ?? 0)
    return [counter, requests] as const
  })
  return new Map([...shared, ...held])
}

/** The chain of a check's declared waits, with the time of its requests. */
export function chainOfCheck(check: ChosenCheck, given: Reckoning): CheckChain {
  const links = [...chainOf(check.waits, given), ...pacedLinks(check, given)]
  const seconds = secondsOf(links) + requestSeconds(check, given)
  return { check: check.id, links, seconds, secondsMax: seconds * check.tries }
}

/**
 * What the ledger makes a check wait for on an account of its own: requests beyond a budget. Where it says itself how much room it
 * needs, nothing is added; where accounts are shared, the queue counts them.
 */
function pacedLinks(check: ChosenCheck, given: Reckoning): Link[] {
  if (!given.isFresh) return []
  const held = heldBy(check)
  const isDeclared = check.waits.some((wait) => 'requests' in wait)
  return [...requestsOf(check, given)].flatMap(([counter, requests]) => {
    const bucket = bucketOf(counter)
    // Unhide budgets are counted per order, and no order is read beyond its budget but to be refused.
    if (held.has(counter) || bucket.startsWith('orders.unhide')) return []
    if (isDeclared && bucket === 'default') return []
    return roomLink({ requests }, given, limitOfCounter(given.limits, counter), bucket) ?? []
  })
}

/** A counter that is spent to its limit is spent by many at once, everything else one after the other. */
function requestSeconds(check: ChosenCheck, given: Reckoning): number {
  const held = heldBy(check)
  const requests = requestsOf(check, given)
  const turns = [...requests].reduce((sum, [counter, sent]) => {
    // A top-up check is on two counters, and is one request.
    const twice = counter.endsWith('createOrder') ? checksOf(counter, requests) : 0
    return sum + (held.has(counter) ? sent / BURST_WIDTH : sent - twice)
  }, 0)
  return turns * given.latencySeconds
}

function checksOf(counter: CounterName, requests: ReadonlyMap<CounterName, number>): number {
  return requests.get(`${holderOf(counter)} orders.check`) ?? 0
}

/** The counters that a check holds alone while it works; `isWhole`: those that it wants unused. */
export function heldBy(
  { windows }: CheckFacts,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): ReadonlySet<CounterName> {
  const held = windows.filter(({ units }) =>
    isWhole ? units === 'all' : typeof units !== 'number',
  )
  return new Set(held.map(counterOf))
}

/** How many requests of a counter are set aside for a check in each window, besides those that it spends. */
export function unitsOf({ windows }: CheckFacts, counter: CounterName): number {
  const { units } = windows.find((each) => counterOf(each) === counter) ?? {}
  return typeof units === 'number' ? units : 0
}

function counterOf({ bucket, role, operation }: CheckFacts['windows'][number]): CounterName {
  const holder = role === 'stranger' ? 'other' : 'own'
  return bucket === 'default' ? `${holder} default ${operation}` : `${holder} ${bucket}`
}
