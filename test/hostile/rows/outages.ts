/** Servers that begin well and do not stay so. */
import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { forgetting, restarting } from '../servers.ts'

/** Checks that read an order again. */
const FORGETFUL = ['--only', 'orders,idempotency,envelope,cart']

export const OUTAGES: readonly Row[] = [
  {
    probes: [51],
    what: 'a restart half way that forgets all: named with its time, and nothing blamed for it',
    against: () => restarting(80, 15),
    parameters: ['--only', 'orders,idempotency,envelope'],
    exit: 6,
    says: [
      /! The target was not there (?:for [\d.]+ s )?at \d{4}-.* without an answer: .*ECONNREFUSED/,
    ],
    record: { verdict: 'inconclusive' },
    also: (_, record) => {
      expect(record?.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([])
      // On a busy machine the new service comes so late that the run is given up.
      const open = record?.checks.filter(({ reason = '' }) =>
        /was not there|stopped answering/.test(reason),
      )
      expect(open?.length).toBeGreaterThan(3)
    },
  },
  {
    probes: [51],
    what: 'all orders gone, and no connection broken: that is the fault of the service',
    against: () => forgetting(130),
    parameters: FORGETFUL,
    exit: 1,
    says: [/breaks \d+ of/],
    record: { verdict: 'fail' },
  },
]
