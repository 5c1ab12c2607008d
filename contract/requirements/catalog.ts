import { entries } from './entries.ts'

/** Listing the catalog: filters, pages and totals. */
export const CATALOG = entries('Endpoints > GET /api/v1/services', 'catalog', {
  'CAT-01': {
    source: ['paragraph 1 sentence 1', 'What the service does: bullet 1'],
    text: 'The services listing answers with the products of the catalog: a product that the target sells is among them.',
  },
  'CAT-02': {
    source: ['bullet 1', 'Versioning: bullet 2'],
    text: 'Asked without any query parameter, the listing is whole: it has every product that paging through it finds.',
  },
  'CAT-03': {
    source: ['row type'],
    text: 'type=voucher leaves only vouchers.',
  },
  'CAT-04': {
    source: ['row type'],
    text: 'type=direct_topup leaves only direct top-ups.',
  },
  'CAT-05': {
    source: ['row type', 'bullet 3'],
    text: 'type=esim leaves only eSIM products.',
  },
  'CAT-06': {
    source: ['row search'],
    text: 'search keeps the products whose service name contains the given text anywhere.',
  },
  'CAT-07': {
    source: ['row search'],
    text: 'search drops the products whose service name does not contain the given text: a text that no name contains leaves none.',
  },
  'CAT-08': {
    source: ['row search'],
    text: 'search does not tell upper from lower case: both spellings of a text find the same products.',
  },
  'CAT-09': {
    source: ['row limit'],
    text: 'limit is the size of a page: a page never has more products, and has exactly that many while so many are left.',
  },
  'CAT-10': {
    source: ['row offset'],
    text: 'offset is where the page starts: the first product at offset n is the one after the first n.',
  },
  'CAT-11': {
    source: ['bullet 2'],
    text: 'With limit alone the response also has total.',
  },
  'CAT-12': {
    source: ['bullet 2'],
    text: 'With offset alone the response also has total.',
  },
  'CAT-13': {
    source: ['bullet 2'],
    text: 'total counts the products that pass the filters, not those of the page and not the whole catalog.',
  },
  'CAT-14': {
    source: ['bullet 2'],
    text: 'Paging forward by limit until total is reached shows each matching product once and leaves none out.',
  },
  'CAT-15': {
    source: ['bullet 3'],
    text: 'The price of an eSIM product is given in USD.',
    capability: 'esim',
  },
  'CAT-16': {
    source: ['bullet 3'],
    level: 'may',
    text: 'An eSIM product may have an imageUrl.',
    capability: 'esim',
  },
  'CAT-17': {
    source: ['bullet 1', 'Versioning: bullet 2'],
    text: 'Filters and pages came as additions: the listing without parameters still has the shape that older clients read.',
    excluded: 'The older shape itself is not described, so nothing can be compared with it.',
  },
})
