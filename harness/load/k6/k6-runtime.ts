/**
 * How the Go runtime of k6 is set for volleys, as environment variables. k6's live heap is a few megabytes then, so that by default
 * garbage is collected every ten megabytes or so, in the midst of a volley as often as not. With 400 that is rare, and memory that
 * the volley before has touched is still used again, which is cheaper than new memory (`npm run bench -- spread`).
 */
export const VOLLEY_RUNTIME = { GOGC: '400' } as const
