import { HYGIENE } from '../../contract/requirements/hygiene.ts'
import {
  OPEN_QUESTIONS,
  REQUIREMENTS,
  type RequirementId,
} from '../../contract/requirements/index.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type {
  Finding,
  Observation,
  Verdict,
  WindowTrace,
} from '../../schemas/generated/run-record.ts'
import type { CheckDefinition, InvariantDefinition } from './check.ts'
import { clip } from './describe.ts'
import { Expectation } from './expectation.ts'

const VIOLATION = { must: 'fail', typical: 'warn', may: 'observed' } as const satisfies Record<
  string,
  Verdict
>
const LEVELS = new Map<string, keyof typeof VIOLATION>(
  REQUIREMENTS.map(({ id, level }) => [id, level]),
)

/** Characters of an observation. */
const ANSWER_LENGTH_MAX = 1_000

const QUESTIONS = new Map<string, string>([
  ...OPEN_QUESTIONS.map(({ id, question }) => [id, question] as const),
  ...HYGIENE.map(({ id, warning }) => [id, warning] as const),
])

/** Gathers what one check records. */
export class FindingRecorder {
  readonly findings: Finding[] = []
  readonly observations: Observation[] = []
  readonly windows: WindowTrace[] = []
  readonly evidence = new Map<string, Exchange>()
  /** Exchanges that each finding is about, where that is known. */
  readonly about: (readonly string[])[] = []
  readonly #definition: CheckDefinition | InvariantDefinition

  constructor(definition: CheckDefinition | InvariantDefinition) {
    this.#definition = definition
  }

  expect(requirement: RequirementId): Expectation {
    if (!this.#definition.requirements.includes(requirement))
      throw new Error(`check ${this.#definition.id} judges ${requirement} but does not name it`)
    const violation = VIOLATION[LEVELS.get(requirement) ?? 'must']
    return new Expectation(requirement, violation, (finding, evidence, { exchanges, about }) => {
      this.#add(finding, about ?? ('needs' in this.#definition ? exchanges : []))
      this.keep(evidence)
    })
  }

  leaveUndecided(
    requirement: RequirementId,
    reason: string,
    verdict: 'untested' | 'inapplicable' = 'untested',
  ): void {
    const silent = { expected: '', observed: '', exchanges: [] }
    this.#add({ requirement, verdict, statement: reason, ...silent }, [])
  }

  /** Takes back that a requirement is broken: something else may have caused it. */
  doubt(doubted: RequirementId, why: string): void {
    for (const [index, finding] of this.findings.entries())
      if (finding.requirement === doubted && finding.verdict === 'fail')
        this.findings[index] = {
          ...finding,
          verdict: 'inconclusive',
          observed: `${finding.observed}. Others may have caused it: ${why}`,
        }
  }

  observe(id: string, answer: string, exchanges: readonly Exchange[]): void {
    this.observations.push({
      id,
      question: QUESTIONS.get(id) ?? id,
      answer: clip(answer, ANSWER_LENGTH_MAX),
      check: this.#definition.id,
      exchanges: exchanges.map((exchange) => exchange.id),
    })
    this.keep(exchanges)
  }

  #add(finding: Finding, about: readonly Exchange[]): void {
    this.findings.push(finding)
    this.about.push(about.map(({ id }) => id))
  }

  keep(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) this.evidence.set(exchange.id, exchange)
  }
}
