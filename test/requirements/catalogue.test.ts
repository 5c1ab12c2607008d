import { expect, test } from 'vitest'
import { AREAS } from '../../contract/requirements/areas.ts'
import { OPEN_QUESTIONS, REQUIREMENTS, requirementById } from '../../contract/requirements/index.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'

const ENTRIES = [...REQUIREMENTS, ...OPEN_QUESTIONS]

function areaOf(id: string): string {
  return id.replace(/-\d+$/, '')
}

test('ids are unique', () => {
  const ids = ENTRIES.map((entry) => entry.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('ids are an area and two digits', () => {
  for (const { id } of ENTRIES) expect(id).toMatch(/^[A-Z]{2,6}-\d{2}$/)
  for (const { id } of REQUIREMENTS) expect(Object.keys(AREAS)).toContain(areaOf(id))
})

test('every area has requirements, numbered from 01 without a gap', () => {
  for (const area of Object.keys(AREAS)) {
    const ids = REQUIREMENTS.map(({ id }) => id as string).filter((id) => areaOf(id) === area)
    const expected = ids.map((_, index) => `${area}-${String(index + 1).padStart(2, '0')}`)
    expect(ids.toSorted(), area).toEqual(expected)
    expect(ids, area).not.toEqual([])
  }
})

test('every entry says where it comes from', () => {
  for (const entry of ENTRIES) {
    expect(entry.section, entry.id).not.toBe('')
    expect(new Set(entry.source).size, entry.id).toBe(entry.source.length)
  }
})

test('texts are whole sentences and each is said once', () => {
  const texts = REQUIREMENTS.map((requirement) => requirement.text)
  for (const text of texts) expect(text).toMatch(/^[A-Za-z].*\.$/)
  for (const { question } of OPEN_QUESTIONS) expect(question).toMatch(/^[A-Z].*[?.]$/)
  expect(new Set(texts).size).toBe(texts.length)
})

test('an excluded requirement has a reason', () => {
  for (const { id, excluded } of REQUIREMENTS)
    if (excluded !== undefined) expect(excluded, id).toMatch(/^[A-Z].{15,}\.$/)
})

test('a question that nothing answers says why, and no other one does', () => {
  for (const { id, answeredBy, unobserved } of OPEN_QUESTIONS)
    if (answeredBy === 'nothing') expect(unobserved, id).toMatch(/^[A-Z].{15,}\.$/)
    else expect(unobserved, id).toBeUndefined()
})

test('a requirement is found by its id', () => {
  expect(requirementById('AUTH-04').text).toMatch(/expired/)
  expect(() => requirementById('NONE-99' as RequirementId)).toThrow(/NONE-99/)
})
