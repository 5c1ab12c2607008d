/**
 * Faults that show only while other accounts keep the service busy: at rest every check passes. The numbers are what a service of
 * this size may hold; a suite at rest stays below them, traffic of some tens of orders a second does not.
 */
import { fault, type FaultFact } from './fact.ts'

export const UNDER_LOAD_FAULTS = {
  'busy-references-evicted': fault(
    'IDEM-03',
    'replays are recognised for the newest 800 orders of all accounts',
  ),
  'busy-unhide-budgets-evicted': fault(
    'RATE-02',
    'unhide budgets are kept for 100 orders of all accounts, the oldest goes first',
  ),
  'busy-window-counters-evicted': fault(
    'RATE-02',
    'windows and unhide budgets share a table of 600 counters, the oldest goes first',
  ),
  'busy-orders-stay-pending': fault(
    'STATE-02',
    'orders that complete later are finished 10 a second, and what finds 150 waiting is forgotten',
  ),
  'busy-charges-lost': fault(
    'CAP-13',
    'charges are booked by a queue that takes 10 a second, and what finds 1000 waiting is lost',
  ),
  'busy-references-unstored': fault(
    'IDEM-05',
    'references are stored by a queue that takes 10 a second, and what finds 1000 waiting is lost',
  ),
  'busy-reads-mix-keys': fault(
    'GET-08',
    'a busy service reads orders from a cache of the account',
    { also: ['GET-09'] },
  ),
  'busy-codes-cached': fault(
    'GET-12',
    'a busy service reads orders from a cache, which keeps the codes of reads with unhide=true',
    { also: ['GET-13'] },
  ),
  'busy-admission-skipped': fault('UNHIDE-17', 'a busy service does not count unhide attempts'),
  'busy-polls-counted-twentyfold': fault(
    'UNHIDE-24',
    'a busy service counts each unhide read of a pending order twenty times',
  ),
  'busy-check-timeouts-answer-502': fault(
    'CHECK-05',
    'a busy service answers the check of a silent provider by 502',
  ),
  'busy-check-timeouts-bare': fault(
    'CHECK-06',
    'the 504 of a busy service has statusCode 12 and no Retry-After',
    { also: ['CHECK-07'] },
  ),
  'busy-check-timeouts-buy-later': fault(
    'CHECK-08',
    'a busy service buys what was checked when its silent provider answers at last',
  ),
  'busy-check-timeouts-use-cap': fault(
    'CHECK-09',
    'a busy service keeps the headroom that it held for the check of a silent provider',
  ),
  'busy-listings-of-last-reader': fault(
    'GET-10',
    'a busy service shows a key what another of its account listed last',
  ),
  'busy-report-of-defaults': fault('LIMIT-01', 'a busy service reports the default limits'),
} as const satisfies Record<string, FaultFact>

export type UnderLoadFaultName = keyof typeof UNDER_LOAD_FAULTS
export const UNDER_LOAD_FAULT_NAMES = Object.keys(
  UNDER_LOAD_FAULTS,
) as readonly UnderLoadFaultName[]

/** How much the faults hold, and how fast they work. */
export const CROWDED = {
  references: 800,
  unhideBudgets: 100,
  counters: 600,
  finishing: { perSecond: 10, max: 150 },
  queue: { perSecond: 10, max: 1000 },
  /** Orders that wait to be booked make the service busy. */
  busy: { perSecond: 10, max: 900 },
} as const
