import type { Answer, Rule } from '../../harness/judge/rules/rule.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { answerOf, showAnswer, showRequest } from '../engine/kit.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

/** The rules of answers, for exchanges. */
export function atRest(rules: readonly Rule<Answer>[]): Rule<Exchange>[] {
  return rules.map((rule) => ({ ...rule, breach: (exchange) => rule.breach(answerOf(exchange)) }))
}

/** Holds each rule against all of these answers: one finding for each, which names the first that break it. */
export function expectEach(
  { expect }: Pick<CheckContext, 'expect'>,
  rules: readonly Rule<Exchange>[],
  { answers, what }: { readonly answers: readonly Exchange[]; readonly what: string },
): void {
  for (const { requirement, expected, breach } of rules) {
    const broken = answers.filter((exchange) => breach(exchange) !== undefined)
    const [first] = broken
    expect(requirement).that(`each of ${answers.length} ${what} has ${expected}`, {
      holds: first === undefined,
      expected,
      observed: first
        ? `${broken.length} have not, first: ${showRequest(first)}: ${breach(first)}; ${showAnswer(first)}`
        : 'each has',
      exchanges: (first ? broken : answers).slice(0, NAMED_MAX),
      about: first ? broken : answers,
    })
  }
}
