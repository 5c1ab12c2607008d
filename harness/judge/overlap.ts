/** The time of one request, monotonic milliseconds. */
export type Span = { readonly sentAtMs: number; readonly receivedAtMs: number }

/** Whether two requests were under way at the same moment. Those that only touch count where one of them lasted. */
export function overlaps(a: Span, b: Span): boolean {
  const lasted = a.receivedAtMs > a.sentAtMs || b.receivedAtMs > b.sentAtMs
  return lasted && a.sentAtMs <= b.receivedAtMs && b.sentAtMs <= a.receivedAtMs
}

/** The most requests that were under way at once. */
export function widest(spans: readonly Span[]): number {
  const steps = spans
    .flatMap(({ sentAtMs, receivedAtMs }) => [
      { atMs: sentAtMs, change: 1 },
      { atMs: receivedAtMs, change: -1 },
    ])
    // At the same moment a start comes before an end.
    .toSorted((a, b) => a.atMs - b.atMs || b.change - a.change)
  return mostOpen(steps)
}

/** The highest sum on the way through changes, in their order. */
export function mostOpen(steps: readonly { readonly change: number }[]): number {
  let open = 0
  let most = 0
  for (const { change } of steps) {
    open += change
    most = Math.max(most, open)
  }
  return most
}

/** Milliseconds between the first and the last sending. */
export function spreadMs(spans: readonly Span[]): number {
  const sent = spans.map(({ sentAtMs }) => sentAtMs)
  return sent.length === 0 ? 0 : Math.max(...sent) - Math.min(...sent)
}
