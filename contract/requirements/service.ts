import { entries } from './entries.ts'

const OVERVIEW = 'What the service does'

/** The service as a whole: where it is served, what it is for, how it changes, and what stands outside the data plane. */
export const SERVICE = entries('Versioning', 'base', {
  'VER-01': {
    source: ['bullet 1', 'Introduction: paragraph 1 sentence 3'],
    text: 'The operations that are written with the prefix /api/v1 answer under it, directly below the base URL.',
  },
  'VER-02': {
    source: ['bullet 2'],
    level: 'may',
    text: 'Responses may have fields that the interface does not name.',
  },
  'VER-03': {
    source: ['bullet 2'],
    text: 'Clients put up with fields that were added.',
    excluded: 'It binds the client; the schemas of the harness are open to further fields.',
  },
  'SVC-01': {
    section: OVERVIEW,
    source: ['paragraph 1 sentence 1', 'paragraph 1 sentence 2'],
    text: 'The service is an HTTP API through which integrators with a key buy digital goods.',
    excluded: 'It introduces the service; each ability has requirements of its own.',
  },
  'SVC-02': {
    section: OVERVIEW,
    source: ['paragraph 2 sentence 1'],
    text: 'Keys are managed in a control plane of its own, where caps are raised and counters reset.',
    excluded: 'The control plane is not part of the data plane that a client reaches.',
  },
  'SVC-03': {
    section: OVERVIEW,
    source: ['paragraph 3 sentence 1'],
    text: 'Prices come from a shop service behind the API.',
    capability: 'shop',
    excluded: 'The shop service cannot be reached by a client.',
  },
  'SVC-04': {
    section: 'Introduction',
    source: ['paragraph 1 sentence 1', 'paragraph 1 sentence 2'],
    text: 'The interface document describes the whole service and is the only one.',
    excluded: 'It speaks about the document, not about the service.',
  },
  'SVC-05': {
    section: 'Endpoints > POST /api/v1/orders',
    source: ['paragraph 3 sentence 1'],
    text: 'Orders know the request fields referenceId, checkOnly, amount, quantity, isLongOrder and quoteToken.',
    excluded:
      'It gives names only; what each field does is decided by the requirement that uses it.',
  },
  'KEY-01': {
    section: 'Resources and their fields > API key',
    source: ['paragraph 1 sentence 1'],
    text: 'A key has a status, scopes, what it has spent and has left, and optionally a cap and an allowlist.',
    excluded: 'No data-plane operation is shown that returns the record of a key.',
  },
})
