import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { Statement } from '../shared/statements.ts'
import type { QuotaGroup } from './judge-groups.ts'

/** What a requirement of windows is called for the bucket of checks. */
const OF_CHECKS: Readonly<Partial<Record<RequirementId, RequirementId>>> = {
  'RATE-04': 'RATE-21',
  'RATE-05': 'RATE-21',
  'RATE-09': 'RATE-20',
  'RATE-10': 'RATE-19',
}

export function named({ first }: QuotaGroup, requirement: RequirementId): RequirementId {
  return first.bucket === 'orders.check' ? (OF_CHECKS[requirement] ?? requirement) : requirement
}

export function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  group: QuotaGroup,
  observed: string,
): Statement {
  return { requirement, verdict, observed: `${group.first.name}: ${observed}` }
}
