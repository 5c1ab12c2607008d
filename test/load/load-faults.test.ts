/** The table of load scenarios and faults: complete, as published, and as a run of today shows it. */
import { describe, expect, test } from 'vitest'
import { isFound } from '../support/fault-matrix.ts'
import { readMatrix, type StoredRow } from '../support/stored-matrix.ts'
import {
  brokenBy,
  carryOut,
  findersOf,
  LOAD_FAULTS,
  pageOf,
  readPage,
  readTable,
  RUN_NAMES,
} from './load-faults.ts'

const table = readTable()

describe('the table', () => {
  test('has a row for each fault that load is about, and for no other', () => {
    expect(Object.keys(table)).toEqual(LOAD_FAULTS.toSorted())
  })

  test('has no fault that the checks do not find at rest', () => {
    const matrix = readMatrix()
    const missed = LOAD_FAULTS.filter((fault) => !isFound(matrix[fault] as StoredRow))
    expect(missed).toEqual([])
  })

  test('is published as it is stored', () => {
    expect(readPage()).toBe(pageOf(table))
  })
})

describe('in virtual time', () => {
  test.each(RUN_NAMES)('%s passes without a fault', async (name) => {
    const { verdict, reason, requests } = await carryOut(name, [])
    expect(verdict, reason).toBe('pass')
    expect(requests.sent).toBeGreaterThanOrEqual(requests.planned)
  })

  const found = LOAD_FAULTS.flatMap((fault) => {
    // The windows and what is stressed take longest, and others find most of theirs as well.
    const finders = findersOf(fault, table[fault] ?? {})
    const scenario = finders.findLast((name) => !name.endsWith('stress')) ?? finders[0]
    return scenario === undefined ? [] : [{ fault, scenario }]
  })
  test.each(found)('$scenario finds $fault', async ({ fault, scenario }) => {
    expect(await brokenBy(scenario, fault)).toEqual(table[fault]?.[scenario])
  })
})
