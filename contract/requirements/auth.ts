import { entries } from './entries.ts'

/** Keys, and the order in which a request is checked. */
export const AUTH = entries('Authentication', 'base', {
  'AUTH-01': {
    source: ['rule 1 sentence 1', 'rule 2.1', 'Endpoints: bullet 1'],
    text: 'A data-plane call without an X-API-Key header is refused with a 4xx answer.',
  },
  'AUTH-02': {
    source: ['rule 2.1'],
    text: 'A data-plane call with a key that was never issued is refused with a 4xx answer.',
  },
  'AUTH-03': {
    source: ['rule 2.2', 'Resources and their fields > API key: paragraph 1 sentence 1'],
    text: 'A call with a revoked key is refused with a 4xx answer.',
  },
  'AUTH-04': {
    source: ['rule 2.2', 'Resources and their fields > API key: paragraph 1 sentence 1'],
    text: 'A call with an expired key is refused with a 4xx answer.',
  },
  'AUTH-05': {
    source: ['rule 1 sentence 1'],
    text: 'X-API-Key is the only credential that a call needs: with it and no other authentication header a permitted call succeeds.',
  },
  'AUTH-06': {
    source: ['rule 1 sentence 2'],
    text: 'A key is bound to no origin: calls that carry an Origin header are all answered like one without, or all refused.',
  },
  'AUTH-07': {
    source: ['rule 1 sentence 2'],
    text: 'A key is shown once, when it is created: no answer to a data-plane call shows one.',
  },
  'AUTH-08': {
    source: ['rule 1 sentence 3'],
    text: 'A key is used by a backend and kept out of browsers.',
    excluded: 'It binds whoever holds the key, not the service.',
  },
  'SEQ-01': {
    source: ['rule 2', 'rule 2.1'],
    text: 'Whether the key exists is decided first: an unknown key gets one and the same refusal at every endpoint and however often it is tried.',
  },
  'SEQ-02': {
    source: ['rule 2', 'rule 2.2', 'rule 2.3'],
    text: 'Revocation is decided before scopes: at an endpoint that its scopes do not cover, a revoked key is refused as revoked, not for its scopes.',
  },
  'SEQ-03': {
    source: ['rule 2', 'rule 2.2', 'rule 2.5'],
    text: 'Revocation is decided before the rate limit: a revoked key is refused as revoked, not with 429, while the window of its account is spent.',
  },
  'SEQ-04': {
    source: ['rule 2', 'rule 2.3', 'rule 2.4'],
    text: 'Scopes are decided before the allowlist: a caller that fails both gets the scope refusal, so the answer does not name its address.',
    capability: 'allowlist',
  },
  'SEQ-05': {
    source: ['rule 2', 'rule 2.3', 'rule 2.5'],
    text: 'Scopes are decided before the rate limit: a key that lacks the scope gets 403, not 429, while the window of its account is spent.',
  },
  'SEQ-06': {
    source: ['rule 2', 'rule 2.4', 'rule 2.5'],
    text: 'The allowlist is decided before the rate limit: a caller outside it gets 403, not 429, while the window of its account is spent.',
    capability: 'allowlist',
  },
  'SEQ-07': {
    source: ['rule 2'],
    text: 'The first failed check ends the request: a purchase refused by one of them creates no order.',
  },
  'SEQ-08': {
    source: ['rule 2', 'rule 2.2', 'rule 2.3'],
    text: 'Expiry is decided before scopes: at an endpoint that its scopes do not cover, an expired key is refused as expired, not for its scopes.',
  },
  'SEQ-09': {
    source: ['rule 2', 'rule 2.2', 'rule 2.5'],
    text: 'Expiry is decided before the rate limit: an expired key is refused as expired, not with 429, while the window of its account is spent.',
  },
})
