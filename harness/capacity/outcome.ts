import type { Capacity } from '../../schemas/generated/run-record.ts'
import type { Outcome } from '../judge/outcome.ts'

/** What a search for capacity says of a run in which nothing else went wrong. */
export function outcomeOfCapacity(capacity: Capacity): Outcome {
  const { minRatePerSecond, interval } = capacity
  if (minRatePerSecond === undefined) return OUTCOMES[capacity.ending](capacity)
  const { goodPerSecond = 0, badPerSecond = Infinity } = interval
  if (goodPerSecond >= minRatePerSecond)
    return {
      exitCode: 0,
      verdict: 'pass',
      exitReason: `${minRatePerSecond} requests per second were asked for (--min-rate). ${capacity.reason}`,
      nextStep: 'Nothing to do.',
    }
  if (badPerSecond <= minRatePerSecond && isMissedAt(capacity, badPerSecond))
    return {
      exitCode: 1,
      verdict: 'fail',
      exitReason: `${minRatePerSecond} requests per second were asked for (--min-rate) and are not reached. ${capacity.reason}`,
      nextStep:
        'The steps in the report show what they ran into, and from which rate on. Give the service more of that, or ask for less.',
    }
  return inconclusive(capacity)
}

/** A rate may also be no capacity because its samples left a goal open. */
function isMissedAt({ steps }: Capacity, ratePerSecond: number): boolean {
  return steps.some(
    ({ verdict, plannedPerSecond }) => verdict === 'bad' && plannedPerSecond === ratePerSecond,
  )
}

/** The highest rate that was to be tried held: that is an answer. That nothing higher could be measured, or in time, is none. */
const OUTCOMES: Readonly<Record<Capacity['ending'], (capacity: Capacity) => Outcome>> = {
  found: answered,
  'at-least': (capacity) =>
    ['generator', 'machine', 'time'].includes(capacity.constraint ?? '')
      ? inconclusive(capacity)
      : answered(capacity),
  below: inconclusive,
  inconclusive,
}

function answered({ reason }: Capacity): Outcome {
  return { exitCode: 0, verdict: 'pass', exitReason: reason, nextStep: 'Nothing to do.' }
}

function inconclusive(capacity: Capacity): Outcome {
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: capacity.reason,
    nextStep: nextStepFor(capacity),
  }
}

const REFUSED_NEXT = 'Raise what refused the requests in this environment, or bring more accounts.'

const NEXT_STEPS: Readonly<Partial<Record<NonNullable<Capacity['constraint']>, string>>> = {
  generator:
    'For more, run it from a machine whose processors the generator has to itself, away from the service. If a certain rate is enough, ask for it: --min-rate N passes up to what held. To see a search find its end here, give the embedded service a pace: --workers 1 --service-ms 25 --start-rate 10.',
  machine:
    'Other processes took the processors of this machine. Stop them, or measure beside them with --max-cpu 100, which trusts a busy machine.',
  time: 'Give it more time with --max-seconds, begin nearer to the knee with --start-rate, or ask for a percentile that needs fewer samples: --goal p95=200ms.',
  limiter: REFUSED_NEXT,
  cap: REFUSED_NEXT,
}

function nextStepFor({ constraint, ending }: Capacity): string {
  const known = constraint && NEXT_STEPS[constraint]
  if (known !== undefined) return known
  return ending === 'below'
    ? 'Ask for goals that the service reaches at all (--goal), or find out what delays every request.'
    : 'Read the steps of the report, remove the noise, or make the steps longer (--step-seconds, --confirm-seconds), and run again.'
}
