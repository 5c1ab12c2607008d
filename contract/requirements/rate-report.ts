import type { Requirement } from './types.ts'

const SECTION = 'Limits'

/** What GET /rate-limits tells. */
export const RATE_REPORT = [
  {
    id: 'LIMIT-01',
    section: 'Endpoints > GET /rate-limits',
    source: ['paragraph 1 sentence 1', 'Limits: row Default', 'What the service does: bullet 6'],
    level: 'must',
    text: 'GET /rate-limits reports the limits in force: the budget and window that it gives for an endpoint are those that the endpoint keeps.',
    capability: 'rate-limits',
    needs: { roles: ['full'], windows: ['orders.list'] },
  },
  {
    id: 'LIMIT-02',
    section: 'Endpoints > GET /rate-limits',
    source: ['paragraph 1 sentence 1', 'Limits: paragraph 2'],
    level: 'must',
    text: 'GET /rate-limits reports all five buckets of GET /orders: listing, filtered, unhide pending, unhide completed, unhide admission.',
    capability: 'rate-limits',
    needs: { roles: ['full'] },
  },
  {
    id: 'LIMIT-03',
    section: SECTION,
    source: ['rule 2 sentence 1', 'rule 2 sentence 2'],
    level: 'must',
    text: 'The reported admission count is the reported pending count plus the reported completed count.',
    capability: 'rate-limits',
    needs: { roles: ['full'] },
  },
  {
    id: 'LIMIT-04',
    section: SECTION,
    source: ['rule 2 sentence 1', 'rule 2 sentence 2'],
    level: 'must',
    text: 'The reported admission window is the greatest common divisor of the reported pending and completed windows.',
    capability: 'rate-limits',
    needs: { roles: ['full'] },
  },
  {
    id: 'LIMIT-05',
    section: SECTION,
    source: ['rule 2 sentence 3', 'rule 2 sentence 1'],
    level: 'must',
    text: 'The reported source of admission is rule if the pending or the completed budget is configured, and default if neither is.',
    capability: 'rate-limits',
    needs: { roles: ['full'] },
  },
] as const satisfies readonly Requirement[]
