import { entries } from './entries.ts'

const OPERATIONS = 'Endpoints > Item lookup and single item'

/** Looking up items by id. */
export const LOOKUP = entries('Resources and their fields > ItemLookupResponse', 'item-lookup', {
  'LOOK-01': {
    source: ['paragraph 1', 'Endpoints > Item lookup and single item: paragraph 1 sentence 1'],
    text: 'The data of an item lookup has items, an array.',
  },
  'LOOK-02': {
    source: ['row serviceId'],
    text: 'Each looked-up element has a serviceId, a string.',
  },
  'LOOK-03': {
    source: ['row itemId'],
    text: 'Each looked-up element has an itemId, a string.',
  },
  'LOOK-04': {
    source: ['row found'],
    text: 'Each looked-up element has found, a boolean.',
  },
  'LOOK-05': {
    source: ['row item'],
    text: 'item of a looked-up element is a product item, null, or left out.',
  },
  'LOOK-06': {
    source: ['row error', 'Errors: bullet 2'],
    text: 'error of a looked-up element is service_not_found, item_not_found, upstream_error, null, or left out.',
  },
  'LOOK-07': {
    section: OPERATIONS,
    source: ['paragraph 1 sentence 1'],
    text: 'A lookup goes by service id and item id: the answer to a pair has an element with that pair.',
  },
  'LOOK-08': {
    section: OPERATIONS,
    source: ['paragraph 1 sentence 1'],
    text: 'The data of the single-item operation is itself a product item.',
  },
})
