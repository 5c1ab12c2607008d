/** Which reads with unhide=true only faults leave uncounted. */
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Order, type OrderLine, statusOf } from '../model/order.ts'

export type UnhideBucket = 'orders.unhide.pending' | 'orders.unhide.completed'

const UNCOUNTED = [
  ['unhide-esims-uncounted', 'esim'],
  ['gift-unhide-uncounted', 'platform-gift'],
] as const

/** Faults that do not count reads of what is so, in one budget. */
const UNCOUNTED_SO: readonly (readonly [FaultName, UnhideBucket, (line: OrderLine) => boolean])[] =
  [
    ['unhide-long-orders-uncounted', 'orders.unhide.completed', ({ isLong }) => isLong === true],
    [
      'unhide-raw-esims-uncounted',
      'orders.unhide.completed',
      ({ delivery }) => delivery.rawPayload === true,
    ],
    [
      'unhide-pending-esims-uncounted',
      'orders.unhide.pending',
      ({ ordersType }) => ordersType === 'esim',
    ],
    [
      'unhide-pending-long-orders-uncounted',
      'orders.unhide.pending',
      ({ isLong }) => isLong === true,
    ],
  ]

function ofKind(selected: readonly Order[], kind: string): boolean {
  return selected.some(({ line }) => line.ordersType === kind)
}

/** Only faults let reads pass uncounted. */
export function isUnbounded(
  faults: FaultSet,
  {
    bucket,
    selected,
    nowMs,
  }: {
    readonly bucket: UnhideBucket
    readonly selected: readonly Order[]
    readonly nowMs: number
  },
): boolean {
  const isSo = selected.some(({ line }) =>
    UNCOUNTED_SO.some(([name, of, is]) => faults.has(name) && of === bucket && is(line)),
  )
  if (isSo) return true
  if (UNCOUNTED.some(([name, kind]) => faults.has(name) && ofKind(selected, kind))) return true
  if (bucket === 'orders.unhide.completed') return faults.has('unhide-completed-unlimited')
  const isPending = selected.every((order) => statusOf(order, nowMs, faults) === 'IN_PROGRESS')
  return isPending && faults.has('unhide-pending-unlimited')
}

/** Only faults let reads of one form pass admission. */
export function isAdmittedAnyway(faults: FaultSet, selected: readonly Order[]): boolean {
  if (selected.length > 1) return faults.has('admission-missing-for-checkouts')
  return (
    (ofKind(selected, 'esim') && faults.has('admission-missing-for-esims')) ||
    (selected.some(({ line }) => line.isLong === true) &&
      faults.has('admission-missing-for-long-orders'))
  )
}
