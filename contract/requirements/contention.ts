import type { Requirement } from './types.ts'

const ERRORS = 'Errors'

/** Orders on one key that get in each other's way. */
export const CONTENTION = [
  {
    id: 'BUSY-01',
    section: ERRORS,
    source: ['row 429 #2', 'bullet 6', 'Versioning: bullet 4'],
    level: 'must',
    text: 'Orders that contend on one key are refused, if at all, with HTTP 429 and statusCode 8, never with 502 or another 5xx.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-02',
    section: ERRORS,
    source: ['row 429 #2', 'bullet 7 sentence 1', 'Versioning: bullet 4'],
    level: 'must',
    text: 'The 429 of contention has a Retry-After in whole seconds.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-03',
    section: ERRORS,
    source: ['row 429 #2'],
    level: 'typical',
    text: 'The Retry-After of contention is 1.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-04',
    section: ERRORS,
    source: ['row 429 #2'],
    level: 'must',
    text: 'An order refused for contention was not created: its referenceId finds nothing.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-05',
    section: ERRORS,
    source: ['row 429 #2'],
    level: 'must',
    text: 'An order refused for contention consumed no quota: the headroom of the key is what the accepted orders leave.',
    capability: 'transaction-limit',
    needs: { roles: ['capped'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-06',
    section: ERRORS,
    source: ['row 429 #2', 'bullet 6', 'bullet 7 sentence 2'],
    level: 'must',
    text: 'An order refused for contention can be sent again under its referenceId after Retry-After, and is then created.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-07',
    section: ERRORS,
    source: ['row 429 #2'],
    level: 'must',
    text: 'Contention needs company: an order that no other order on its key overlaps is not refused for it.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
  {
    id: 'BUSY-08',
    section: ERRORS,
    source: ['row 429 #2'],
    level: 'must',
    text: 'Contention is brief: among orders sent together on one key at least one is decided, and the rest are after retries.',
    capability: 'base',
    needs: { roles: ['full'], products: ['voucher'], purchase: true },
  },
] as const satisfies readonly Requirement[]
