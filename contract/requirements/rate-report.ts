import { entries } from './entries.ts'

/** What GET /rate-limits tells. */
export const RATE_REPORT = entries('Limits', 'rate-limits', {
  'LIMIT-01': {
    section: 'Endpoints > GET /rate-limits',
    source: ['paragraph 1 sentence 1', 'Limits: row Default', 'What the service does: bullet 6'],
    text: 'GET /rate-limits reports the limits in force: the budget and window that it gives for an endpoint are those that the endpoint keeps.',
  },
  'LIMIT-02': {
    section: 'Endpoints > GET /rate-limits',
    source: ['paragraph 1 sentence 1', 'Limits: paragraph 2'],
    text: 'GET /rate-limits reports all five buckets of GET /orders: listing, filtered, unhide pending, unhide completed, unhide admission.',
  },
  'LIMIT-03': {
    source: ['rule 2 sentence 1', 'rule 2 sentence 2'],
    text: 'The reported admission count is the reported pending count plus the reported completed count.',
  },
  'LIMIT-04': {
    source: ['rule 2 sentence 1', 'rule 2 sentence 2'],
    text: 'The reported admission window is the greatest common divisor of the reported pending and completed windows.',
  },
  'LIMIT-05': {
    source: ['rule 2 sentence 3', 'rule 2 sentence 1'],
    text: 'The reported source of admission is rule if the pending or the completed budget is configured, and default if neither is.',
  },
})
