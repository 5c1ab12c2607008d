import { REFUSAL_RULES, waitRule } from '../../harness/judge/rules/refusals.ts'
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import type { CheckContext, CheckDefinition, Exchange, WindowNeed } from '../engine/kit.ts'
import { check, inconclusive, isThrottled, showAnswer } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS } from '../steps/orders.ts'
import {
  besideOthers,
  brokenIn,
  expectClaims,
  showFit,
  traceOf,
  type JudgedWindow,
} from '../steps/rate-limits/judge-window.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { decideWindow, PROBES_MAX } from '../steps/rate-limits/decide-window.ts'
import { probeWaits } from '../steps/rate-limits/probe.ts'
import { expectUnknownWindow, probeUnknown } from '../steps/rate-limits/unknown.ts'
import { isFailedByNoWindow } from '../steps/rate-limits/refusals.ts'
import { atRest, expectEach } from '../steps/rules.ts'

type Subject = {
  readonly bucket: Bucket
  readonly title: string
  readonly window: WindowNeed
  readonly needs: CheckDefinition['needs']
  /** Prepares what is read, and gives the request that the window counts. */
  readonly send: (context: CheckContext) => Promise<() => Promise<Exchange>>
}

const SUBJECTS = {
  services: {
    bucket: 'default',
    title: 'the window of the services listing',
    needs: { capabilities: ['catalog'] },
    window: { bucket: 'default', role: 'full', operation: 'listServices' },
    send: ({ api }) => {
      const full = api.as('full')
      return Promise.resolve(() => full.listServices({ limit: 1 }, RETURN_429_UNPACED))
    },
  },
  listing: {
    bucket: 'orders.list',
    title: 'the window of the unfiltered order listing',
    needs: {},
    window: { bucket: 'orders.list', role: 'full', operation: 'getOrders' },
    send: ({ api }) => {
      const full = api.as('full')
      return Promise.resolve(() => full.getOrders({}, RETURN_429_UNPACED))
    },
  },
  filtered: {
    bucket: 'orders.filtered',
    title: 'the window of masked reads by reference',
    // A real order: whether a read that finds nothing is an error, and counted, is not shown.
    needs: { ...BUYS_VOUCHERS, purchases: 1 },
    window: { bucket: 'orders.filtered', role: 'full', operation: 'getOrders' },
    send: async (context) => {
      const full = context.api.as('full')
      const { referenceId } = await buy(context)
      return () => full.getOrders({ referenceId }, RETURN_429_UNPACED)
    },
  },
} as const satisfies Record<string, Subject>

function windowCheck(name: string, subject: Subject): CheckDefinition {
  return check({
    id: `limits.window-${name}`,
    title: `${subject.title} is fixed and exact, and its Retry-After names its end`,
    requirements: [
      'RATE-01',
      'RATE-02',
      'RATE-03',
      'RATE-04',
      'RATE-05',
      'RATE-06',
      'RATE-07',
      'RATE-08',
      'LIMIT-01',
    ],
    needs: {
      ...subject.needs,
      roles: ['full'],
      windows: [subject.window],
      waits: probeWaits(subject.bucket, subject.window.operation),
      tries: PROBES_MAX,
    },
    run: async (context) => {
      const {
        bucket,
        window: { operation },
      } = subject
      if (!isSizeKnown(context.limit(bucket, operation))) return judgeUnknown(context, subject)
      const { probe, judged, doubt } = await decideWindow(context, subject.window, {
        send: await subject.send(context),
        // Alone on a fresh account, nothing but these requests can have been counted.
        completeness: context.isFresh ? 'complete' : 'partial',
      })
      context.trace(
        traceOf(judged, {
          bucket: subject.bucket,
          partition: subject.window.operation,
          phase: name,
        }),
      )
      expectRefusals(context, probe.all, judged.limit)
      expectClaims(context, probe, judged, doubt === undefined ? undefined : ['RATE-08'])
      if (doubt !== undefined) inconclusive(doubt)
      expectAsReported(context, subject, judged)
      observeStart(context, judged)
    },
  })
}

