import { entries } from './entries.ts'

/** Rate-limit windows: their kind, who shares them, the answer to an excess, and the check bucket. */
export const LIMITS = entries('Limits', 'base', {
  'RATE-01': {
    source: ['paragraph 1'],
    text: 'A window admits its whole budget: no request within it is refused by the rate limit.',
  },
  'RATE-02': {
    source: ['paragraph 1', 'row Exceeding any window'],
    text: 'A window admits no more than its budget: every request beyond it is refused until the window ends.',
  },
  'RATE-03': {
    source: ['paragraph 1'],
    text: 'Windows are fixed: at the edge the whole budget is there again at once, however late in the last window it was spent.',
  },
  'RATE-04': {
    source: ['row Exceeding any window', 'Errors: row 429', 'Authentication: rule 2.5'],
    text: 'A request beyond the budget of a window is answered by HTTP 429.',
  },
  'RATE-05': {
    source: ['row Exceeding any window', 'Errors: row 429'],
    text: 'Every 429 of a rate limit has statusCode 8.',
  },
  'RATE-06': {
    source: ['row Exceeding any window', 'Errors: row 429', 'Errors: bullet 7 sentence 1'],
    text: 'Every 429 has a Retry-After header.',
  },
  'RATE-07': {
    source: ['row Exceeding any window', 'Errors: bullet 7 sentence 1'],
    text: 'The Retry-After of a 429 is a whole number of seconds.',
  },
  'RATE-08': {
    source: ['row Exceeding any window', 'Errors: row 429'],
    text: 'Retry-After is not too short: who waits that long is not refused again by the same window.',
  },
  'RATE-09': {
    source: ['paragraph 1', 'row GET /orders', 'row GET /orders (filtered)'],
    text: 'Each account has windows of its own: spending those of one leaves those of another whole.',
  },
  'RATE-10': {
    source: ['rule 5', 'paragraph 1'],
    text: 'All keys of an account share its windows: what one spends is gone for the other.',
  },
  'RATE-11': {
    source: ['paragraph 1', 'row Default'],
    text: 'Each endpoint has a window of its own: spending that of one leaves that of another whole.',
  },
  'RATE-12': {
    source: ['row Default'],
    level: 'typical',
    text: 'An endpoint without a limit of its own admits 1000 requests in 60 seconds.',
  },
  'RATE-13': {
    source: ['row GET /orders', 'paragraph 2'],
    level: 'typical',
    text: 'The unfiltered listing of orders admits 2 requests in 60 seconds, unless another budget is configured.',
  },
  'RATE-14': {
    source: ['row GET /orders (filtered)', 'paragraph 2'],
    level: 'typical',
    text: 'Masked reads by orderId or referenceId admit 60 requests in 60 seconds, unless another budget is configured.',
  },
  'RATE-15': {
    source: ['row GET /orders', 'row GET /orders (filtered)'],
    text: 'Listing and masked polling are counted apart: a spent listing window does not refuse a read by orderId or referenceId.',
  },
  'RATE-16': {
    source: ['row GET /orders (filtered)'],
    text: 'Masked reads by orderId and by referenceId are counted together, whichever orders they ask for.',
  },
  'RATE-17': {
    source: ['row GET /orders (filtered)'],
    text: 'A read by orderId or referenceId with unhide=false is counted like one without unhide.',
  },
  'RATE-18': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    level: 'typical',
    text: 'Checks of top-ups (dtu with checkOnly=true) admit 120 requests in 60 seconds for each account.',
    capability: 'dtu-check',
  },
  'RATE-19': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'All keys of an account share the check bucket.',
    capability: 'dtu-check',
  },
  'RATE-20': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'Each account has a check bucket of its own.',
    capability: 'dtu-check',
  },
  'RATE-21': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'A check beyond its bucket is answered by HTTP 429 with statusCode 8.',
    capability: 'dtu-check',
  },
  'RATE-22': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'The statusMessage of a 429 for a check names the bucket.',
    capability: 'dtu-check',
  },
  'RATE-23': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'The Retry-After of a 429 for a check is at least 1 and no longer than the window (60 seconds by default), rounding apart.',
    capability: 'dtu-check',
  },
  'RATE-24': {
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    text: 'A spent check bucket does not refuse a purchase.',
    capability: 'dtu-check',
  },
  'RATE-25': {
    source: ['rule 1 sentence 1', 'paragraph 3'],
    text: 'Listing and masked polling are held to the global default while no rule is set for them.',
    capability: 'rate-limits',
    excluded:
      'Whether a rule is set is up to the operator; a client sees only the budget that results.',
  },
  'RATE-26': {
    source: ['rule 1 sentence 2'],
    text: 'Without rules the pending budget is 60 and the completed budget 1 in 60 seconds; a global rule, where set, wins over that.',
    capability: 'unhide',
    excluded:
      'Whether a rule is set is up to the operator; UNHIDE-02 and UNHIDE-03 hold the defaults that a client sees.',
  },
  'RATE-27': {
    source: ['Errors: bullet 7 sentence 1'],
    level: 'may',
    text: 'Workers that share a key add jitter to their waits.',
    excluded: 'It advises the client.',
  },
})
