import type { CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import { inconclusive, isThrottled, messageOf, showAnswer, showRequest } from '../../engine/kit.ts'
import { counterOf, unknownWindowOf } from '../../engine/own-window.ts'
import { mayRefuseFirst } from '../rate-limits/check-bucket.ts'
import type { BetweenRefusals } from '../rate-limits/between-refusals.ts'

/** Whether what was sent between two refusals of a spent counter counts in it, each or one by one. */
export function expectCounter(
  context: CheckContext,
  requirement: RequirementId,
  { before, probes, after, refusedAlone, pairOf }: BetweenRefusals,
  kind: 'shared' | 'separate',
): void {
  const { expect, leaveUndecided } = context
  const spentByOthers: string[] = []
  for (const probe of probes) {
    const refused = isThrottled(probe)
    const mayBeOwn = refused && kind === 'separate' && !isByCheckBucket(before, probe)
    const ownWindow = mayBeOwn ? ownWindowOf(context, before, probe) : undefined
    if (
      refusedAlone?.has(probe) ||
      (mayBeOwn && ownWindow === undefined && isShared(context, probe))
    ) {
      spentByOthers.push(showRequest(probe))
      continue
    }
    if (ownWindow !== undefined) {
      leaveUndecided(requirement, `${showRequest(probe)} was refused, perhaps by ${ownWindow}`)
      continue
    }
    const [refusedBefore, refusedAfter] = pairOf?.get(probe) ?? [before, after]
    expect(requirement).that(
      `${showRequest(probe)}, while the window of ${showRequest(before)} is spent`,
      {
        holds: kind === 'shared' ? refused : !refused,
        expected:
          kind === 'shared'
            ? 'HTTP 429: both share a counter'
            : 'not 429: each has its own counter',
        observed: showAnswer(probe),
        exchanges: [refusedBefore, probe, refusedAfter],
        offending: probe,
      },
    )
  }
  if (spentByOthers.length > 0)
    inconclusive(
      `${spentByOthers.join(', ')}: refused, perhaps by its own window, which others who use the account may have spent`,
    )
}

/** Of a budget: who has the same account may have spent the rest of it. */
const OWN_SHARE = 0.25

/** What a check sends itself is more than that share of a smaller budget. */
const SHARED_COUNT_MIN = 20

/** Whether this run and others who use the account may have spent the window of a request together. */
function isShared(context: CheckContext, probe: Exchange): boolean {
  const { bucket, operation } = counterOf(probe)
  if (context.isFresh || context.limit(bucket, operation).count < SHARED_COUNT_MIN) return false
  return context.mayHaveSpent(probe, { share: OWN_SHARE })
}

/** A refusal by the check bucket names it, as the interface gives its name: that of a purchase which says so is no other window's. */
function isByCheckBucket(...refusals: readonly Exchange[]): boolean {
  return refusals.every((refusal) => /\(check\)/i.test(messageOf(refusal)))
}

/** The window that may have refused a request by itself, as far as the counter that was spent has nothing to do with it. */
function ownWindowOf(context: CheckContext, before: Exchange, probe: Exchange): string | undefined {
  const isBesideChecks = [before, probe].every(({ operation }) => operation === 'createOrder')
  if (isBesideChecks && mayRefuseFirst(context))
    return 'the window of POST /orders, which may count checks too'
  if (context.isFirstAsked(probe)) return undefined
  const unknown = unknownWindowOf(context, probe)
  if (unknown !== undefined) return unknown
  return context.mayHaveSpent(probe) ? 'its own window, which other checks spent' : undefined
}
