import { entries } from './entries.ts'

const LIST_ITEM = 'Resources and their fields > Order list item'

/** Reading orders: selection, visibility and masking. */
export const GET_ORDERS = entries('Endpoints > GET /api/v1/orders', 'base', {
  'GET-01': {
    source: [
      'paragraph 1 sentence 1',
      'paragraph 2 sentence 1',
      'Resources and their fields > Order list item: paragraph 1 sentence 1',
    ],
    text: 'A successful reading of orders has an array at data.page.items.',
  },
  'GET-02': {
    section: LIST_ITEM,
    source: ['paragraph 1 sentence 1', 'Resources and their fields > Envelope: paragraph 1'],
    text: 'Each item of the list has a status, one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED.',
  },
  'GET-03': {
    source: ['row orderId'],
    text: 'orderId selects that one order and no other.',
  },
  'GET-04': {
    source: ['row referenceId'],
    text: 'referenceId selects the order that was created under it and no other.',
  },
  'GET-05': {
    source: ['row referenceId'],
    text: 'The reference of a checkout selects all of its orders and no other.',
    capability: 'cart',
  },
  'GET-06': {
    source: ['paragraph 2 sentence 2', 'Limits: rule 6 sentence 2'],
    text: 'The reference of a checkout together with the orderId of one of its orders selects that order only.',
    capability: 'cart',
  },
  'GET-07': {
    source: ['paragraph 1 sentence 3'],
    text: 'An order can be read with the key that created it.',
  },
  'GET-08': {
    source: ['paragraph 1 sentence 3'],
    text: 'Another key of the same account does not find an order by its orderId.',
  },
  'GET-09': {
    source: ['paragraph 1 sentence 3'],
    text: 'Another key of the same account does not find an order by its referenceId.',
  },
  'GET-10': {
    source: ['paragraph 1 sentence 3'],
    text: 'Another key of the same account does not see an order in its unfiltered listing.',
  },
  'GET-11': {
    source: ['paragraph 1 sentence 3'],
    text: 'A key of another account does not find an order, neither by orderId nor by referenceId.',
  },
  'GET-12': {
    source: ['row unhide'],
    text: 'Without unhide no code of an order appears in clear anywhere in the answer.',
    capability: 'unhide',
  },
  'GET-13': {
    source: ['row unhide'],
    text: 'With unhide=false no code of an order appears in clear anywhere in the answer.',
    capability: 'unhide',
  },
})
