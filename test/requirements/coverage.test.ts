/** Holds the catalogue against the interface itself, where that is at hand. The project runs without it. */
import { describe, expect, test } from 'vitest'
import { OPEN_QUESTIONS, REQUIREMENTS } from '../../contract/requirements/index.ts'
import { type Citing, resolveCitation, statementsOf } from './citations.ts'
import { INTERFACE_FILE, readInterface } from './interface-file.ts'
import { INTRODUCTION, outlineOf } from './interface-places.ts'
import { runsOf } from './shared-runs.ts'

const RUN_WORDS = 8

const interfaceText = readInterface()
const missing = 'not at hand; set ORDERING_INTERFACE_FILE to run this'

const outline = outlineOf(interfaceText ?? '')
const statements = statementsOf(outline)

function citedBy(entries: readonly Citing[]): Set<string> {
  const resolved = entries.flatMap((entry) =>
    entry.source.map((citation) => resolveCitation(outline, entry, citation)),
  )
  return new Set(resolved.flatMap((each) => ('key' in each ? [each.key] : [])))
}

const entries: readonly Citing[] = [...REQUIREMENTS, ...OPEN_QUESTIONS]

describe('the catalogue against the interface', () => {
  if (interfaceText === undefined) {
    test('is walked place by place', ({ skip }) => skip(`${INTERFACE_FILE} is ${missing}`))
    return
  }

  test('the walker finds an interface to walk', () => {
    expect(outline.sections.length).toBeGreaterThan(20)
    expect(statements.size).toBeGreaterThan(200)
  })

  test('every citation points at something that exists', () => {
    const problems = entries.flatMap((entry) =>
      entry.source.flatMap((citation) => {
        const resolved = resolveCitation(outline, entry, citation)
        return 'problem' in resolved ? [resolved.problem] : []
      }),
    )
    expect(problems).toEqual([])
  })

  test('every section of an entry exists', () => {
    const known = new Set([INTRODUCTION, ...outline.sections])
    expect(entries.filter((entry) => !known.has(entry.section)).map(({ id }) => id)).toEqual([])
  })

  test('every heading has an entry of its own or below it', () => {
    const sections = entries.map((entry) => entry.section)
    const silent = outline.sections.filter(
      (heading) =>
        !sections.some((section) => section === heading || section.startsWith(`${heading} > `)),
    )
    expect(silent).toEqual([])
  })

  test('every sentence, row, rule, bullet and paragraph is cited', () => {
    const cited = citedBy(entries)
    const uncited = [...statements].filter(([key]) => !cited.has(key))
    expect(uncited.map(([key, text]) => `${key} :: ${text}`)).toEqual([])
  })

  test('everything that is shown is a requirement, whether or not a question is left', () => {
    const cited = citedBy(REQUIREMENTS)
    const unmet = [...statements].filter(
      ([key, text]) => !text.includes('not shown') && !cited.has(key),
    )
    expect(unmet.map(([key, text]) => `${key} :: ${text}`)).toEqual([])
  })

  test('everything that is called "not shown" is an open question', () => {
    const asked = citedBy(OPEN_QUESTIONS)
    const unasked = [...statements].filter(
      ([key, text]) => text.includes('not shown') && !asked.has(key),
    )
    expect(unasked.map(([key]) => key)).toEqual([])
  })

  test(`no text takes over ${RUN_WORDS} words in a row from the interface`, () => {
    const source = runsOf(interfaceText, RUN_WORDS)
    const texts = [
      ...REQUIREMENTS.map(({ id, text, excluded }) => ({ id, text: `${text} ${excluded ?? ''}` })),
      ...OPEN_QUESTIONS.map(({ id, question }) => ({ id, text: question })),
    ]
    const copied = texts.flatMap(({ id, text }) =>
      [...runsOf(text, RUN_WORDS)].filter((run) => source.has(run)).map((run) => `${id}: ${run}`),
    )
    expect(copied).toEqual([])
  })
})
