/** Sorts by time; unique on one machine by its random end. */
export function runIdOf(startedAt: Date): string {
  const stamp = startedAt.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  return `${stamp}-${crypto.randomUUID().slice(0, 4)}`
}
