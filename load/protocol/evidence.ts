/** Evidence of rate-limit windows: the words of its lines (evidence-table.ts). */
export const EVIDENCE_VERSION = 2

/** What a request was sent for. Its index stands in the line. */
export const PHASES = [
  'below',
  'at',
  'above',
  'probe',
  'confirm',
  'late',
  'late-over',
  'edge',
  'edge-over',
] as const
export type Phase = (typeof PHASES)[number]

/** `done`: everything was sent; `lost`: the target gave no answer any more; `unsynced`: sent, but no window edge was found. */
export const STREAM_ENDS = ['done', 'unsynced', 'lost'] as const
export type StreamEnd = (typeof STREAM_ENDS)[number]
