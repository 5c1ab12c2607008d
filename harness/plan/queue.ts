import { bucketOf, limitOfCounter, type CounterName } from './costs.ts'
import {
  heldBy,
  requestsOf,
  unitsOf,
  type CheckChain,
  type ChosenCheck,
  type Reckoning,
} from './chains.ts'

/** One counter for which checks queue when all share an account. */
export type CounterQueue = {
  readonly counter: CounterName
  readonly budget: number
  readonly windowSeconds: number
  readonly pacedRequests: number
  /** Windows that the others take, at one budget each. */
  readonly pacedWindows: number
  /** Windows that are spent in a moment: one for all checks that look while it is spent, one for each that wants it unused. */
  readonly spentWindows: number
  /** Checks that hold it, one after the other, and how long. */
  readonly holders: readonly { readonly check: string; readonly seconds: number }[]
  /** With the windows that they leave spent. */
  readonly heldSeconds: number
  readonly seconds: number
}

/** How long checks that share accounts take, and why. */
export type Queue = {
  /** The longest first. */
  readonly counters: readonly CounterQueue[]
  /** Checks on the capped key, whose cap they take turns on. */
  readonly cappedSeconds: number
  /** Checks that leave nothing of the cap come after all others. */
  readonly lastSeconds: number
  readonly seconds: number
}

/** The quota ledger's pause after a window (harness/quota/ledger.ts), rounded up. */
const EDGE_SECONDS = 0.15

/**
 * How checks queue by the ledger (harness/quota/counter.ts): who spends a counter holds it alone, and those that look while it is spent
 * share that window; the others get one budget in each window. The counters' queues run side by side, but a check that sends to several
 * waits in each.
 */
export function queueOf(
  checks: readonly ChosenCheck[],
  chains: readonly CheckChain[],
  given: Reckoning,
): Queue {
  const seconds = new Map(chains.map((chain) => [chain.check, chain.seconds]))
  const sum = (some: readonly ChosenCheck[]): number =>
    some.reduce((total, { id }) => total + (seconds.get(id) ?? 0), 0)
  const counters = countersOf(checks, given)
    .map((counter) => counterQueue(counter, checks, seconds, given))
    .toSorted((a, b) => b.seconds - a.seconds)
  const last = checks.filter(({ isLast }) => isLast)
  const capped = checks.filter(({ roles, isLast }) => roles.includes('capped') && !isLast)
  const longestSeconds = Math.max(0, ...chains.map((chain) => chain.seconds))
  const cappedSeconds = sum(capped)
  const lastSeconds = sum(last)
  return {
    counters,
    cappedSeconds,
    lastSeconds,
    seconds: Math.max(sideBySide(counters), cappedSeconds, longestSeconds) + lastSeconds,
  }
}

/** A check that sends to several counters waits for the holders of one, and then for its turn at another. */
function sideBySide(counters: readonly CounterQueue[]): number {
  const held = counters.map(({ heldSeconds }) => heldSeconds)
  const paced = counters.map(({ seconds, heldSeconds }) => seconds - heldSeconds)
  return Math.max(0, ...held) + Math.max(0, ...paced)
}

function countersOf(checks: readonly ChosenCheck[], given: Reckoning): CounterName[] {
  const all = checks.flatMap((check) => [...heldBy(check), ...requestsOf(check, given).keys()])
  // Unhide budgets are counted per order: no check waits for another there.
  return [...new Set(all)].filter((counter) => !bucketOf(counter).startsWith('orders.unhide'))
}

function counterQueue(
  counter: CounterName,
  checks: readonly ChosenCheck[],
  chainSeconds: ReadonlyMap<string, number>,
  given: Reckoning,
): CounterQueue {
  const { count: budget, windowSeconds } = limitOfCounter(given.limits, counter)
  const holding = checks.filter((check) => heldBy(check).has(counter))
  const others = checks.filter((check) => !heldBy(check).has(counter))
  const requests = (some: readonly ChosenCheck[]): number =>
    some.reduce((sum, check) => sum + (requestsOf(check, given).get(counter) ?? 0), 0)
  const holders = holding.map(({ id }) => ({ check: id, seconds: chainSeconds.get(id) ?? 0 }))
  const whole = holding.filter((check) => heldBy(check, { isWhole: true }).has(counter)).length
  const looks = holding.some(({ waits }) => waits.length === 0) ? 1 : 0
  const spentWindows = Math.max(whole, looks)
  const pacedRequests = requests(others)
  // What is set aside and not sent is lost to the others.
  const unsent = others.reduce((sum, check) => {
    const windows = Math.ceil((chainSeconds.get(check.id) ?? 0) / windowSeconds)
    return sum + Math.max(0, windows * unitsOf(check, counter) - requests([check]))
  }, 0)
  // Who comes first finds the counter whole; after holders it has to be waited for, unless they wait for an unused window first.
  const isFirst = holders.length === 0 || whole > 0
  const pacedWindows = Math.ceil((pacedRequests + unsent) / budget) - (isFirst ? 1 : 0)
  const held =
    holders.reduce((sum, { seconds }) => sum + seconds, 0) +
    spentWindows * (windowSeconds + EDGE_SECONDS)
  return {
    counter,
    budget,
    windowSeconds,
    pacedRequests,
    pacedWindows: Math.max(0, pacedWindows),
    spentWindows,
    holders,
    heldSeconds: held,
    seconds: held + Math.max(0, pacedWindows) * (windowSeconds + EDGE_SECONDS),
  }
}
