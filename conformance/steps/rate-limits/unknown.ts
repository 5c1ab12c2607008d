import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { isLongEnough } from '../../../harness/judge/limiter.ts'
import { howToTell, isSameLimit } from '../../../harness/quota/effective-limits.ts'
import type { CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import {
  expectClaims,
  judgeHistory,
  lostAtTheEdge,
  weaknessOf,
  windowsWithEarlyPromises,
  type JudgedWindow,
} from './judge-window.ts'
import { learnWindow } from './learn.ts'
import { burstAround, type Probe } from './probe.ts'

/** One counter of unknown size: what is assumed, or known of other endpoints, is never asserted. */
export type UnknownCounter = {
  readonly bucket: Bucket
  readonly operation: OperationName
  readonly send: () => Promise<Exchange>
}

/** What probes of such a counter show. */
export type UnknownWindow = {
  /** Everything that was sent. */
  readonly all: readonly Exchange[]
  /** Of the last probe that could be judged, by the window that it learned. */
  readonly judged?: JudgedWindow
  readonly probe?: Probe
  /** Windows of the size that was learned explain all of it. */
  readonly isFixed: boolean
  /** Twice what was spent late was held against the window after it. */
  readonly isSliding: boolean
  /** The learned size is the assumed one. */
  readonly isAsAssumed: boolean
  /** Why more cannot be told. */
  readonly reason: string
}

/** What looks wrong has to happen again. */
const TRIES_MAX = 2

type Try = { readonly probe: Probe; readonly judged: JudgedWindow; readonly isLost: boolean }

/** Learns the size from windows that it spends, and judges by that what needs no size. */
export async function probeUnknown(
  context: CheckContext,
  counter: UnknownCounter,
): Promise<UnknownWindow> {
  const { clock, slackMs, wait } = context
  const limit = context.limit(counter.bucket, counter.operation)
  const options = { ...counter, limit, clock, slackMs, wait }
  const all: Exchange[] = []
  const tries: Try[] = []
  let reason = ''
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    const learned = await learnWindow(options)
    all.push(...learned.history)
    if (!learned.limit || !isLongEnough(learned.limit, slackMs)) {
      reason = learned.reason || 'its windows are too short to be told apart'
      break
    }
    const bursts = await burstAround({ ...options, limit: learned.limit }, learned)
    all.push(...bursts.late, ...bursts.burst)
    const history = [...learned.history, ...bursts.late, ...bursts.burst]
    const probe: Probe = { sync: learned.whole, edge: [], early: [], ...bursts, all: history }
    const judged = judgeHistory(history, {
      limit: learned.limit,
      slackMs,
      completeness: 'partial',
    })
    const isLost = lostAtTheEdge(probe, judged).length > 0
    tries.push({ probe, judged, isLost })
    reason = judged.verdict.explained
      ? (weaknessOf(probe, judged) ?? '')
      : `windows of ${showLimit(learned.limit)}, as they were seen, do not explain every answer`
    if (reason === '' && windowsWithEarlyPromises(judged) !== 1) break
  }
  return conclude(all, tries, limit, reason)
}

function conclude(
  all: readonly Exchange[],
  tries: readonly Try[],
  limit: WindowLimit,
  reason: string,
): UnknownWindow {
  const last = tries.at(-1)
  const isFixed = last !== undefined && last.judged.verdict.explained && reason === ''
  return {
    all,
    ...(last && { judged: last.judged, probe: last.probe }),
    isFixed,
    isSliding: tries.length === TRIES_MAX && tries.every(({ isLost }) => isLost),
    isAsAssumed: isFixed && isSameLimit(last.judged.limit, limit),
    reason,
  }
}

function showLimit({ count, windowSeconds }: WindowLimit): string {
  return `${count} in ${windowSeconds} s`
}

/** Judges what needs no size, and leaves the rest open: `sizes` as far as the learned size is not the assumed one. */
export function expectUnknownWindow(
  context: CheckContext,
  found: UnknownWindow,
  { bucket, operation }: UnknownCounter,
  sizes: readonly RequirementId[],
): void {
  const { judged, probe, isFixed, isSliding, isAsAssumed } = found
  const { leaveUndecided } = context
  const hint = howToTell(bucket, operation)
  if (judged && probe && isFixed) {
    const start = probe.sync.slice(0, 1)
    context.observe('OPEN-80', `${bucket} of ${operation}: ${showLimit(judged.limit)}`, start)
    expectClaims(context, probe, judged, isAsAssumed ? undefined : ['RATE-03', 'RATE-08'])
    if (isAsAssumed) return
    const seen = `windows of ${showLimit(judged.limit)} explain every answer; whether they are the limit in force is not known`
    for (const requirement of sizes) leaveUndecided(requirement, `${seen}: ${hint}`)
    return
  }
  if (judged && probe && isSliding) expectClaims(context, probe, judged, ['RATE-03'])
  else leaveUndecided('RATE-03', openFor(found, hint))
  for (const requirement of ['RATE-08', ...sizes] as const)
    leaveUndecided(requirement, openFor(found, hint))
}

function openFor({ reason }: UnknownWindow, hint: string): string {
  return `the size of the window is not known and could not be learned (${reason}): ${hint}`
}
