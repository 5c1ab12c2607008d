import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import { unexplainedRefusals } from '../../judge/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import { outcomeOf, readOf, say, show } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import type { BurstExchange } from './burst-import.ts'

/** A promise that is broken once may be a hiccup of a clock. */
const BROKEN_MIN = 2

/** What came of reads after the wait that refusals of the same order told. */
type Wait = {
  readonly name: string
  readonly promisedSeconds: number
  /** The promised time had passed. */
  readonly isWaited: boolean
  readonly passed: number
  /** All of them, and by nothing but a 429. */
  readonly isRefused: boolean
  /** No budget of the order can have been spent any more. */
  readonly isWhole: boolean
}

/** Completed orders, refused and read again: who waits as told is admitted, and a new window is whole again. */
export function promiseStatements(script: UnhideScript): Statement[] {
  const waits = script.orders.flatMap((order) => waitsOf(order, script))
  if (waits.length === 0)
    return [say('RATE-08', 'inconclusive', 'promise', 'no order was refused with a Retry-After')]
  return [...promised(waits), ...nextWindow(waits, script)]
}

function waitsOf({ name, reads }: OrderReads, { budgets, slackMs }: UnhideScript): Wait[] {
  const whole = new Set(unexplainedRefusals(reads.flatMap(readOf), budgets, slackMs))
  const bursts = [...Map.groupBy(reads, ({ sentMs }) => sentMs).values()]
  return bursts.slice(1).flatMap((burst, index): Wait[] => {
    const [first] = burst
    const refused = (bursts[index] ?? []).filter((each) => outcomeOf(each) === 'refused')
    const promises = refused.map(({ retryAfter }) => parseRetryAfterSeconds(retryAfter))
    if (!first || promises.length === 0 || promises.includes(undefined)) return []
    const promisedSeconds = Math.max(...promises.map((seconds = 0) => seconds))
    const waitedMs = first.sentMs - Math.max(...refused.map(({ receivedMs }) => receivedMs))
    return [
      {
        name,
        promisedSeconds,
        isWaited: waitedMs >= 1000 * promisedSeconds,
        passed: burst.filter((each) => outcomeOf(each) === 'completed').length,
        isRefused: burst.every((each) => outcomeOf(each) === 'refused'),
        isWhole: burst.some((each: BurstExchange) => whole.has(reads.indexOf(each))),
      },
    ]
  })
}

function promised(waits: readonly Wait[]): Statement[] {
  const waited = waits.filter(({ isWaited }) => isWaited)
  const broken = waited.filter(({ isRefused, isWhole }) => isRefused && !isWhole)
  const [first] = broken
  if (first === undefined)
    return waited.some(({ passed }) => passed > 0)
      ? [say('RATE-08', 'pass', 'promise', `not refused after any of ${waited.length} waits`)]
      : []
  const observed = `refused again after ${broken.length} of ${waited.length} waits that Retry-After gave, the first of ${first.promisedSeconds} s`
  return [
    say('RATE-08', broken.length < BROKEN_MIN ? 'inconclusive' : 'fail', first.name, observed),
  ]
}

function nextWindow(waits: readonly Wait[], { budgets }: UnhideScript): Statement[] {
  const never = waits.filter(({ isRefused, isWhole }) => isRefused && isWhole)
  const [first] = never
  if (first !== undefined) {
    const observed = `refused after ${never.length} of ${waits.length} waits although a whole window was over, the budget is ${show(budgets.completed)}`
    return [say('UNHIDE-11', 'fail', first.name, observed)]
  }
  const again = waits.filter(({ passed }) => passed > 0)
  return again.length === 0
    ? []
    : [say('UNHIDE-11', 'pass', 'promise', `read in a later window after ${again.length} waits`)]
}
