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

/** The most requests that were sent within less than so many milliseconds. */
export function mostWithin(spans: readonly Span[], ms: number): number {
  const sentMs = spans.map(({ sentAtMs }) => sentAtMs).toSorted((a, b) => a - b)
  let first = 0
  let most = 0
  for (const [index, sentAtMs] of sentMs.entries()) {
    while (first <= index && sentAtMs - (sentMs[first] ?? 0) >= ms) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

/**
 * Whether requests that were released together arrived so at the server, as far as that is known from outside: at least two, and half of
 * them, left within less time than the fastest of their kind takes. That their times overlap here would say little. They also overlap if
 * the sender was held up in between, after the server had answered the first.
 */
export function arriveTogether(spans: readonly Span[], fastestMs: number): boolean {
  return mostWithin(spans, fastestMs) >= Math.max(2, spans.length / 2)
}

/** Milliseconds in which at least one request was under way. */
export function underWayMs(spans: readonly Span[]): number {
  let sum = 0
  let countedToMs = -Infinity
  for (const { sentAtMs, receivedAtMs } of spans.toSorted((a, b) => a.sentAtMs - b.sentAtMs)) {
    sum += Math.max(0, receivedAtMs - Math.max(sentAtMs, countedToMs))
    countedToMs = Math.max(countedToMs, receivedAtMs)
  }
  return sum
}

/** Milliseconds that the fastest request took; none without requests. */
export function fastestMs(spans: readonly Span[]): number {
  const tookMs = spans.map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
  return tookMs.length === 0 ? 0 : Math.min(...tookMs)
}

/** Milliseconds between the first and the last sending. */
export function spreadMs(spans: readonly Span[]): number {
  const sent = spans.map(({ sentAtMs }) => sentAtMs)
  return sent.length === 0 ? 0 : Math.max(...sent) - Math.min(...sent)
}
