import { existsSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..', '..')

/** Files that take longer than 20 s in a whole run, the longest first. Those that start late would keep one core waiting at the end. */
const SLOWEST = [
  'test/hostile/hostile.test.ts',
  'test/canary/canary.test.ts',
  'test/load/instances.test.ts',
  'test/faults/variants.test.ts',
  'test/container/container.test.ts',
  'test/capacity/command-line.test.ts',
  'test/load/scenario-faults.test.ts',
  'test/under-load/faults.test.ts',
  'test/verdict/interruption.test.ts',
  'test/faults/slow.test.ts',
  'test/report/accessibility.test.ts',
  'test/plan/suite-bound.test.ts',
  'test/verdict/under-load.test.ts',
  'test/verdict/first-run.test.ts',
  'test/verdict/bounds.test.ts',
  'test/gentle/production.test.ts',
  'test/load/load-faults.test.ts',
].map((file) => path.join(ROOT, file))

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = SLOWEST.filter((file) => !existsSync(file))
    if (gone.length > 0) throw new Error(`Listed as slow, but not there: ${gone.join(', ')}`)
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = SLOWEST.indexOf(moduleId)
      return rank < 0 ? SLOWEST.length : rank
    }
    // oxlint-disable-next-line no-array-sort -- it is no array's, and returns a new one
    const others = await super.sort(files)
    return others.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
