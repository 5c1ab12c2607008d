/** What came out otherwise in an earlier run. It never counts for or against a target. */
import type {
  Comparison,
  Observation,
  RunRecord,
  Verdict,
} from '../../schemas/generated/run-record.ts'

type Answers = Pick<Observation, 'id' | 'check' | 'question'> & {
  readonly answers: readonly string[]
}

export type RequirementChanges = NonNullable<Comparison['requirements']>

type Change = RequirementChanges['newlyBroken'][number]

type Compared = Pick<RunRecord, 'runId' | 'startedAt' | 'observations' | 'requirements'>

/** Holds a run against an earlier one: its observations, and what became of each requirement. */
export function compareRuns(
  before: Compared,
  now: Pick<RunRecord, 'observations' | 'requirements'>,
): Comparison & { readonly requirements: RequirementChanges } {
  return {
    ...compareObservations(before, now.observations),
    requirements: compareRequirements(before.requirements, now.requirements),
  }
}

const DECIDED: ReadonlySet<Verdict> = new Set<Verdict>(['pass', 'warn', 'fail'])

const isBroken = (verdict: Verdict): boolean => verdict === 'fail'
const isDecided = (verdict: Verdict): boolean => DECIDED.has(verdict)

/** What no check was asked about. An interrupted run names the checks that it did not reach. */
function isSelected({ verdict, checks }: RunRecord['requirements'][number]): boolean {
  return verdict !== 'untested' || checks.length > 0
}

/** A requirement that one of both runs does not have, as another version of the harness, was untested there. */
function compareRequirements(
  before: RunRecord['requirements'],
  now: RunRecord['requirements'],
): RequirementChanges {
  const earlier = new Map(before.map((each) => [each.id, each]))
  const known = now.map((later) => {
    const then = earlier.get(later.id)
    return {
      change: { requirement: later.id, before: then?.verdict ?? 'untested', now: later.verdict },
      wasSelected: then === undefined || isSelected(then),
      isSelected: isSelected(later),
    }
  })
  const changes = (isMeant: (each: (typeof known)[number]) => boolean): Change[] =>
    known.filter((each) => isMeant(each)).map(({ change }) => change)
  const all = changes((each) => each.wasSelected && each.isSelected)
  return {
    notSelectedNow: changes((each) => !each.isSelected && isDecided(each.change.before)),
    notSelectedBefore: changes((each) => !each.wasSelected && isDecided(each.change.now)),
    newlyBroken: all.filter((each) => isBroken(each.now) && !isBroken(each.before)),
    mended: all.filter(
      (each) => isBroken(each.before) && isDecided(each.now) && !isBroken(each.now),
    ),
    stillBroken: all.filter((each) => isBroken(each.before) && isBroken(each.now)),
    noLongerDecided: all.filter((each) => isDecided(each.before) && !isDecided(each.now)),
    newlyDecided: all.filter(
      (each) => !isDecided(each.before) && isDecided(each.now) && !isBroken(each.now),
    ),
  }
}

/**
 * Holds the observations of a run against those of an earlier one: question by question and check by check, as far as both answered.
 * Identifiers and moments are other ones in every run, and measured times scatter: neither is a change.
 */
export function compareObservations(
  before: Pick<RunRecord, 'runId' | 'startedAt' | 'observations'>,
  now: readonly Observation[],
): Comparison {
  const earlier = answersOf(before.observations)
  const both = [...answersOf(now)].flatMap(([key, later]) => {
    const known = earlier.get(key)
    return known ? [{ later, known }] : []
  })
  const changed = both.filter(({ later, known }) => !areSame(known.answers, later.answers))
  return {
    runId: before.runId,
    startedAt: before.startedAt,
    questions: both.length,
    changes: changed.map(({ later: { id, check, question, answers }, known }) => ({
      id,
      question,
      check,
      before: [...known.answers],
      now: [...answers],
    })),
  }
}

/** By question and check, sorted. */
function answersOf(observations: readonly Observation[]): Map<string, Answers> {
  const groups = Map.groupBy(observations, ({ id, check }) => `${id} ${check}`)
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return new Map(
    sorted.flatMap(([key, group]) => {
      const [first] = group
      if (!first) return []
      const answers = new Set(group.map(({ answer }) => answer))
      const { id, check, question } = first
      return [[key, { id, check, question, answers: [...answers].toSorted() }]]
    }),
  )
}

/** Several answers of one check come in any order. */
function areSame(before: readonly string[], now: readonly string[]): boolean {
  return before.every((answer) => isIn(now, answer)) && now.every((answer) => isIn(before, answer))
}

function isIn(answers: readonly string[], answer: string): boolean {
  return answers.some((other) => isSame(other, answer))
}

/** Members of an answer's JSON whose values name one thing or moment. */
const NAMES = /("(?:\w*[iI]d|\w*At)"\s*:\s*)"[^"]*"/g
const IDENTIFIERS = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}\d{9}|\d{19})\b/g
const MOMENTS = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)/g
/** A cut leaves the rest as a number of characters. */
const CUT = /… and \d+ more characters/g

/** A measured time. Whole seconds are stated, not measured. */
const SECONDS = /\b\d+\.\d+(?= s\b)/g
const PERIOD = /multiples of (\d+(?:\.\d+)?) s\b/
const SECONDS_APART_MAX = 0.25

function isSame(before: string, now: string): boolean {
  const [a, b] = [steady(before), steady(now)]
  if (a.replaceAll(SECONDS, '') !== b.replaceAll(SECONDS, '')) return false
  const period = Number(PERIOD.exec(a)?.[1] ?? Infinity)
  const times = b.match(SECONDS) ?? []
  return (a.match(SECONDS) ?? []).every((time, index) => {
    const apart = Math.abs(Number(time) - Number(times[index]))
    return Math.min(apart, Math.abs(period - apart)) <= SECONDS_APART_MAX
  })
}

function steady(answer: string): string {
  return answer
    .replaceAll(NAMES, '$1"…"')
    .replaceAll(IDENTIFIERS, '…')
    .replaceAll(MOMENTS, '…')
    .replaceAll(CUT, '…')
}
