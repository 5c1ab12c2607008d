import { expect, test } from 'vitest'
import { outlineOf, splitSentences } from './interface-places.ts'

const DOCUMENT = `# Title

Before any heading.

## Things

| Field | Type |
|---|---|
| \`code\` | string |
| code | again |

First paragraph. It goes on, e.g. \`here\`
over two lines.

Second paragraph:

### Inner (with a remark)

- A bullet. With two sentences.
- Another

1. Rule one
   1. inner one;
   2. inner two.
2. Rule two
   goes on

| After | Rule |
|---|---|
| cell | x |

   An indented paragraph.
3. Rule three

## Last
`

function namesIn(section: string): string[] {
  return outlineOf(DOCUMENT)
    .places.filter((place) => place.section === section)
    .map((place) => place.name)
}

test('headings become paths without the title and without remarks in parentheses', () => {
  expect(outlineOf(DOCUMENT).sections).toEqual(['Things', 'Things > Inner', 'Last'])
})

test('text before the first heading belongs to the introduction', () => {
  expect(namesIn('Introduction')).toEqual(['paragraph 1'])
})

test('rows are named by their first cell, counted where it occurs again; header rows are none', () => {
  expect(namesIn('Things')).toEqual(['row code', 'row code #2', 'paragraph 1', 'paragraph 2'])
})

test('rules keep their printed numbers across tables, inner ones after the outer', () => {
  expect(namesIn('Things > Inner')).toEqual([
    'bullet 1',
    'bullet 2',
    'rule 1',
    'rule 1.1',
    'rule 1.2',
    'rule 2',
    'row cell',
    'paragraph 1',
    'rule 3',
  ])
})

test('a place has its sentences, over line breaks, and knows its line', () => {
  const places = outlineOf(DOCUMENT).places
  const paragraph = places.find((place) => place.section === 'Things' && place.line === 12)
  expect(paragraph?.sentences).toEqual([
    'First paragraph.',
    'It goes on, e.g. `here` over two lines.',
  ])
  expect(places.find((place) => place.name === 'rule 2')?.sentences).toEqual(['Rule two goes on'])
})

test('sentences end at a full stop before a capital, a digit or code', () => {
  expect(splitSentences('One. `two` is. 3 too (e.g. Four). and so on.')).toEqual([
    'One.',
    '`two` is.',
    '3 too (e.g. Four). and so on.',
  ])
})
