/** Faults of how long a window of one bucket is, and of the wait that refusals tell. */
import { type FaultFact, fault } from './fact.ts'

export const WINDOW_FAULTS = {
  'default-window-half': fault('RATE-02', 'default windows are half as long'),
  'listing-window-half': fault('RATE-02', 'the window of the listing is half as long'),
  'filtered-window-half': fault('RATE-02', 'the window of masked reads is half as long'),
  'check-window-half': fault('RATE-02', 'the window of checks is half as long'),
  'admission-window-half': fault('RATE-02', 'the admission window is half as long'),
  'admission-one-more': fault('UNHIDE-19', 'admission takes one attempt more than is reported'),
  'carts-unlimited': fault('RATE-02', 'checkouts are never refused by a window'),
  'retry-after-milliseconds': fault('RATE-07', 'Retry-After counts milliseconds'),
} as const satisfies Record<string, FaultFact>
