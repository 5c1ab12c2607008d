/**
 * Security hygiene: what no sentence of the interface forbids, and who runs a service with keys wants to know all the same. Warned of
 * where it is seen; never scored.
 */
export const HYGIENE = [
  {
    id: 'HYG-01',
    warning:
      'Pages of any origin may read answers to calls with a key (CORS), though keys are for backends.',
  },
  { id: 'HYG-02', warning: 'An error shows internals: a stack trace, a query or a source path.' },
  { id: 'HYG-03', warning: 'A path without the version of the interface answers without a key.' },
  { id: 'HYG-04', warning: 'An answer that is no refusal shows the allowlist of the key.' },
] as const

export type HygieneId = (typeof HYGIENE)[number]['id']
