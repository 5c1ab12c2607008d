import type { Attempted } from '../../harness/judge/rules/purchases.ts'
import type { Answer, RecordedAnswer, Rule } from '../../harness/judge/rules/rule.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { answerOf, isAccepted, showAnswer, showRequest } from '../engine/kit.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

/** The rules of answers, for exchanges. */
export function atRest(rules: readonly Rule<Answer>[]): Rule<Exchange>[] {
  return rules.map((rule) => ({ ...rule, breach: (exchange) => rule.breach(answerOf(exchange)) }))
}

type Attempt = Answer &
  Pick<RecordedAnswer, 'sentMs' | 'receivedMs'> & { readonly exchange: Exchange }

/** All that was sent under one reference, for the rules of purchases: whatever is accepted is one order. */
export function attemptedAtRest(exchanges: readonly Exchange[]): Attempted<Attempt> {
  const attempts = exchanges.map((exchange) => ({
    ...answerOf(exchange),
    exchange,
    sentMs: exchange.sentAtMs,
    receivedMs: exchange.receivedAtMs,
  }))
  return { attempts, made: attempts.filter(({ exchange }) => isAccepted(exchange)).slice(0, 1) }
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
