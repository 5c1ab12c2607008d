/** Rules for a reference service that is started for one run: budgets that a check spends in a fraction of a short window. */
import type { Bucket, WindowLimit } from '../../contract/limits.ts'

const SHORT_COUNTS: Readonly<Partial<Record<Bucket, number>>> = {
  default: 40,
  'orders.check': 10,
  'orders.list': 2,
  'orders.filtered': 12,
  'orders.unhide.pending': 6,
  'orders.unhide.completed': 1,
}

const INTERFACE_WINDOW_SECONDS = 60

/** All windows at the given length with small budgets; none for 60, which keeps the interface's defaults. */
export function shortLimits(windowSeconds: number): Partial<Record<Bucket, WindowLimit>> {
  if (windowSeconds === INTERFACE_WINDOW_SECONDS) return {}
  const entries = Object.entries(SHORT_COUNTS).map(([bucket, count]) => [
    bucket,
    { count, windowSeconds },
  ])
  return Object.fromEntries(entries) as Partial<Record<Bucket, WindowLimit>>
}
