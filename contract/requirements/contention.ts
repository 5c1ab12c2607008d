import { entries } from './entries.ts'

/** Orders on one key that get in each other's way. */
export const CONTENTION = entries('Errors', 'base', {
  'BUSY-01': {
    source: ['row 429 #2', 'bullet 6', 'Versioning: bullet 4'],
    text: 'Orders that contend on one key are refused, if at all, with HTTP 429 and statusCode 8, never with 502 or another 5xx.',
  },
  'BUSY-02': {
    source: ['row 429 #2', 'bullet 7 sentence 1', 'Versioning: bullet 4'],
    text: 'The 429 of contention has a Retry-After in whole seconds.',
  },
  'BUSY-03': {
    source: ['row 429 #2'],
    level: 'typical',
    text: 'The Retry-After of contention is 1.',
  },
  'BUSY-04': {
    source: ['row 429 #2'],
    text: 'An order refused for contention was not created: its referenceId finds nothing.',
  },
  'BUSY-05': {
    source: ['row 429 #2'],
    text: 'An order refused for contention consumed no quota: the headroom of the key is what the accepted orders leave.',
    capability: 'transaction-limit',
  },
  'BUSY-06': {
    source: ['row 429 #2', 'bullet 6', 'bullet 7 sentence 2'],
    text: 'An order refused for contention can be sent again under its referenceId after Retry-After, and is then created.',
  },
  'BUSY-07': {
    source: ['row 429 #2'],
    text: 'Contention needs company: an order that no other order on its key overlaps is not refused for it.',
  },
  'BUSY-08': {
    source: ['row 429 #2'],
    text: 'Contention is brief: among orders sent together on one key at least one is decided, and the rest are after retries.',
  },
})
