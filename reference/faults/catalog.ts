import { type FaultFact, fault } from './fact.ts'

/** What is wrong only where the catalog is filtered, or paged in one way. */
export const CATALOG_FAULTS = {
  'services-search-in-ids': fault('CAT-07', 'search looks at the ids of services too'),
  'services-typed-pages-ignore-search': fault(
    'CAT-13',
    'pages of one type are of all that has it, whatever is searched for',
  ),
  'services-filtered-limit-alone-ignored': fault(
    'CAT-09',
    'limit without offset is ignored beside a filter',
  ),
  'services-filtered-offset-alone-ignored': fault(
    'CAT-10',
    'offset without limit is ignored beside a filter',
  ),
  'services-offset-alone-is-one': fault('CAT-10', 'offset without limit is never more than one'),
  'services-total-of-search-ignores-type': fault(
    'CAT-13',
    'total of a search does not look at the type',
  ),
  'services-searched-later-pages-empty': fault('CAT-14', 'later pages of a search are empty'),
  'services-typed-later-pages-repeat': fault(
    'CAT-14',
    'later pages of one type begin with the last product of the page before',
  ),
  'services-later-esims-among-others': fault(
    'CAT-14',
    'later pages of eSIMs have products of every type',
  ),
  'services-search-quote-fails': fault('CAT-07', 'a search for an apostrophe is answered by 500'),
  'services-search-emoji-fails': fault(
    'CAT-07',
    'a search for a character of four bytes is answered by 500',
  ),
} as const satisfies Record<string, FaultFact>
