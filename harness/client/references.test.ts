import { describe, expect, test } from 'vitest'
import { referenceIdOf, REFERENCE_FORMS } from '../../contract/reference-id.ts'
import { newReferences } from './references.ts'

const SHAPES = {
  uuid: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  alphanumeric: /^[\da-f]{17}$/,
  digits: /^\d{19}$/,
} as const

describe.each(REFERENCE_FORMS)('references of the form %s', (form) => {
  test('look like it', () => {
    expect(referenceIdOf(newReferences(form), 12, 3456)).toMatch(SHAPES[form])
    expect(referenceIdOf({ form, mark: 'ffffffff' }, 999, 999_999)).toMatch(SHAPES[form])
  })

  test('differ by run, group and number', () => {
    const runs = [newReferences(form), newReferences(form)]
    const ids = runs.flatMap((references) =>
      [0, 1, 999].flatMap((group) =>
        [0, 1, 10, 999_999].map((number) => referenceIdOf(references, group, number)),
      ),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})
