/** Runs of services that conform, each under other conditions: whatever turns red there is a false alarm. */
import type { Session } from '../../conformance/engine/session.ts'
import { ROLE_SCOPES, type Role } from '../../contract/capabilities.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { HarnessError } from '../../harness/errors.ts'
import { judgeRequirement } from '../../harness/judge/verdicts.ts'
import type { Finding, LoadResult, Verdict } from '../../schemas/generated/run-record.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { seeded } from './limiter-simulator.ts'
import { WINDOW_PHASES, type WindowPhase } from '../../reference/base/types.ts'
import {
  VARIANT_NAMES,
  VARIANTS,
  type VariantFact,
  type VariantName,
} from '../../reference/base/variants.ts'
import { delayed } from './networks.ts'
import { suiteRun, type FileKeys } from './suite-run.ts'
import type { VirtualLoad } from './virtual-background.ts'
import { virtualRun } from './virtual-run.ts'

/** Verdicts that a conforming service may get: what it does not have or has configured otherwise is inapplicable. */
const GREEN: readonly string[] = ['pass', 'warn', 'observed', 'inapplicable']

/** Outcomes that a conforming service should not get. */
export function othersThanGreen(outcomes: readonly CheckOutcome[]): CheckOutcome[] {
  return outcomes.filter(({ check }) => !GREEN.includes(check.verdict))
}

/** An outcome in a line. */
export function lineOf({ check }: Pick<CheckOutcome, 'check'>): string {
  return `${check.verdict} ${check.id}: ${check.reason ?? check.observed}`
}

/** Requirements that every check left open: a conforming service that a run cannot decide makes it end with exit 5. */
export function leftOpen(outcomes: readonly CheckOutcome[]): string[] {
  const findings = Map.groupBy(
    outcomes.flatMap(({ check }) => check.findings),
    ({ requirement }) => requirement,
  )
  return [...findings]
    .filter(([, found]) => judgeRequirement(verdictsOf(found), []) === 'untested')
    .map(([requirement, [first]]) => `untested ${requirement}: ${first?.statement ?? ''}`)
}

function verdictsOf(findings: readonly Finding[]): readonly Verdict[] {
  return findings.map(({ verdict }) => verdict)
}

/** The clean service, or the service with one legal difference. */
export const CONFORMING_NAMES = ['clean', ...VARIANT_NAMES] as const

/** Between the names of variants that one service has at once. */
const TOGETHER = '+'

/** The variants of a service by its name: none of the clean one, several where they are joined by `+`. Nothing for unknown names. */
export function variantsNamed(name: string): readonly VariantName[] | undefined {
  if (name === 'clean') return []
  const parts = name.split(TOGETHER)
  const variants = VARIANT_NAMES.filter((variant) => parts.includes(variant))
  return variants.length === parts.length ? variants : undefined
}

/** Whether a service that has all variants of the group can have this one too. */
export function fits(name: VariantName, group: readonly VariantName[]): boolean {
  const { family }: VariantFact = VARIANTS[name]
  return family === undefined || group.every((other) => VARIANTS[other].family !== family)
}

const TOGETHER_MAX = 16

/** The variants in groups that one service can have at once, each variant in one group, in the order given. */
export function groupsOf(variants: readonly VariantName[]): VariantName[][] {
  const groups: VariantName[][] = []
  for (const name of variants) {
    const group = groups.find((each) => each.length < TOGETHER_MAX && fits(name, each))
    if (group === undefined) groups.push([name])
    else group.push(name)
  }
  return groups
}

