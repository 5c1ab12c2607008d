import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import {
  admissionOf,
  unhideOutcomeOf,
  type UnhideBudgets,
  type UnhideRead,
} from '../../../harness/judge/rules/unhide.ts'
import { howToTell, isSizeKnown, reportedLimit } from '../../../harness/quota/effective-limits.ts'
import type { CallOptions, CheckContext, Exchange, Needs } from '../../engine/kit.ts'
import {
  answerOf,
  inapplicableUnlessBusy,
  inconclusive,
  needSuccess,
  showAnswer,
  untested,
} from '../../engine/kit.ts'
import { BUYS_VOUCHERS, itemsOf } from '../orders.ts'
import { RETURN_429_UNPACED } from '../rate-limits/between-refusals.ts'

/** What checks of unhide budgets need besides their product. */
export const UNHIDES = {
  capabilities: ['shop', 'unhide'],
  roles: ['full'],
  orderKinds: ['shop'],
  exhausts: true,
} as const satisfies Needs

/** The same, for an order that is finished at once. */
export const UNHIDES_VOUCHERS = {
  ...UNHIDES,
  ...BUYS_VOUCHERS,
  capabilities: UNHIDES.capabilities,
} as const satisfies Needs

/** A check's context with an account in the role full, and the unhide budgets that hold for it. */
export type UnhideAccount = { readonly context: CheckContext; readonly budgets: UnhideBudgets }

/** Budgets that a check would like: chosen so that being counted in the wrong one shows at once. */
export type Wanted = {
  readonly pending: WindowLimit
  readonly completed: WindowLimit
  readonly filtered?: WindowLimit
}

export type Filter = { readonly orderId?: string; readonly referenceId?: string }

/** Long enough that no burst is likely to meet an edge; no check waits for it to end. */
export const LONG_SECONDS = 20

/** For orders that are pending: what is counted in the completed budget, or in none, shows as too many. */
export const NARROW_PENDING = {
  pending: { count: 3, windowSeconds: LONG_SECONDS },
  completed: { count: 8, windowSeconds: LONG_SECONDS },
} as const satisfies Wanted

/** For orders that are completed: what is counted in the pending budget, or in none, shows as too many. */
export const NARROW_COMPLETED = {
  pending: { count: 8, windowSeconds: LONG_SECONDS },
  completed: { count: 3, windowSeconds: LONG_SECONDS },
} as const satisfies Wanted

/** Round trips that short fit the windows of every check. */
const BRISK_MS = 250
const STRETCH_MAX = 8

/** What a check would like, in windows that are longer where the way to the target is: several reads have to fit in one. */
export async function stretched(
  { api, makeAccount }: CheckContext,
  wanted: Wanted,
): Promise<Wanted> {
  if (!makeAccount) return wanted
  const { sentAtMs, receivedAtMs } = await api.as('full').whoami()
  const factor = Math.min(STRETCH_MAX, Math.max(1, Math.ceil((receivedAtMs - sentAtMs) / BRISK_MS)))
  const longer = ({ count, windowSeconds }: WindowLimit): WindowLimit => ({
    count,
    windowSeconds: windowSeconds * factor,
  })
  return { ...wanted, pending: longer(wanted.pending), completed: longer(wanted.completed) }
}

/** An account with the wanted budgets where the target makes accounts, else the usual one with the budgets in force. */
export async function openUnhideAccount(
  context: CheckContext,
  wanted: Wanted,
): Promise<UnhideAccount> {
  if (!context.makeAccount) {
    needKnownBudgets(context, wanted)
    const pending = context.limit('orders.unhide.pending')
    const completed = context.limit('orders.unhide.completed')
    return { context, budgets: { pending, completed, admission: admissionOf(pending, completed) } }
  }
  const { pending, completed, filtered } = wanted
  const limits: Partial<Record<Bucket, WindowLimit>> = {
    'orders.unhide.pending': pending,
    'orders.unhide.completed': completed,
    ...(filtered ? { 'orders.filtered': filtered } : {}),
    ...roomBeside(context),
  }
  const [api] = await context.makeAccount({
    keys: [{ scopes: ['product:read', 'orders:write', 'orders:read'] }],
    limits,
  })
  if (!api) throw new Error('an account with one key has one caller')
  const unhideAccount: CheckContext = {
    ...context,
    api,
    isFresh: true,
    limit: (bucket, operation) => {
      const limit = limits[bucket]
      return limit ? { ...limit, source: 'target file' } : context.limit(bucket, operation)
    },
  }
  await needLimits(unhideAccount, limits)
  return {
    context: unhideAccount,
    budgets: { pending, completed, admission: admissionOf(pending, completed) },
  }
}