export const servicesWindow = windowCheck('services', SUBJECTS.services)
export const listingWindow = windowCheck('listing', SUBJECTS.listing)
export const filteredWindow = windowCheck('filtered', SUBJECTS.filtered)

/** Where nothing says how large the window is, what needs no size is judged by the size that shows. */
async function judgeUnknown(context: CheckContext, subject: Subject): Promise<void> {
  const { bucket, window } = subject
  const { operation } = window
  const counter = { bucket, operation, send: await subject.send(context) }
  const found = await probeUnknown(context, counter)
  const { all, judged } = found
  if (judged)
    context.trace(traceOf(judged, { bucket, partition: operation, phase: window.operation }))
  if (all.some(isThrottled)) expectRefusals(context, all, judged?.limit)
  else
    for (const requirement of ['RATE-04', 'RATE-05', 'RATE-06', 'RATE-07'] as const)
      context.leaveUndecided(requirement, `none of ${all.length} requests was answered by 429`)
  expectUnknownWindow(context, found, counter, ['RATE-01', 'RATE-02'])
  if (judged && found.isAsAssumed) expectAsReported(context, subject, judged)
  else
    context.leaveUndecided(
      'LIMIT-01',
      `what GET /rate-limits reports of this window is not read: ${howToTell(bucket, operation)}`,
    )
}

/** What a refusal looks like: RATE-04 to RATE-07. */
function expectRefusals(
  context: CheckContext,
  all: readonly Exchange[],
  limit: WindowLimit | undefined,
): void {
  const refused = all.filter(isThrottled)
  const odd = all.filter(isFailedByNoWindow)
  context.expect('RATE-04').that('requests beyond the budget are answered by 429', {
    holds: odd.length === 0,
    expected: `HTTP 200 up to ${limit ? `${limit.count} requests` : 'the budget'} and HTTP 429 beyond`,
    observed: odd[0] ? showAnswer(odd[0]) : `${refused.length} times 429`,
    exchanges: odd.length > 0 ? odd : refused,
  })
  if (refused.length === 0) return
  const rules = atRest([...REFUSAL_RULES, ...(limit ? [waitRule(limit)] : [])])
  expectEach(context, rules, { answers: refused, what: 'refusals' })
}

function expectAsReported(
  { expect, leaveUndecided, limit, isFresh }: CheckContext,
  { bucket, window: { operation } }: Subject,
  judged: JudgedWindow,
): void {
  const reported = limit(bucket, operation)
  if (reported.source !== 'rate-limits') {
    leaveUndecided(
      'LIMIT-01',
      `GET /rate-limits gave nothing usable for ${bucket}: ${howToTell(bucket, operation)}`,
    )
    return
  }
  const broken = brokenIn(judged)
  expect('LIMIT-01').that(`${bucket} keeps the limit that GET /rate-limits reports`, {
    holds: broken.length === 0,
    expected: `${reported.count} requests in ${reported.windowSeconds} s`,
    observed: besideOthers(showFit(broken), broken, isFresh),
    exchanges: broken,
  })
}

/** Where windows start is not shown. */
function observeStart(
  { observe, clock }: CheckContext,
  { verdict, history, limit }: JudgedWindow,
): void {
  const [edgeMs] = verdict.edgesMs
  if (edgeMs === undefined || verdict.model === 'anchored') {
    observe('OPEN-61', `${verdict.model} windows`, history.slice(0, 1))
    return
  }
  const wallMs = edgeMs + clock.wallMs() - clock.nowMs()
  const phaseSeconds = (wallMs / 1000) % limit.windowSeconds
  observe(
    'OPEN-61',
    `edges ${phaseSeconds.toFixed(2)} s after multiples of ${limit.windowSeconds} s of the epoch (our clock)`,
    history.slice(0, 1),
  )
}
