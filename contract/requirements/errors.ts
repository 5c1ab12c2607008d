import { entries } from './entries.ts'

const ENDPOINTS = 'Endpoints'

/** Answers that are not a success, as far as they belong to no single area. */
export const ERRORS = entries('Errors', 'base', {
  'ERR-01': {
    source: ['paragraph 1'],
    text: 'Every error answer is an envelope with its required fields, also where the request never reached an operation.',
  },
  'ERR-02': {
    source: ['row 403'],
    text: 'The statusCode of a 403 is none of the named numbers 8, 13 and 14.',
  },
  'ERR-03': {
    source: ['row 403'],
    text: 'A 403 is not cured by waiting: the same request is refused with 403 again.',
  },
  'ERR-04': {
    source: ['row 429'],
    text: 'A rate limit of the shop service behind the API is passed on as HTTP 429 with statusCode 8 and a Retry-After; no order is created, nothing is spent, and the reference stays free.',
    capability: 'shop',
  },
  'ERR-05': {
    source: ['row 409', 'row 429', 'row 504'],
    text: 'statusCode 8, 13 and 14 belong to their named conditions. No success has one of them, and no refusal of a key, a media type, a body or a conflict.',
  },
  'VAL-01': {
    source: ['row 422', 'Endpoints > POST /api/v1/orders: paragraph 1 sentence 3'],
    text: 'A request body that breaks a rule of its operation is answered by HTTP 422.',
  },
  'VAL-02': {
    source: ['row 422'],
    text: 'A 422 lists what was wrong: errors is an array with at least one field error.',
  },
  'VAL-03': {
    source: ['row 422'],
    text: 'A request that was answered by 422 is accepted once its body is put right.',
  },
  'CTYPE-01': {
    section: ENDPOINTS,
    source: [
      'bullet 2',
      'Authentication: rule 6',
      'Errors: row 415',
      'Endpoints > POST /api/v1/orders: paragraph 1 sentence 3',
    ],
    text: 'A POST without a Content-Type header is answered by HTTP 415.',
  },
  'CTYPE-02': {
    section: ENDPOINTS,
    source: ['bullet 2', 'Authentication: rule 6', 'Errors: row 415'],
    text: 'A POST whose Content-Type is another media type than application/json is answered by HTTP 415, even if its body is JSON.',
  },
  'CTYPE-03': {
    section: ENDPOINTS,
    source: ['bullet 2', 'Authentication: rule 6'],
    text: 'The media type is looked at before the body: a POST that is wrong in both is answered by 415, not by 422.',
  },
  'CTYPE-04': {
    section: ENDPOINTS,
    source: ['bullet 2', 'Errors: row 415'],
    text: 'The same body is accepted once the header is put right, so the 415 left nothing behind: no order exists under its referenceId before that.',
  },
  'CTYPE-05': {
    section: ENDPOINTS,
    source: ['bullet 2', 'Authentication: rule 6', 'Errors: row 415'],
    text: 'PUT and PATCH are held to the same media type as POST: without it neither is carried out, nor its body looked into.',
  },
  'CTYPE-06': {
    section: ENDPOINTS,
    source: ['Authentication: rule 6'],
    level: 'may',
    text: 'From a 415 nothing can be concluded about the payload.',
    excluded: 'It tells the client how to read a 415; CTYPE-03 holds what can be seen of it.',
  },
})