/** Where the usual account is judged, its budgets have to be known: what the interface has by default is no rule of this target. */
function needKnownBudgets({ limit }: CheckContext, wanted: Wanted): void {
  const buckets: Bucket[] = ['orders.unhide.pending', 'orders.unhide.completed']
  if (wanted.filtered) buckets.push('orders.filtered')
  const unknown = buckets.filter((bucket) => !isSizeKnown(limit(bucket)))
  if (unknown.length === 0) return
  untested(
    `the budgets in force are not known: ${unknown.map((each) => howToTell(each)).join('; ')}`,
  )
}

/** Looks at a budget come as fast as this. */
const READS_PER_SECOND = 10

/** Reads may count in a default window too: one that has no room for the looks is made wider. */
function roomBeside({ limit }: CheckContext): { default?: WindowLimit } {
  const { count, windowSeconds } = limit('default')
  const needed = Math.ceil(READS_PER_SECOND * windowSeconds)
  return count < needed ? { default: { count: needed, windowSeconds } } : {}
}

/** A control side that makes the account and forgets the limits would make every judgement wrong. */
async function needLimits(
  { api, target }: CheckContext,
  limits: Partial<Record<Bucket, WindowLimit>>,
): Promise<void> {
  if (!target.capabilities.includes('rate-limits')) return
  const report = await api.as('full').rateLimits()
  // Where the report asks for another scope, the account is not known to lack what was asked for.
  if (report.response?.status === 403) return
  needSuccess(report)
  for (const [bucket, wanted] of Object.entries(limits)) {
    const got = reportedLimit(target, report, bucket as Bucket)
    if (got && (got.count !== wanted.count || got.windowSeconds !== wanted.windowSeconds))
      untested(
        `an account with ${wanted.count} in ${wanted.windowSeconds} s for ${bucket} was asked for, and GET /rate-limits reports ${got.count} in ${got.windowSeconds} s`,
      )
  }
}

/** Reads with unhide=true, whatever the answer. */
export function readClear(
  { context }: UnhideAccount,
  filter: Filter,
  options: CallOptions = {},
): Promise<Exchange> {
  return context.api
    .as('full')
    .getOrders({ ...filter, unhide: true }, { ...RETURN_429_UNPACED, ...options })
}

/** The status of every order in a reading. */
export function statusesOf(exchange: Exchange): readonly unknown[] {
  return (itemsOf(exchange) ?? []).map(({ status }) => status)
}

/** What an unhide read says of its budgets. Untested where it says nothing: neither orders nor a 429. */
export function outcomeOf(exchange: Exchange): UnhideRead['outcome'] {
  const outcome = unhideOutcomeOf(answerOf(exchange), statusesOf(exchange))
  if (outcome !== undefined) return outcome
  needSuccess(exchange)
  return untested(`an unhide read finds no order: ${showAnswer(exchange)}`)
}

export function readOf(exchange: Exchange): UnhideRead {
  const { sentAtMs, receivedAtMs } = exchange
  return { sentMs: sentAtMs, receivedMs: receivedAtMs, outcome: outcomeOf(exchange) }
}

export function count(exchanges: readonly Exchange[], outcome: UnhideRead['outcome']): number {
  return exchanges.filter((exchange) => outcomeOf(exchange) === outcome).length
}

export function showCounts(exchanges: readonly Exchange[]): string {
  const parts = (['pending', 'completed', 'refused'] as const)
    .map((outcome) => `${count(exchanges, outcome)} ${outcome}`)
    .join(', ')
  return `${exchanges.length} reads: ${parts}`
}

/** What reads gave, in their order: `3 pending, 2 refused`. */
export function showOutcomes(reads: readonly Exchange[]): string {
  const runs: { readonly outcome: string; count: number }[] = []
  for (const outcome of reads.map(outcomeOf)) {
    const last = runs.at(-1)
    if (last?.outcome === outcome) last.count += 1
    else runs.push({ outcome, count: 1 })
  }
  return runs.map(({ outcome, count: times }) => `${times} ${outcome}`).join(', ')
}

/** Why a try tells nothing. `isPast`: its order had completed before the last read that was to find it pending. */
export type Unusable = { readonly unusable: string; readonly isPast?: boolean }

export function isPast(reads: readonly Exchange[]): boolean {
  return count(reads, 'completed') > 0
}

/** No try told anything. Orders that complete before so many reads end are right: another run would see the same. */
export function giveUp(what: string, tries: readonly Unusable[]): never {
  const notes = [...new Set(tries.map(({ unusable }) => unusable))].join('; ')
  if (tries.length > 0 && tries.every((each) => each.isPast === true))
    return inapplicableUnlessBusy(
      `each order had completed before all planned reads could find it pending: ${notes}`,
    )
  return inconclusive(`${what}: ${notes}`)
}

export function showBudget({ count, windowSeconds }: WindowLimit): string {
  return `${count} in ${windowSeconds} s`
}
