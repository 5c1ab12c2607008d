import type { Requirement } from './types.ts'

const RESPONSE = 'Resources and their fields > ItemLookupResponse'
const OPERATIONS = 'Endpoints > Item lookup and single item'

/** Looking up items by id. */
export const LOOKUP = [
  {
    id: 'LOOK-01',
    section: RESPONSE,
    source: ['paragraph 1', 'Endpoints > Item lookup and single item: paragraph 1 sentence 1'],
    level: 'must',
    text: 'The data of an item lookup has items, an array.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-02',
    section: RESPONSE,
    source: ['row serviceId'],
    level: 'must',
    text: 'Each looked-up element has a serviceId, a string.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-03',
    section: RESPONSE,
    source: ['row itemId'],
    level: 'must',
    text: 'Each looked-up element has an itemId, a string.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-04',
    section: RESPONSE,
    source: ['row found'],
    level: 'must',
    text: 'Each looked-up element has found, a boolean.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-05',
    section: RESPONSE,
    source: ['row item'],
    level: 'must',
    text: 'item of a looked-up element is a product item, null, or left out.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-06',
    section: RESPONSE,
    source: ['row error', 'Errors: bullet 2'],
    level: 'must',
    text: 'error of a looked-up element is service_not_found, item_not_found, upstream_error, null, or left out.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-07',
    section: OPERATIONS,
    source: ['paragraph 1 sentence 1'],
    level: 'must',
    text: 'A lookup goes by service id and item id: the answer to a pair has an element with that pair.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
  {
    id: 'LOOK-08',
    section: OPERATIONS,
    source: ['paragraph 1 sentence 1'],
    level: 'must',
    text: 'The data of the single-item operation is itself a product item.',
    capability: 'item-lookup',
    needs: { roles: ['full'], products: ['voucher'] },
  },
] as const satisfies readonly Requirement[]
