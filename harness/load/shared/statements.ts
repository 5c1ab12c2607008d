import type { RequirementId } from '../../../contract/requirements/index.ts'
import { requirementById } from '../../../contract/requirements/index.ts'
import type { Finding } from '../../../schemas/generated/run-record.ts'

/**
 * What one place under load (a quota, a key, an order) says about one requirement. Made by a constructor for the reason that exchanges
 * are: most statements are counted and dropped.
 */
export class Statement {
  readonly requirement: RequirementId
  /** warn: something that is only typical was missed. */
  readonly verdict: 'pass' | 'warn' | 'fail' | 'inconclusive'
  readonly observed: string

  constructor(requirement: RequirementId, verdict: Statement['verdict'], observed: string) {
    this.requirement = requirement
    this.verdict = verdict
    this.observed = observed
  }
}

/** One finding for each requirement, in the order of their ids: the worst of what was stated. */
export function findingsFrom(statements: Iterable<Statement>): Finding[] {
  return new StatementTally(statements).findings()
}

/** Places that a finding names; their number is in its statement. */
const PLACES_MAX = 5

const WORST_FIRST = ['fail', 'inconclusive', 'warn', 'pass'] as const

/** What places stated of one requirement with one verdict: how many there are, and the first of them. */
type Stated = { count: number; readonly shown: string[] }

/** Counts statements, and keeps a few of each kind: a soak makes millions of them. */
export class StatementTally {
  readonly #stated = new Map<RequirementId, Map<Statement['verdict'], Stated>>()

  constructor(statements: Iterable<Statement> = []) {
    this.add(statements)
  }

  add(statements: Iterable<Statement>): void {
    for (const { requirement, verdict, observed } of statements)
      this.#put(requirement, verdict, 1, [observed])
  }

  addAll(tally: StatementTally): void {
    for (const [requirement, verdicts] of tally.#stated)
      for (const [verdict, { count, shown }] of verdicts)
        this.#put(requirement, verdict, count, shown)
  }

  /** The worst that was stated of each requirement. */
  verdicts(): ReadonlyMap<RequirementId, Statement['verdict']> {
    return new Map(
      [...this.#stated].map(([requirement, stated]) => [requirement, worstOf(stated)] as const),
    )
  }

  /** Without what was stated of one requirement. */
  without(requirement: RequirementId): StatementTally {
    const rest = new StatementTally()
    rest.addAll(this)
    rest.#stated.delete(requirement)
    return rest
  }

  /** With some of what was stated left open, for a reason. */
  leftOpen(
    isOpen: (requirement: RequirementId, verdict: Statement['verdict']) => boolean,
    why: string,
  ): StatementTally {
    const all = new StatementTally()
    for (const [requirement, stated] of this.#stated)
      for (const verdict of WORST_FIRST) {
        const { count = 0, shown = [] } = stated.get(verdict) ?? {}
        if (count === 0) continue
        if (!isOpen(requirement, verdict)) all.#put(requirement, verdict, count, shown)
        else
          all.#put(
            requirement,
            'inconclusive',
            count,
            shown.map((each) => `${each} (${why})`),
          )
      }
    return all
  }

  findings(): Finding[] {
    return [...this.#stated]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([requirement, stated]) => findingOf(requirement, stated))
  }

  #put(
    requirement: RequirementId,
    verdict: Statement['verdict'],
    count: number,
    observed: readonly string[],
  ): void {
    const verdicts = this.#stated.get(requirement) ?? new Map<Statement['verdict'], Stated>()
    this.#stated.set(requirement, verdicts)
    const stated = verdicts.get(verdict) ?? { count: 0, shown: [] }
    verdicts.set(verdict, stated)
    stated.count += count
    for (const each of observed) if (stated.shown.length < PLACES_MAX) stated.shown.push(each)
  }
}

function worstOf(stated: ReadonlyMap<Statement['verdict'], Stated>): Statement['verdict'] {
  return WORST_FIRST.find((each) => stated.has(each)) ?? 'inconclusive'
}

function findingOf(
  requirement: RequirementId,
  stated: ReadonlyMap<Statement['verdict'], Stated>,
): Finding {
  const verdict = worstOf(stated)
  const { count = 0, shown = [] } = stated.get(verdict) ?? {}
  const places = stated.values().reduce((sum, each) => sum + each.count, 0)
  const more = count > shown.length ? [`${count - shown.length} more places alike`] : []
  return {
    requirement,
    verdict,
    statement: `answers under load, judged in ${places} places; ${count} ${verdict}`,
    expected: requirementById(requirement).text,
    observed: [...shown, ...more].join('; '),
    exchanges: [],
  }
}

/**
 * What was seen in a run that as a whole cannot be trusted proves nothing, neither by having gone well nor otherwise: what others
 * decided stands.
 */
export function withoutWeight(finding: Finding, reason: string): Finding {
  return finding.verdict === 'observed'
    ? finding
    : { ...finding, verdict: 'untested', statement: reason }
}

/** A statement about one place of the traffic: an order, an account. */
export function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  { name }: { readonly name: string },
  observed: string,
): Statement {
  return new Statement(requirement, verdict, `${name}: ${observed}`)
}

/** The same about several requirements. */
export function sayAll(
  requirements: readonly RequirementId[],
  verdict: Statement['verdict'],
  place: { readonly name: string },
  observed: string,
): Statement[] {
  return requirements.map((each) => say(each, verdict, place, observed))
}

/** A pass or a fail. */
export function decide(
  requirement: RequirementId,
  holds: boolean,
  place: { readonly name: string },
  observed: string,
): Statement {
  return say(requirement, holds ? 'pass' : 'fail', place, observed)
}
