import { expect, test } from 'vitest'
import type { OpenQuestion, Requirement } from '../contract/requirements/types.ts'
import { coverageOf } from './requirements-coverage.ts'

function requirement(id: string, more: Partial<Requirement> = {}): Requirement {
  return {
    id,
    section: 'Errors',
    source: ['paragraph 1'],
    level: 'must',
    text: 'Something holds.',
    capability: 'base',
    ...more,
  }
}

const question: OpenQuestion = {
  id: 'OPEN-01',
  area: 'AUTH',
  section: 'Errors',
  source: ['paragraph 1'],
  question: 'Which?',
  answeredBy: 'observed',
}

const catalogue = {
  areas: { ENV: 'Envelope', AUTH: 'Keys' },
  requirements: [
    requirement('ENV-01'),
    requirement('ENV-02', { level: 'typical' }),
    requirement('AUTH-01', { level: 'may' }),
    requirement('AUTH-02', { excluded: 'Nobody sees it.' }),
  ],
  openQuestions: [question],
}

test('counts levels, exclusions and questions by area and in total', () => {
  const { areas, total } = coverageOf(catalogue, [{ name: 'check one', requirements: ['ENV-01'] }])
  expect(areas).toEqual([
    {
      area: 'ENV',
      title: 'Envelope',
      requirements: 2,
      levels: { must: 1, typical: 1, may: 0 },
      excluded: 0,
      openQuestions: 0,
      visible: 2,
      covered: 1,
    },
    {
      area: 'AUTH',
      title: 'Keys',
      requirements: 2,
      levels: { must: 1, typical: 0, may: 1 },
      excluded: 1,
      openQuestions: 1,
      visible: 1,
      covered: 0,
    },
  ])
  expect(total).toMatchObject({ requirements: 4, excluded: 1, openQuestions: 1, visible: 3 })
})

test('uncovered is what a client can see and nobody cites, in catalogue order', () => {
  const coverage = coverageOf(catalogue, [{ name: 'a', requirements: ['AUTH-01'] }])
  expect(coverage.uncovered).toEqual(['ENV-01', 'ENV-02'])
  expect(coverageOf(catalogue, []).uncovered).toEqual(['ENV-01', 'ENV-02', 'AUTH-01'])
})

test('a requirement counts once, however often and by whom it is cited', () => {
  const coverage = coverageOf(catalogue, [
    { name: 'a', requirements: ['ENV-01', 'ENV-01'] },
    { name: 'b', requirements: ['ENV-01'] },
  ])
  expect(coverage.total.covered).toBe(1)
  expect(coverage.citedBy).toEqual({ 'ENV-01': ['a', 'b'] })
})

test('citations of unknown and of excluded requirements are named and cover nothing', () => {
  const coverage = coverageOf(catalogue, [{ name: 'a', requirements: ['NONE-01', 'AUTH-02'] }])
  expect(coverage.dangling).toEqual([
    { by: 'a', id: 'NONE-01', reason: 'unknown' },
    { by: 'a', id: 'AUTH-02', reason: 'excluded' },
  ])
  expect(coverage.total.covered).toBe(0)
})
