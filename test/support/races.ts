/** Races on real sockets: faults that show only where requests overlap at the server, and how often the checks named for them notice. */
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { FAULTS, type FaultName } from '../../reference/faults/faults.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import type { Check } from '../../schemas/generated/run-record.ts'
import { rateUpperBound } from './rate.ts'

/** Faults of the reference service that nothing shows but overlap. */
export const RACE_FAULTS = [
  'contention-bad-gateway',
  'contention-bad-gateway-uncapped',
  'contention-without-retry-after',
  'contention-long-wait',
  'contention-creates-order',
  'contention-leaks-reservation',
  'contention-burns-reference',
  'contention-livelock',
  'spend-check-then-act',
  'spend-lost-update',
  'duplicates-race',
  'carts-contend-as-502',
  'checkouts-overspend',
  'top-ups-overspend',
  'esims-overspend',
  'kinds-overspend',
  'top-ups-race',
  'esims-race',
  'checkouts-race',
] as const satisfies readonly FaultName[]

/** What conforming services may do otherwise where orders meet. */
const RACE_VARIANTS = [
  'contention-queued',
  'contention-queued-briefly',
  'contention-for-all',
] as const satisfies readonly VariantName[]

/** A service: one that conforms, or one with a fault. */
export const RACE_NAMES = ['clean', ...RACE_VARIANTS, ...RACE_FAULTS] as const
export type RaceName = (typeof RACE_NAMES)[number]

/** How the reference service is to be started. */
export function serviceOf(name: RaceName): {
  readonly faults: readonly FaultName[]
  readonly variants: readonly VariantName[]
} {
  return {
    faults: RACE_FAULTS.filter((fault) => fault === name),
    variants: RACE_VARIANTS.filter((variant) => variant === name),
  }
}

function isBroken(name: RaceName): name is (typeof RACE_FAULTS)[number] {
  return RACE_FAULTS.some((fault) => fault === name)
}

/** What races decide. */
export function requirementsOf(name: RaceName): readonly string[] {
  return isBroken(name)
    ? [FAULTS[name].breaks]
    : [...new Set(RACE_FAULTS.map((fault) => FAULTS[fault].breaks))].toSorted()
}

/** The checks that are named for them. */
export function checksOf(name: RaceName): readonly string[] {
  const wanted = requirementsOf(name)
  return ALL_CHECKS.filter((each) =>
    each.requirements.some((requirement) => wanted.includes(requirement)),
  ).map(({ id }) => id)
}

/**
 * Of a service with a fault: `found` is right, `inconclusive` is owned up to, `missed` is a green verdict on a broken service. Of one
 * that conforms: `passed` is right, `alarm` is a false one.
 */
export type RaceEnd = 'found' | 'passed' | 'inconclusive' | 'missed' | 'alarm'

export type RaceRun = {
  readonly name: RaceName
  readonly end: RaceEnd
  /** Why it did not end as it should. */
  readonly reason: string
}

const RED: readonly string[] = ['fail', 'warn']
const OPEN: readonly string[] = ['inconclusive', 'untested', 'error']

/** How one run of the checks named for a race ended. */
export function raceRunOf(name: RaceName, checks: readonly Check[]): RaceRun {
  const wanted = requirementsOf(name)
  const red = checks.filter(({ findings }) =>
    findings.some(
      ({ requirement, verdict }) => wanted.includes(requirement) && RED.includes(verdict),
    ),
  )
  const open = checks.filter(({ verdict }) => OPEN.includes(verdict))
  const [end, culprits] = endOf(name, red, open)
  const reason = culprits
    .map(({ id, verdict, reason: why, observed }) => `${id} ${verdict}: ${why ?? observed}`)
    .join('; ')
  return { name, end, reason }
}

function endOf(
  name: RaceName,
  red: readonly Check[],
  open: readonly Check[],
): readonly [RaceEnd, readonly Check[]] {
  if (red.length > 0) return isBroken(name) ? ['found', []] : ['alarm', red]
  if (open.length > 0) return ['inconclusive', open]
  return [isBroken(name) ? 'missed' : 'passed', []]
}

export type RaceSum = {
  readonly name: RaceName
  readonly runs: number
  /** Found, or passed by a service that conforms. */
  readonly right: number
  readonly inconclusive: number
  /** Missed, or blamed although it conforms. */
  readonly wrong: number
  /** At least so often it ends right: exact, 95 %. */
  readonly rightRateMin: number
}

export function sumOf(name: RaceName, runs: readonly RaceRun[]): RaceSum {
  const own = runs.filter((run) => run.name === name)
  const count = (...ends: readonly RaceEnd[]): number =>
    own.filter(({ end }) => ends.includes(end)).length
  const right = count('found', 'passed')
  return {
    name,
    runs: own.length,
    right,
    inconclusive: count('inconclusive'),
    wrong: count('missed', 'alarm'),
    rightRateMin: 1 - rateUpperBound(own.length - right, own.length),
  }
}

/** 1 after a race that was missed or a false alarm, 6 after one that stayed open. */
export function exitCodeOf(sums: readonly RaceSum[]): number {
  if (sums.some(({ wrong }) => wrong > 0)) return 1
  return sums.some(({ inconclusive }) => inconclusive > 0) ? 6 : 0
}

/** The sums as a table of Markdown. */
export function tableOf(sums: readonly RaceSum[]): string {
  return [
    '| service | requirement | runs | right | inconclusive | wrong | right at least |',
    '|---|---|---|---|---|---|---|',
    ...sums.map(({ name, runs, right, inconclusive, wrong, rightRateMin }) => {
      const broken = isBroken(name) ? requirementsOf(name).join(' ') : 'all of them'
      const least = `${(100 * rightRateMin).toFixed(1)} %`
      return `| \`${name}\` | ${broken} | ${runs} | ${right} | ${inconclusive} | ${wrong} | ${least} |`
    }),
  ].join('\n')
}