/** The clean service and the services of a round in which each variant is in one group, drawn anew for each round. */
export function servicesTogether(round: number): string[] {
  const random = seeded(1 + round)
  const drawn = VARIANT_NAMES.map((name) => ({ name, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name)
  return ['clean', ...groupsOf(drawn).map((group) => group.join(TOGETHER))]
}

export type Conditions = {
  readonly windowPhase: WindowPhase
  readonly windowSeconds: number
  /** From a window edge to the first request. */
  readonly startsAfterMs: number
  /** Longest delay of one way of a request. */
  readonly delayMsMax: number
  /** Of identifiers, codes and delays. */
  readonly seed: number
  readonly platformGift: 'enabled' | 'disabled'
  readonly times: Times
}

/** What a service takes, in milliseconds. */
type Times = Readonly<Record<'asyncCompletionMs' | 'quoteLatencyMs' | 'providerTimeoutMs', number>>

/** Windows as tests shorten them, and the interface's own. */
const WINDOW_SECONDS = [2, 60] as const
const DELAYS_MS_MAX = [0, 1, 5, 20, 80] as const
/** Orders finish while they are read, before a window ends, or after several. */
const ASYNC_MS = [150, 400, 1500, 3000, 8000] as const
/** A purchase is being decided for so long. */
const QUOTE_MS = [5, 30, 200] as const
const PROVIDER_TIMEOUT_MS = [5, 20, 200] as const

/** Conditions of the `run`-th run, from 0: forty runs take every combination of windows and delays, each at a moment of its own. */
export function conditionsOf(name: string, run: number): Conditions {
  const windowSeconds = nth(WINDOW_SECONDS, Math.floor(run / WINDOW_PHASES.length))
  const first: string = name.split(TOGETHER)[0] ?? name
  const place = CONFORMING_NAMES.findIndex((known) => known === first)
  const random = seeded(1 + run + 1000 * place)
  return {
    windowPhase: nth(WINDOW_PHASES, run),
    windowSeconds,
    startsAfterMs: random() * windowSeconds * 1000,
    delayMsMax: nth(DELAYS_MS_MAX, run),
    seed: run,
    platformGift: name === 'clean' && run % 2 === 1 ? 'disabled' : 'enabled',
    times: {
      asyncCompletionMs: drawn(ASYNC_MS, random()),
      quoteLatencyMs: drawn(QUOTE_MS, random()),
      providerTimeoutMs: drawn(PROVIDER_TIMEOUT_MS, random()),
    },
  }
}

function drawn<T>(values: readonly T[], share: number): T {
  return nth(values, Math.floor(share * values.length))
}

function nth<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T
}

/** What one run of a conforming service got that it should not have. */
export type ConformingRow = {
  readonly name: string
  readonly run: number
  readonly conditions: Conditions
  /** Checks that decided something. */
  readonly decided: number
  /** Failures, and errors of ours. */
  readonly alarms: readonly string[]
  /** Left inconclusive or untested, and mistakes of a target file that has none: with them a run ends with exit 5. */
  readonly undecided: readonly string[]
}

export type ConformingOptions = {
  /** What other accounts do meanwhile. */
  readonly underLoad?: VirtualLoad | undefined
  /** The keys of a target file, which all checks share, in place of accounts for each check. */
  readonly hasFileKeys?: boolean | undefined
}

/** One run. */
export type ConformingTask = readonly [name: string, run: number, options?: ConformingOptions]

export async function conformingRow(
  ...[name, run, options = {}]: ConformingTask
): Promise<ConformingRow> {
  const conditions = conditionsOf(name, run)
  const variants = variantsNamed(name)
  if (variants === undefined)
    throw new Error(`Got the service ${name}; expected clean, or variants joined by ${TOGETHER}.`)
  const { outcomes, session, background } = options.hasFileKeys
    ? await withFileKeys(conditions, variants)
    : await withAccounts(conditions, variants, options)
  const others = othersThanGreen(outcomes)
  return {
    name,
    run,
    conditions,
    decided: outcomes.filter(({ check }) => ['pass', 'warn', 'fail'].includes(check.verdict))
      .length,
    alarms: [...others.filter(isAlarm).map(lineOf), ...alarmsOf(background)],
    undecided: [
      ...others
        .filter((outcome) => !isAlarm(outcome) && !(options.hasFileKeys && isUntested(outcome)))
        .map(lineOf),
      // A report that cannot be read leaves open whether it is right; keys of a file leave open what they lack.
      ...(variants.includes('rate-limits-absent') || options.hasFileKeys ? [] : leftOpen(outcomes)),
      ...session.causes().flatMap(({ kind, text }) => (kind === 'target-file' ? [text] : [])),
    ],
  }
}

type Outcomes = {
  readonly outcomes: readonly CheckOutcome[]
  readonly session: Session
  readonly background?: LoadResult
}

async function withAccounts(
  { windowPhase, windowSeconds, startsAfterMs, delayMsMax, seed, platformGift, times }: Conditions,
  variants: readonly VariantName[],
  { underLoad }: ConformingOptions,
): Promise<Outcomes> {
  const random = seeded(seed + 1)
  const given = {
    windowSeconds,
    startsAfterMs,
    // Cubed: most ways are short and some are long, as in a network.
    network: (transport: Transport, clock: Clock) =>
      delayed(transport, clock, () => random() ** 3 * delayMsMax),
    service: { windowPhase, seed, platformGift, variants, ...times },
    isPersistent: true,
  } as const
  if (underLoad === undefined) return await virtualRun(given)
  try {
    return await virtualRun({ ...given, underLoad })
  } catch (error) {
    if (!(error instanceof HarnessError && error.code === 'E_USAGE')) throw error
    // Tight windows admit fewer clients than were asked for: then as many come as by default.
    return await virtualRun({ ...given, underLoad: { name: underLoad.name } })
  }
}

/** A key of each role, and a cap that many partners have. */
const FILE_KEYS = {
  roles: Object.keys(ROLE_SCOPES) as Role[],
  cap: '100.00',
  more: [],
} as const satisfies FileKeys

function withFileKeys(
  { windowPhase, windowSeconds, seed, platformGift, times }: Conditions,
  variants: readonly VariantName[],
): Promise<Outcomes> {
  const service = { windowPhase, seed, platformGift, variants, ...times }
  const accounts = { file: FILE_KEYS }
  return suiteRun({ accounts, windowSeconds, service, isPersistent: true })
}

/** What the clients of the background blame the service for. */
function alarmsOf(background: LoadResult | undefined): readonly string[] {
  const found = background?.findings.filter(({ verdict }) => verdict === 'fail') ?? []
  return found.map(({ requirement, observed }) => `fail background ${requirement}: ${observed}`)
}

function isUntested({ check }: CheckOutcome): boolean {
  return check.verdict === 'untested'
}

function isAlarm({ check }: CheckOutcome): boolean {
  return check.verdict === 'fail' || check.verdict === 'error'
}
