/** Time for the original to be carried out although nobody waits for its answer. */
export const SETTLE_MS = 1_500

/** An answer may be quicker than we are, on a busy machine above all: so often it is tried to leave before one. */
export const LEAVES_MAX = 4
export const BREATH_MS = 500
