/**
 * Evidence: what k6 writes about every exchange, one line each, to its console output file. Fields are separated by one space.
 *
 *   h <version> <stream> <unix ms> <test us>              a stream begins: both clocks at one moment
 *   x <stream> <key> <phase> <sent us> <received us> <status> <code> <retry-after> <connection>
 *   m <stream> <named> <unnamed>                          refusals whose message has what the plan looks for, and others with a message
 *   e <stream> <exchanges> <end>                          a stream ends: how many x lines it wrote
 *
 * Times are whole microseconds since k6 started its test, sent rounded down and received rounded up. Status 0 is no answer; code
 * is then k6's error code, for a 429 the envelope's statusCode, else `-`. Retry-After is the header, percent-encoded, or `-`.
 * Connection is `n` for a new one, `r` for one used before, `-` where there was none.
 */
export const EVIDENCE_VERSION = 2
/** What stands in each kind of line. */
export const WINDOW_LINES = {
  h: ['version', 'stream', 'unixMs', 'testUs'],
  x: [
    'stream',
    'key',
    'phase',
    'sentUs',
    'receivedUs',
    'status',
    'code',
    'retryAfter',
    'connection',
  ],
  m: ['stream', 'named', 'unnamed'],
  e: ['stream', 'exchanges', 'end'],
} as const

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
