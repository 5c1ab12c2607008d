import { expect, test } from 'vitest'
import { CAP_MARK_RULES, REFUSAL_RULES, waitRule } from './refusals.ts'
import type { Answer } from './rule.ts'

function breachesOf(answer: Partial<Answer>): string[] {
  const whole = { status: 429, code: 8, retryAfters: ['1'], ...answer }
  return [...REFUSAL_RULES, waitRule({ windowSeconds: 60 })].flatMap(({ requirement, breach }) => {
    const found = breach(whole)
    return found === undefined ? [] : [`${requirement}: ${found}`]
  })
}

test.each<[Partial<Answer>, string[]]>([
  [{}, []],
  [{ code: 13 }, ['RATE-05: statusCode 13']],
  [{ code: undefined }, ['RATE-05: statusCode missing']],
  [{ retryAfters: [] }, ['RATE-06: no Retry-After']],
  [{ retryAfters: ['1', '2'] }, ['RATE-06: 2 Retry-After']],
  [{ retryAfters: ['0.5'] }, ['RATE-07: Retry-After "0.5"']],
  [{ retryAfters: ['6000'] }, []],
  [{ retryAfters: ['6001'] }, ['RATE-07: Retry-After 6001']],
])('a 429 with %j breaks %j', (answer, broken) => {
  expect(breachesOf(answer)).toEqual(broken)
})

test('a refusal by the cap has both of its marks, and not that of windows', () => {
  const broken = CAP_MARK_RULES.filter(({ breach }) => breach({ status: 409, retryAfters: [] }))
  expect(broken.map(({ requirement }) => requirement)).toEqual(['CAP-04', 'CAP-05'])
})
