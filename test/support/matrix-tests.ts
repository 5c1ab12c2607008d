import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, FAULT_NAMES, type FaultName } from '../../reference/faults.ts'
import { isFound, passedClean, rowOf, type MatrixRow } from './fault-matrix.ts'

const FILE = path.join(import.meta.dirname, '..', 'faults', 'matrix.json')

/** Every `of`-th fault from `shard` on, against every check: what turns red is what test/faults/matrix.json says. */
export function matrixTests(shard: number, of: number): void {
  const expected = JSON.parse(readFileSync(FILE, 'utf8')) as Record<
    string,
    Omit<MatrixRow, 'fault'>
  >
  const mine = FAULT_NAMES.filter((_, index) => index % of === shard)
  let clean: ReadonlySet<string> = new Set()

  describe(`faults against checks, part ${shard + 1} of ${of}`, () => {
    beforeAll(async () => {
      clean = await passedClean()
    })

    it.each(mine)('%s', async (fault: FaultName) => {
      const { fault: _name, ...row } = await rowOf(fault, clean)
      expect(
        isFound({ fault, ...row }),
        `no check found that ${FAULTS[fault].breaks} is broken`,
      ).toBe(true)
      expect(row, 'run npm run faults -- --write, and review what changed').toEqual(expected[fault])
    })
  })
}
