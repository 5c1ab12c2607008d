/** Faults of one bucket alone: its window is missing, or what it answers beyond the budget is wrong. */
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import { HEADER } from '../../contract/wire.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Answer, Refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'

const UNLIMITED: readonly (readonly [FaultName, Bucket])[] = [
  ['endpoints-unlimited', 'default'],
  ['listing-unlimited', 'orders.list'],
  ['filtered-unlimited', 'orders.filtered'],
  ['check-bucket-unlimited', 'orders.check'],
]

/** Whether the bucket refuses nothing, or the endpoint that it counts. */
export function isUnlimited(faults: FaultSet, bucket: Bucket, group: string): boolean {
  if (group === 'createCart' && faults.has('carts-unlimited')) return true
  return UNLIMITED.some(([name, unlimited]) => bucket === unlimited && faults.has(name))
}

/** How long before the end of its window a budget opens, milliseconds. */
const EARLY_MS = 2000

/** Only a fault admits what comes shortly before the end of a spent window. */
export function opensEarly(faults: FaultSet, group: string, waitMs: number): boolean {
  return (
    waitMs <= EARLY_MS && OPENING.some(([name, opened]) => group === opened && faults.has(name))
  )
}

const OPENING: readonly (readonly [FaultName, string])[] = [
  ['unhide-completed-opens-early', 'orders.unhide.completed'],
  ['lookups-open-early', 'lookupItems'],
]

/** Faults that count a request a little later than they look at its counter. */
const RACING: readonly (readonly [FaultName, string])[] = [
  ['purchases-counted-late', 'createOrder'],
  ['checks-counted-late', 'orders.check'],
  ['validations-counted-late', 'validateDtu'],
]

/** How much later. */
const LATE_MS = 1

/** Only faults let a request pass that arrives with the last one that its window admits. */
export function races(
  faults: FaultSet,
  { group, partition }: { readonly group: string; readonly partition: string },
  { isAdmitted, nowMs }: { readonly isAdmitted: boolean; readonly nowMs: number },
): boolean {
  if (faults.isEmpty) return false
  const [name] = RACING.find(([racing, raced]) => raced === group && faults.has(racing)) ?? []
  if (name === undefined) return false
  if (isAdmitted) faults.noteMoment(name, partition, nowMs)
  return nowMs - (faults.lastMoment(name, partition) ?? -Infinity) <= LATE_MS
}

/** How long a window is by a fault, as a share of what is reported. */
const LENGTHS: readonly (readonly [FaultName, string, number])[] = [
  ['unhide-pending-window-short', 'orders.unhide.pending', 0.75],
  ['unhide-completed-window-short', 'orders.unhide.completed', 0.75],
  ['default-window-half', 'default', 0.5],
  ['listing-window-half', 'orders.list', 0.5],
  ['filtered-window-half', 'orders.filtered', 0.5],
  ['check-window-half', 'orders.check', 0.5],
  ['unhide-pending-window-half', 'orders.unhide.pending', 0.5],
  ['unhide-completed-window-half', 'orders.unhide.completed', 0.5],
  ['unhide-pending-window-twice', 'orders.unhide.pending', 2],
  ['unhide-completed-window-twice', 'orders.unhide.completed', 2],
  ['unhide-pending-window-longer', 'orders.unhide.pending', 1.5],
  ['carts-window-half', 'createCart', 0.5],
  ['carts-window-double', 'createCart', 2],
  ['admission-window-half', 'orders.unhide.admission', 0.5],
  ['default-window-double', 'default', 2],
  ['listing-window-double', 'orders.list', 2],
  ['filtered-window-double', 'orders.filtered', 2],
  ['check-window-double', 'orders.check', 2],
  ['admission-window-double', 'orders.unhide.admission', 2],
]

/** The window as it is counted: only faults count another one than they report. */
export function enforcedBy(
  limit: WindowLimit,
  faults: FaultSet,
  counted: readonly string[],
): WindowLimit {
  if (counted.includes('orders.unhide.admission') && faults.has('admission-one-more'))
    return { ...limit, count: limit.count + 1 }
  const found = LENGTHS.find(([name, of]) => counted.includes(of) && faults.has(name))
  return found ? { ...limit, windowSeconds: limit.windowSeconds * found[2] } : limit
}

