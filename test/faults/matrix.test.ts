import { describe, expect, it } from 'vitest'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { FAULT_NAMES } from '../../reference/faults/faults.ts'
import { readMatrix } from '../support/stored-matrix.ts'

const matrix = readMatrix()

/** Judges keys that checks share, which the matrix has none of: keys-of-a-file.test.ts turns it red. */
const OF_SHARED_KEYS = 'transaction-limit.lasting-headroom'

describe('the fault matrix', () => {
  it('has a row for every fault and for nothing else', () => {
    expect(Object.keys(matrix)).toEqual(FAULT_NAMES.toSorted())
  })

  it('has no dead check: each is turned red by some fault', () => {
    const red = new Set(Object.values(matrix).flatMap((row) => Object.keys(row.red)))
    const dead = [...ALL_CHECKS, ...ALL_INVARIANTS].map(({ id }) => id).filter((id) => !red.has(id))
    expect(dead).toEqual([OF_SHARED_KEYS])
  })

  it('has no fault that a check cannot cope with', () => {
    expect(Object.values(matrix).flatMap(({ errors }) => errors)).toEqual([])
  })
})
