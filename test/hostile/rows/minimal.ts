/** Targets that offer little, and servers that always say yes. */
import type { Row } from '../row.ts'
import { service } from '../servers.ts'

export const MINIMAL: readonly Row[] = [
  {
    probes: [20],
    what: 'only the key of full, where most checks need others',
    against: () => service(undefined, { file: onlyFull, roles: ['full'] }),
    parameters: ['--only', 'auth.missing-key,auth.revoked-key'],
    by: 'process',
    exit: 5,
    says: [/Too little was verified: 1 of \d+/, /undecided: /],
    record: { verdict: 'untested' },
  },
]

function onlyFull(file: Record<string, unknown>): unknown {
  return { ...file, credentials: { full: { env: 'ORDERING_KEY_FULL' } } }
}