export type Counting = 'fixed' | 'sliding' | 'restarted' | 'prolonged' | 'tokens'

/** Faults by which one bucket is counted otherwise than in fixed windows. */
const COUNTED: readonly (readonly [FaultName, string, Counting])[] = [
  ['unhide-pending-sliding', 'orders.unhide.pending', 'sliding'],
  ['carts-sliding', 'createCart', 'sliding'],
  ['lookups-restarted', 'lookupItems', 'restarted'],
  ['unhide-completed-sliding', 'orders.unhide.completed', 'sliding'],
  ['admission-sliding', 'orders.unhide.admission', 'sliding'],
  ['unhide-pending-restarted', 'orders.unhide.pending', 'restarted'],
  ['unhide-completed-restarted', 'orders.unhide.completed', 'restarted'],
  ['admission-restarted', 'orders.unhide.admission', 'restarted'],
  ['admission-prolonged', 'orders.unhide.admission', 'prolonged'],
]

/** How a group is counted: all of them by one fault, those of one bucket by others. */
export function countedBy(faults: FaultSet, group: string): Counting {
  if (faults.isEmpty) return 'fixed'
  if (faults.has('window-sliding-log')) return 'sliding'
  if (faults.has('window-token-bucket')) return 'tokens'
  const found = COUNTED.find(([name, counted]) => group === counted && faults.has(name))
  return found?.[2] ?? 'fixed'
}

/** The wait that a refusal tells, milliseconds. */
export function toldWaitMs(waitMs: number, faults: FaultSet, group: string): number {
  const isHalf =
    (group === 'orders.unhide.pending' && faults.has('unhide-pending-retry-after-half')) ||
    (group === 'createCart' && faults.has('carts-retry-after-half'))
  if (group === 'orders.list' && faults.has('listing-retry-after-quarter')) return waitMs / 4
  if (group === 'createCart' && faults.has('carts-retry-after-milliseconds')) return waitMs * 1000
  const isAdmission = group === 'orders.unhide.admission'
  if (isAdmission && faults.has('admission-retry-after-quarter')) return waitMs / 4
  const counted = isAdmission
    ? 'admission-retry-after-milliseconds'
    : 'unhide-retry-after-milliseconds'
  if (isUnhide(group) && faults.has(counted)) return waitMs * 1000
  return isHalf ? waitMs / 2 : waitMs
}

type Alteration = (answer: Answer) => Answer

/** By bucket, or for the default one by the endpoint that it counts. */
const ALTERED: readonly (readonly [FaultName, (group: string) => boolean, Alteration])[] = [
  [
    'carts-limit-answers-503',
    (group) => group === 'createCart',
    (answer) => ({ ...answer, httpStatus: 503 }),
  ],
  [
    'validation-limit-status-code',
    (group) => group === 'validateDtu',
    (answer) => ({ ...answer, statusCode: CODES.validationFailed }),
  ],
  ['check-bucket-answers-503', isCheck, (answer) => ({ ...answer, httpStatus: 503 })],
  ['unhide-answers-503', isUnhide, (answer) => ({ ...answer, httpStatus: 503 })],
  [
    'unhide-status-code',
    isUnhide,
    (answer) => ({ ...answer, statusCode: CODES.apiKeyLimitExceeded }),
  ],
  ['unhide-without-retry-after', isUnhide, (answer) => ({ ...answer, headers: [] })],
  ['unhide-retry-after-fractional', isUnhide, (answer) => waiting(answer, '1.5')],
  ['unhide-retry-after-one', isUnhide, (answer) => waiting(answer, '1')],
]

/** The refusal as the bucket's faults have it. */
export function altered(refusal: Refusal, faults: FaultSet, group: string): Refusal {
  const found = ALTERED.find(([name, affects]) => affects(group) && faults.has(name))
  return found ? new Refusal(found[2](refusal.answer)) : refusal
}

function isCheck(bucket: string): boolean {
  return bucket === 'orders.check'
}

function isUnhide(bucket: string): boolean {
  return bucket.startsWith('orders.unhide.')
}

function waiting(answer: Answer, seconds: string): Answer {
  return { ...answer, headers: [[HEADER.retryAfter, seconds]] }
}
