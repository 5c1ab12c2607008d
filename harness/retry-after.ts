/** Seconds that a Retry-After header promises; undefined if it is missing or is not whole seconds. 0 is a promise too, and put to the test. */
export function parseRetryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header.trim())) return undefined
  const seconds = Number(header)
  return Number.isSafeInteger(seconds) ? seconds : undefined
}
