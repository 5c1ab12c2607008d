import { describe, expect, it } from 'vitest'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { FAULT_NAMES, isFaultName } from '../../reference/faults/faults.ts'
import { UNDER_LOAD_FAULTS } from '../../reference/faults/under-load.ts'
import { FORMER_FAULTS } from '../../reference/faults/former-names.ts'
import {
  FORMER_IDS,
  mergedMatrix,
  readMatrix,
  readTable,
  tableOf,
} from '../support/stored-matrix.ts'

const matrix = readMatrix()

/** They judge keys that checks share, which the matrix has none of: keys-of-a-file.test.ts turns them red. */
const OF_SHARED_KEYS = ['limits.orders-at-once', 'transaction-limit.lasting-headroom']

describe('the fault matrix', () => {
  it('has a row for every fault and for nothing else', () => {
    expect(Object.keys(matrix)).toEqual(FAULT_NAMES.toSorted())
  })

  it('takes up rows of its faults alone', () => {
    const [first, second] = FAULT_NAMES
    const [underLoad] = Object.keys(UNDER_LOAD_FAULTS) as (keyof typeof UNDER_LOAD_FAULTS)[]
    if (!first || !second || !underLoad) throw new Error('there are faults of both kinds')
    const row = { breaks: 'AUTH-01', red: {}, traffic: [], errors: [] }
    const run = [second, underLoad].map((fault) => ({ ...row, fault, undecided: ['a.b'] }))
    expect(mergedMatrix({ [first]: row, gone: row }, run)).toEqual({ [first]: row, [second]: row })
  })

  it('is published as it is stored', () => {
    expect(readTable()).toBe(tableOf(matrix))
  })

  it('gives former names to nothing that exists', () => {
    const ids = FORMER_IDS.map(([former]) => former)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set([...ALL_CHECKS, ...ALL_INVARIANTS].map(({ id }) => id))
    expect(ids.filter((id) => known.has(id))).toEqual([])
    expect(Object.keys(FORMER_FAULTS).filter(isFaultName)).toEqual([])
  })

  it('has no dead check: each is turned red by some fault', () => {
    const red = new Set(Object.values(matrix).flatMap((row) => Object.keys(row.red)))
    const dead = [...ALL_CHECKS, ...ALL_INVARIANTS].map(({ id }) => id).filter((id) => !red.has(id))
    expect(dead).toEqual(OF_SHARED_KEYS)
  })

  it('has no fault that a check cannot cope with', () => {
    expect(Object.values(matrix).flatMap(({ errors }) => errors)).toEqual([])
  })
})
