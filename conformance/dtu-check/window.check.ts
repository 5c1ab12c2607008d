import { isSizeKnown } from '../../harness/quota/effective-limits.ts'
import type { CheckContext } from '../engine/kit.ts'
import { check, inconclusive, isThrottled, showAnswer } from '../engine/kit.ts'
import { RETURN_429_UNPACED, type Send } from '../steps/rate-limits/between-refusals.ts'
import { decideWindow, PROBES_MAX } from '../steps/rate-limits/decide-window.ts'
import {
  besideOthers,
  brokenIn,
  expectClaims,
  showFit,
  traceOf,
} from '../steps/rate-limits/judge-window.ts'
import { probeWaits } from '../steps/rate-limits/probe.ts'
import { isFailedByNoWindow } from '../steps/rate-limits/refusals.ts'
import { expectUnknownWindow, probeUnknown } from '../steps/rate-limits/unknown.ts'
import { askForCheck, bucketOf, CHECKS_TOP_UPS } from '../steps/dtu-check.ts'
import { needAnswered } from '../steps/dtu-spent.ts'
import { leaveToOwnWindow } from '../steps/rate-limits/check-bucket.ts'

export const checkWindow = check({
  id: 'dtu-check.window',
  title: 'the check bucket is a fixed window with its whole budget',
  requirements: ['RATE-18', 'RATE-21', 'RATE-01', 'RATE-02', 'RATE-03', 'RATE-08'],
  needs: {
    ...CHECKS_TOP_UPS,
    windows: [bucketOf('full')],
    waits: probeWaits('orders.check', 'createOrder'),
    tries: PROBES_MAX,
  },
  run: async (context) => {
    const limit = context.limit('orders.check')
    const send = (): ReturnType<typeof askForCheck> => askForCheck(context, RETURN_429_UNPACED)
    await needAnswered(context)
    if (!isSizeKnown(limit)) return judgeUnknown(context, send)
    const counter = { bucket: 'orders.check', operation: 'createOrder' } as const
    // The control was counted before, so the first window is not known whole.
    const completeness = 'partial'
    const { probe, judged, doubt } = await decideWindow(context, counter, { send, completeness })
    const broken = brokenIn(judged)
    const others = probe.all.filter(isFailedByNoWindow)
    const refused = probe.all.filter(isThrottled)
    if (refused.length > 0) leaveToOwnWindow(context, refused, broken.length === 0)
    context.expect('RATE-21').that('checks beyond the budget are answered by 429', {
      holds: others.length === 0 && refused.length > 0,
      expected: `HTTP 429 beyond ${limit.count} checks in ${limit.windowSeconds} s`,
      observed: others[0] ? showAnswer(others[0]) : `${refused.length} times 429`,
      exchanges: others.length > 0 ? others : refused,
    })
    context.trace(
      traceOf(judged, { bucket: 'orders.check', partition: 'full', phase: 'check bucket' }),
    )
    expectClaims(context, probe, judged, doubt === undefined ? undefined : ['RATE-08'])
    if (doubt !== undefined) inconclusive(doubt)
    context.expect('RATE-18').that('the check bucket has the budget that is in force', {
      holds: broken.length === 0,
      expected: `${limit.count} requests with checkOnly in ${limit.windowSeconds} s (${limit.source})`,
      observed: besideOthers(showFit(broken), broken, context.isFresh),
      exchanges: broken,
    })
  },
})

/** Where nothing says how large the bucket is, what needs no size is judged by the size that shows. */
async function judgeUnknown(context: CheckContext, send: Send): Promise<void> {
  const counter = { bucket: 'orders.check', operation: 'createOrder', send } as const
  const found = await probeUnknown(context, counter)
  context.leaveUndecided('RATE-21', 'whether a check was beyond the budget is not known')
  expectUnknownWindow(context, found, counter, ['RATE-01', 'RATE-02', 'RATE-18'])
  if (found.isAsAssumed)
    context.expect('RATE-18').that('the check bucket has the budget of the interface', {
      holds: found.isFixed,
      expected: 'windows of that budget explain every answer',
      observed: 'they do',
      exchanges: found.all.filter(isThrottled),
    })
}
