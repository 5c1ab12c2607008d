/**
 * Faults that show only while other accounts keep the service busy: at rest every check passes. The numbers are what a service of
 * this size may hold; a suite at rest stays below them, traffic of some tens of orders a second does not.
 */
import { fault, type FaultFact } from './fact.ts'

export const UNDER_LOAD_FAULTS = {
  'busy-references-evicted': fault(
    'IDEM-03',
    'replays are recognised for the newest 500 orders of all accounts',
  ),
  'busy-unhide-budgets-evicted': fault(
    'RATE-02',
    'unhide budgets are kept for 100 orders of all accounts, the oldest goes first',
  ),
  'busy-window-counters-evicted': fault(
    'RATE-02',
    'windows and unhide budgets share a table of 400 counters, the oldest goes first',
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
} as const satisfies Record<string, FaultFact>

export type UnderLoadFaultName = keyof typeof UNDER_LOAD_FAULTS
export const UNDER_LOAD_FAULT_NAMES = Object.keys(
  UNDER_LOAD_FAULTS,
) as readonly UnderLoadFaultName[]

/** How much the faults hold, and how fast they work. */
export const CROWDED = {
  references: 500,
  unhideBudgets: 100,
  counters: 400,
  finishing: { perSecond: 10, max: 150 },
  queue: { perSecond: 10, max: 1000 },
} as const
