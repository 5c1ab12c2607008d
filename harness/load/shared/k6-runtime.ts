/**
 * How the Go runtime of k6 is set for volleys, as environment variables. k6's live heap is a few megabytes then, so that by default
 * garbage is collected after every ten megabytes or so: about one volley in five meets it and arrives twice as far apart. With 400
 * that is rare, for some 20 MB of memory, and memory that an earlier volley has touched is used again; with none at all, each
 * volley touches new memory, which costs more than it saves (`npm run bench -- spread`).
 */
export const VOLLEY_RUNTIME = { GOGC: '400' } as const
