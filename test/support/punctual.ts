/**
 * A busy machine begins the sessions of an open model late, and the run says so: it is inconclusive (exit 6). Tests of what else such a
 * run leaves take that as well. Whether lateness is told by its figures is held in harness/load/open-model/result.test.ts.
 */
import { expect } from 'vitest'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { Ended } from '../verdict/command-line.ts'

const LATE = /^One session in a hundred began \d+ ms late or more, \d+ ms are allowed/

/** The scenario passed, but for sessions that began late. */
export function expectHeld({ verdict, reason }: LoadResult): void {
  expect(verdict, reason).toBe(LATE.test(reason) ? 'inconclusive' : 'pass')
}

/** The run was green, but for sessions that began late. */
export async function expectGreen(ended: Ended): Promise<void> {
  const { load } = await ended.record()
  load.forEach(expectHeld)
  const isGreen = load.every(({ verdict }) => verdict === 'pass')
  expect(ended.code, ended.out + ended.err).toBe(isGreen ? 0 : 6)
}
