/** Time and memory of importing and judging evidence, in a process of its own. */
import { fixedLattice, leaking, seeded, tokenBucket } from '../test/support/limiter-simulator.ts'
import type { Limiter } from '../test/support/limiter-simulator.ts'
import type { Verdict } from '../schemas/generated/run-record.ts'
import { importInChild, type ImportResult } from './import-in-child.ts'
import { writeEvidence } from './load-evidence.ts'

export const IMPORT_LIMIT = { count: 1000, windowSeconds: 60 } as const

export const IMPORT_CASES = [
  { name: '8 quotas, conforming', streams: 8, limiter: conforming, verdict: 'pass' },
  { name: '1 quota, conforming', streams: 1, limiter: conforming, verdict: 'pass' },
  { name: '8 quotas, each leaking 2 %', streams: 8, limiter: leakingOne, verdict: 'fail' },
  { name: '1 quota, a token bucket', streams: 1, limiter: bucket, verdict: 'fail' },
] as const satisfies readonly {
  readonly name: string
  readonly streams: number
  readonly limiter: (stream: number) => Limiter
  readonly verdict: Verdict
}[]
export type ImportCase = (typeof IMPORT_CASES)[number]

function conforming(stream: number): Limiter {
  return fixedLattice(IMPORT_LIMIT.count, 1000 * IMPORT_LIMIT.windowSeconds, 7000 * stream + 700)
}

function leakingOne(stream: number): Limiter {
  return leaking(conforming(stream), 0.02, seeded(stream))
}

function bucket(): Limiter {
  return tokenBucket(IMPORT_LIMIT.count, 1000 * IMPORT_LIMIT.windowSeconds)
}

export function measureImport(each: ImportCase, exchanges: number): Promise<ImportResult> {
  return importInChild(each, 'load-import-child.ts', async (file) => {
    const limiters = Array.from({ length: each.streams }, (_, stream) => each.limiter(stream))
    await writeEvidence(file, { limiters, limit: IMPORT_LIMIT, exchanges })
    return [file, String(each.streams)]
  })
}
