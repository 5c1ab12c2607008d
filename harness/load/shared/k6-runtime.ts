/**
 * Variables of every k6. It speaks HTTP/1.1, as the checks do. If a server ends connections after few requests, Go's HTTP/2 client pauses
 * for a second or more. That would count as the target's latency.
 */
export const K6_SETTINGS = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
  GODEBUG: 'http2client=0',
} as const

/**
 * How the Go runtime of k6 is set for bursts, as environment variables. k6's live heap is a few megabytes then, so that by default
 * garbage is collected after every ten megabytes or so: about one burst in five meets it and arrives twice as far apart. With 400
 * that is rare, for some 20 MB of memory, and memory that an earlier burst has touched is used again; with none at all, each
 * burst touches new memory, which costs more than it saves.
 */
export const BURST_RUNTIME = { GOGC: '400' } as const
