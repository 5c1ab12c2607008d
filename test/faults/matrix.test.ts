import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { FAULT_NAMES } from '../../reference/faults.ts'
import type { MatrixRow } from '../support/fault-matrix.ts'

const MATRIX = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'matrix.json'), 'utf8'),
) as Record<string, Omit<MatrixRow, 'fault'>>

describe('the fault matrix', () => {
  it('has a row for every fault and for nothing else', () => {
    expect(Object.keys(MATRIX)).toEqual(FAULT_NAMES.toSorted())
  })

  it('has no dead check: each is turned red by some fault', () => {
    const red = new Set(Object.values(MATRIX).flatMap((row) => Object.keys(row.red)))
    const dead = [...ALL_CHECKS, ...ALL_INVARIANTS].map(({ id }) => id).filter((id) => !red.has(id))
    expect(dead).toEqual([])
  })
})
