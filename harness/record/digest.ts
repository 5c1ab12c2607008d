import { createHash } from 'node:crypto'
import type { RunRecord } from '../../schemas/generated/run-record.ts'

/** The record with the digest of all its other members. */
export function sealed(record: RunRecord): RunRecord {
  const { digest: _digest, ...rest } = record
  return { ...rest, digest: digestOf(rest) }
}

/** Whether the members are those that were sealed; undefined for a record without a digest. */
export function isAsSealed(record: RunRecord): boolean | undefined {
  const { digest, ...rest } = record
  return digest === undefined ? undefined : digest === digestOf(rest)
}

function digestOf(rest: Omit<RunRecord, 'digest'>): string {
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex')
}
