import type { RequirementId } from '../../contract/requirements/index.ts'
import { requirementById } from '../../contract/requirements/index.ts'
import type { Finding } from '../../schemas/generated/run-record.ts'

/** What one place under load (a quota, a key, an order) says about one requirement. */
export type Statement = {
  readonly requirement: RequirementId
  /** warn: something that is only typical was missed. */
  readonly verdict: 'pass' | 'warn' | 'fail' | 'inconclusive'
  readonly observed: string
}

/** One finding for each requirement, in the order of their ids: the worst of what was stated. */
export function findingsFrom(statements: readonly Statement[]): Finding[] {
  const byRequirement = Map.groupBy(statements, ({ requirement }) => requirement)
  return [...byRequirement]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([requirement, all]) => findingOf(requirement, all))
}

/** Places that a finding names; their number is in its statement. */
const PLACES_MAX = 5

const WORST_FIRST = ['fail', 'inconclusive', 'warn', 'pass'] as const

function findingOf(requirement: RequirementId, statements: readonly Statement[]): Finding {
  const verdict =
    WORST_FIRST.find((each) => statements.some((statement) => statement.verdict === each)) ??
    'inconclusive'
  const shown = statements.filter((statement) => statement.verdict === verdict)
  const more = shown.length > PLACES_MAX ? [`${shown.length - PLACES_MAX} more places alike`] : []
  return {
    requirement,
    verdict,
    statement: `answers under load, judged in ${statements.length} places, of which ${shown.length} ${verdict}`,
    expected: requirementById(requirement).text,
    observed: [...shown.slice(0, PLACES_MAX).map(({ observed }) => observed), ...more].join('; '),
    exchanges: [],
  }
}

/** What was seen in a run that as a whole cannot be trusted proves nothing: neither by having gone well nor otherwise. */
export function undecided(finding: Finding): Finding {
  return finding.verdict === 'observed' ? finding : { ...finding, verdict: 'inconclusive' }
}
