/** Targets that offer little, and servers that always say yes. */
import type { Row } from '../row.ts'
import { service } from '../servers.ts'

export const MINIMAL: readonly Row[] = [
  {
    probes: [19],
    what: 'no key at all, where those that are missing may be left out',
    against: () => service(undefined, { roles: [] }),
    parameters: ['--allow-missing-credentials'],
    by: 'turn',
    exit: 2,
    says: [/E_TARGET_/],
    record: 'none',
  },
  {
    probes: [20],
    what: 'only the key of full, where most checks need others',
    against: () => service(undefined, { file: onlyFull, roles: ['full'] }),
    parameters: ['--only', 'auth.missing-key,auth.revoked-key'],
    by: 'turn',
    exit: 5,
    says: [/1 of \d+ requirements in scope were decided/, /Not decided: AUTH-03/],
    record: { verdict: 'untested' },
  },
  {
    probes: [17],
    what: 'a profile of which nothing applies',
    against: () => service(undefined, { file: (file) => ({ ...file, capabilities: ['base'] }) }),
    parameters: ['--profile', 'funds'],
    exit: 5,
    says: [
      /None of the \d+ selected checks .* applies to this target/,
      /Next: Declare what the target has/,
    ],
    record: { verdict: 'untested' },
  },
  {
    probes: [21],
    what: 'only the key of full, with a floor that few decisions reach',
    against: () => service(undefined, { file: onlyFull, roles: ['full'] }),
    by: 'turn',
    parameters: ['--only', 'auth.missing-key,auth.revoked-key', '--floor', '1'],
    exit: 0,
    says: [
      /1 of 2 requirements in scope were decided \(50 %\)\. None of these is broken/,
      /Next: The verdict covers that share alone/,
    ],
    record: { verdict: 'pass' },
  },
]

function onlyFull(file: Record<string, unknown>): unknown {
  return { ...file, credentials: { full: { env: 'ORDERING_KEY_FULL' } } }
}
