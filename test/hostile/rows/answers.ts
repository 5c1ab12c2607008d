/** Servers whose answers take long to read, or never come. */
import { expect } from 'vitest'
import { type Front, answering } from '../../verdict/servers.ts'
import type { Row } from '../row.ts'
import { service, stranger } from '../servers.ts'

const SELECTION = ['--only', 'auth.missing-key,envelope'] as const

const HEAD = '{"status":"SUCCESS","statusCode":0,"statusMessage":"ok","traceId":"t","data":'

/** Each answer is this body. */
const each = (probe: number, what: string, body: string, says: RegExp): Row => {
  const bytes = Buffer.from(body)
  return {
    probes: [probe],
    what,
    against: () =>
      stranger(
        answering((_, response) => {
          response.setHeader('content-type', 'application/json')
          response.end(bytes)
        }),
      ),
    // Reading them would keep this process from all else.
    by: 'process',
    parameters: SELECTION,
    exit: 1,
    says: [says],
    record: { verdict: 'fail' },
  }
}

const MIB = 1024 * 1024
const DEPTH = 1_000_000

/** Right answers, then none at all. */
function silentAfter(requests: number): Front {
  let seen = 0
  return () => {
    seen += 1
    return seen > requests ? new Promise<never>(() => {}) : 'pass'
  }
}

export const ANSWERS: readonly Row[] = [
  each(24, 'one string of 16 MiB', `${HEAD}"${'a'.repeat(16 * MIB)}`, /AUTH-01 .*is refused/),
  each(
    35,
    'objects a million deep',
    `${HEAD}${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
    /AUTH-01 .*is refused/,
  ),
  each(35, 'four million values', `${HEAD}[${'0,'.repeat(4 * DEPTH)}0]}`, /AUTH-01 .*is refused/),
  each(
    35,
    'a hundred thousand members with secrets',
    `${HEAD}{${Array.from({ length: 100_000 }, (_, n) => `"m${n}":{"pin":"pin-${n}-x"}`).join(',')}}}`,
    /AUTH-01 .*is refused/,
  ),
  {
    probes: [49],
    what: 'right for 40 requests, then takes requests and answers none',
    against: () => service(silentAfter(40), { file: (file) => ({ ...file, control: undefined }) }),
    parameters: ['--only', 'auth,envelope,catalog,content-type'],
    exit: 3,
    says: [/E_ENVIRONMENT_LOST/, /stopped answering during the run/],
    record: { verdict: 'untested' },
    also: (_, record) => {
      expect(record?.checks.some(({ verdict }) => verdict === 'pass')).toBe(true)
      expect(record?.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    },
  },
]
