import { expect, test } from 'vitest'
import { resolveCitation, statementsOf } from './citations.ts'
import { outlineOf } from './interface-places.ts'

const OUTLINE = outlineOf(`# Title

## Things

| Field | Type |
|---|---|
| code | string |

One sentence only

- First. Second.

## Other

1. A rule
`)

function resolve(citation: string): ReturnType<typeof resolveCitation> {
  return resolveCitation(OUTLINE, { id: 'X-01', section: 'Things', source: [] }, citation)
}

test('a citation means a place of its own section, or of the one that it names', () => {
  expect(resolve('row code')).toEqual({ key: 'Things: row code, sentence 1' })
  expect(resolve('bullet 1 sentence 2')).toEqual({ key: 'Things: bullet 1, sentence 2' })
  expect(resolve('Other: rule 1')).toEqual({ key: 'Other: rule 1, sentence 1' })
})

test('what citations resolve to is what the interface states', () => {
  expect([...statementsOf(OUTLINE)]).toEqual([
    ['Things: row code, sentence 1', '| code | string |'],
    ['Things: paragraph 1, sentence 1', 'One sentence only'],
    ['Things: bullet 1, sentence 1', 'First.'],
    ['Things: bullet 1, sentence 2', 'Second.'],
    ['Other: rule 1, sentence 1', 'A rule'],
  ])
})

test.each([
  ['row missing', 'does not exist'],
  ['rule 1', 'does not exist'],
  ['Nowhere: rule 1', 'does not exist'],
  ['bullet 1', 'has 2 sentences; say which'],
  ['bullet 1 sentence 3', 'has 2 sentence(s)'],
  ['paragraph 1 sentence 1', 'has 1 sentence(s)'],
  ['chapter 1', 'is not in the notation'],
])('the citation "%s" is refused: %s', (citation, problem) => {
  expect(resolve(citation)).toEqual({ problem: expect.stringContaining(problem) as string })
})
