import { isThrottled } from '../../../contract/answers.ts'
import { CONTENTION_RULE, CONTENTION_WAIT_RULE } from '../../judge/rules/refusals.ts'
import type { Answer, Rule } from '../../judge/rules/rule.ts'
import type { Statement } from './statements.ts'

/** An answer as a row of evidence has it. */
type Row = Omit<Answer, 'retryAfters'> & { readonly retryAfter?: string | undefined }

/** As rules see it. */
export function answerOf({ status, code, errorCode, retryAfter }: Row): Answer {
  return { status, code, errorCode, retryAfters: retryAfter === undefined ? [] : [retryAfter] }
}

/** Counts what breaks each rule, and keeps the first: one place for all of it, however much there is. */
export class RuleTally<Subject> {
  readonly #counts: { readonly rule: Rule<Subject>; wrong: number; first: string }[]
  #all = 0

  constructor(rules: readonly Rule<Subject>[]) {
    this.#counts = rules.map((rule) => ({ rule, wrong: 0, first: '' }))
  }

  /** `shown` names the subject. */
  add(subject: Subject, shown?: () => string): void {
    this.#all++
    for (const count of this.#counts) {
      const breach = count.rule.breach(subject)
      if (breach === undefined) continue
      if (count.wrong++ === 0) count.first = `${breach}${shown ? `; the first: ${shown()}` : ''}`
    }
  }

  /** One for each rule; none where there was nothing to judge. */
  statements(name: string): Statement[] {
    if (this.#all === 0) return []
    return this.#counts.map(({ rule: { requirement, expected }, wrong, first }): Statement => {
      if (wrong === 0)
        return {
          requirement,
          verdict: 'pass',
          observed: `${name}: all ${this.#all} had ${expected}`,
        }
      const observed = `${name}: ${wrong} of ${this.#all} had ${first}, expected ${expected}`
      return { requirement, verdict: 'fail', observed }
    })
  }
}

/** What rules say of all these answers together. */
export function ruleStatements(
  rules: readonly Rule<Answer>[],
  answers: Iterable<Answer>,
  name: string,
): Statement[] {
  const tally = new RuleTally(rules)
  for (const answer of answers) tally.add(answer)
  return tally.statements(name)
}

/** What purchases that overlapped on one key say. */
export function contentionRules(answers: Iterable<Answer>, name: string): Statement[] {
  const [all, refused] = [new RuleTally([CONTENTION_RULE]), new RuleTally([CONTENTION_WAIT_RULE])]
  for (const answer of answers) {
    all.add(answer)
    if (isThrottled(answer)) refused.add(answer)
  }
  return [
    ...all.statements(`${name}: overlapping purchases`),
    ...refused.statements(`${name}: contended answers`),
  ]
}
