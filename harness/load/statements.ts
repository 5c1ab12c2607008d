import type { RequirementId } from '../../contract/requirements/index.ts'
import { requirementById } from '../../contract/requirements/index.ts'
import type { Finding } from '../../schemas/generated/run-record.ts'

/** What one place under load (a quota, a key, an order) says about one requirement. */
export type Statement = {
  readonly requirement: RequirementId
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly observed: string
}

/** One finding for each requirement, in the order of their ids: the worst of what was stated. */
export function findingsFrom(statements: readonly Statement[]): Finding[] {
  const byRequirement = Map.groupBy(statements, ({ requirement }) => requirement)
  return [...byRequirement]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([requirement, all]) => findingOf(requirement, all))
}

const WORST_FIRST = ['fail', 'inconclusive', 'pass'] as const

function findingOf(requirement: RequirementId, statements: readonly Statement[]): Finding {
  const verdict =
    WORST_FIRST.find((each) => statements.some((statement) => statement.verdict === each)) ??
    'inconclusive'
  return {
    requirement,
    verdict,
    statement: `answers under load, judged in ${statements.length} places, of which ${statements.filter((each) => each.verdict === verdict).length} ${verdict}`,
    expected: requirementById(requirement).text,
    observed: statements
      .filter((statement) => statement.verdict === verdict)
      .map(({ observed }) => observed)
      .join('; '),
    exchanges: [],
  }
}

/** What was seen in a run that as a whole cannot be trusted proves nothing: neither by having gone well nor otherwise. */
export function undecided(finding: Finding): Finding {
  return finding.verdict === 'pass' || finding.verdict === 'fail'
    ? { ...finding, verdict: 'inconclusive' }
    : finding
}
