import type { WindowLimit } from '../../contract/limits.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  isOffered,
  isThrottled,
  makerOf,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { POSITIONS } from '../steps/cart.ts'
import { judgeCrowds } from '../steps/limits/crowds.ts'
import { COUNT, SCOPES, sendingAs, untilRefused } from '../steps/limits/endpoints.ts'
import { areWithin, RETURN_429_UNPACED, type Send } from '../steps/rate-limits/between-refusals.ts'
import { claimSeconds } from '../steps/rate-limits/probe.ts'
import { ENDPOINTS } from '../steps/requests.ts'

/** A whole budget is spent in so small a part of a window that hardly an edge falls into it. */
const BRIEF_SHARE = 0.1

/** A look so long before the wait is over tells when the window ended. */
const LOOK_SHARE = 0.2

/** The last look comes so long before that: a wait in whole seconds is up to one second too long. */
const LAST_LOOK_SECONDS = 1

/** How long the budget is spent after the first request. */
const SPREAD_SHARE = 0.25

const WAIT = 'the Retry-After of an endpoint'

/** An endpoint of an account that nobody else uses. */
type Watched = {
  readonly name: string
  readonly send: Send
  /** As the report of the account gives it; undefined where it does not. */
  readonly limit: WindowLimit | undefined
  /** What the wait is read from. */
  readonly refused: Exchange
  /** A later look that was refused: the window ended after it. */
  readonly look?: Exchange
  /** It is waited for no longer than it is reported to last. */
  readonly isReopened?: true
}

/** A spent window, its end, and the next one, spent at once. */
type Reopened = Watched & {
  /** The first request after the wait that was asked for. */
  readonly opening: Exchange
  /** Those after it. The last one is refused. */
  readonly burst: readonly Exchange[]
}

/** Asks each endpoint once, and spends its window later: one that slides then gives only a part back when it is over. */
async function spendAll(context: CheckContext, api: Api): Promise<readonly Watched[]> {
  const { target, limit, wait } = context
  const report = await api.rateLimits(RETURN_429_UNPACED)
  const asked: Pick<Watched, 'name' | 'limit' | 'send'>[] = []
  for (const { name, ...form } of ENDPOINTS.filter(({ needs }) => isOffered(target, needs))) {
    const sending = await sendingAs(context, { name, ...form })
    if (!sending) continue
    const send: Send = () => sending.send(api)
    const first = await send()
    const { operation } = first
    if (!isAccepted(first) || operation === 'raw' || operation === 'getOrders') continue
    const own = reportedLimit(target, report, `operations.${operation}`)
    asked.push({ name, limit: own, send })
  }
  await wait(WAIT, SPREAD_SHARE * limit('default').windowSeconds * 1000)
  const watched: Watched[] = []
  for (const each of asked) {
    const sent = await untilRefused(each.send)
    judgeBeyondTwo(context, each, sent)
    const refused = sent.at(-1)
    if (refused && isThrottled(refused)) watched.push({ ...each, refused })
  }
  return watched
}

/** Whether the wait is what was asked for. RATE-07 judges what cannot be read; a whole window is waited for then. */
function isPromise({ limit }: CheckContext, { refused }: Watched): boolean {
  return retryAfterSeconds(refused) === claimSeconds(refused, limit('default'))
}

/** A refusal of a window that ends later than it is reported may ask for a longer wait. */
function waitSeconds(
  { limit }: CheckContext,
  { refused, limit: own, isReopened }: Watched,
): number {
  const asked = claimSeconds(refused, limit('default'))
  return isReopened && own ? Math.min(asked, own.windowSeconds) : asked
}

function dueMs(context: CheckContext, watched: Watched): number {
  return watched.refused.receivedAtMs + waitSeconds(context, watched) * 1000
}

/** In the order in which they ask to be tried again, so that all windows are waited for at once. */
async function inTurn(
  context: CheckContext,
  watched: readonly Watched[],
  afterDueMs: number,
  act: (each: Watched) => Promise<void>,
): Promise<void> {
  const due = watched.map((each) => ({ each, atMs: dueMs(context, each) + afterDueMs }))
  for (const { each, atMs } of due.toSorted((one, other) => one.atMs - other.atMs)) {
    const leftMs = atMs - context.clock.nowMs()
    if (leftMs > 0) await context.wait(WAIT, leftMs)
    await act(each)
  }
}

/** Who waits as long as was asked for is not refused by the same window. */
function judgeOpening(context: CheckContext, watched: Watched, opening: Exchange): boolean {
  if (!isPromise(context, watched)) return !isThrottled(opening)
  const { name, refused, limit } = watched
  const seconds = waitSeconds(context, watched)
  if (seconds < claimSeconds(refused, context.limit('default')))
    return context.expect('RATE-03').that(`${name}: ${seconds} s after a refusal`, {
      holds: !isThrottled(opening),
      expected: `not 429: no window lasts longer than the ${limit?.windowSeconds} s that are reported`,
      exchanges: [refused, opening],
    })
  return context.expect('RATE-08').that(`${name}: after its Retry-After`, {
    holds: !isThrottled(opening),
    expected: 'not 429: the window has ended',
    exchanges: [refused, opening],
  })
}

/** Less time than a window holds one edge at most: two budgets pass then, and no more. */
function judgeBeyondTwo(
  { expect, slackMs }: CheckContext,
  { name, limit }: Pick<Watched, 'name' | 'limit'>,
  sent: readonly Exchange[],
): void {
  const passed = sent.filter(isAccepted)
  if (!limit || !areWithin(passed, limit.windowSeconds * 1000 - slackMs)) return
  if (passed.length <= 2 * limit.count) return
  expect('RATE-02').that(`${name}: ${passed.length} requests within a window`, {
    holds: false,
    expected: `HTTP 429: ${limit.count} in ${limit.windowSeconds} s are reported`,
    exchanges: passed.slice(-2),
  })
}

/** Nobody else spends the new window: its whole budget is there, and no more than that. */
function judgeBudget({ expect }: CheckContext, { name, limit, opening, burst }: Reopened): void {
  const all = [opening, ...burst]
  if (!limit || !areWithin(all, BRIEF_SHARE * limit.windowSeconds * 1000)) return
  const admitted = all.filter((each) => !isThrottled(each)).length
  expect('RATE-03').that(`${name}: the budget of a window that has just begun`, {
    holds: admitted >= limit.count || !all.some(isThrottled),
    expected: `${limit.count} requests at once: windows are fixed`,
    observed: `${admitted} requests passed`,
    exchanges: all.slice(-3),
  })
}

/** Between two refusals with an edge before each and an opening after each lies one window at least. */
function judgeLength(
  { expect, slackMs }: CheckContext,
  { name, limit, refused, look = refused }: Watched,
  again: Exchange,
): void {
  if (!limit || isThrottled(again)) return
  const windowMs = limit.windowSeconds * 1000
  const spanMs = again.receivedAtMs - look.sentAtMs
  expect('RATE-02').that(`${name}: a window between two that were spent`, {
    holds: spanMs + slackMs >= windowMs,
    expected: `${limit.windowSeconds} s at least from a refusal to the end of the next window`,
    observed: `${Math.round(spanMs)} ms`,
    exchanges: [look, again],
  })
}

/** After the first request of a window. */
async function judgeCrowd(
  context: CheckContext,
  { name, send, limit }: Watched,
  opening: Exchange,
): Promise<void> {
  if (!limit || limit.count > 2 * COUNT || isThrottled(opening)) return
  await judgeCrowds(context, { name, send, limit, earlier: [opening] })
}

export const everyWindow = check({
  id: 'limits.every-window',
  title:
    'the windows of each endpoint end after their Retry-After, begin whole and last as reported',
  requirements: ['RATE-02', 'RATE-03', 'RATE-08'],
  needs: {
    roles: ['full'],
    purchases: 1 + POSITIONS,
    waits: [{ windows: 2 + SPREAD_SHARE, of: ['default'], seconds: 2, reason: WAIT }],
    ofKeysOfFile: onlyWithControlSide('accounts with limits of their own'),
  },
  run: async (context) => {
    const { windowSeconds } = context.limit('default')
    const limits = { default: { count: COUNT, windowSeconds } }
    const [api] = (await makerOf(context)({ keys: [{ scopes: SCOPES }], limits })) as [Api]
    const spent = await spendAll(context, api)
    if (spent.length === 0) inconclusive('no endpoint was spent')
    const reopened: Reopened[] = []
    const open = async (each: Watched, opening: Exchange): Promise<void> => {
      if (!judgeOpening(context, each, opening)) return
      const burst = await untilRefused(each.send)
      judgeBeyondTwo(context, each, [opening, ...burst])
      const next = { ...each, opening, burst }
      judgeBudget(context, next)
      const refused = burst.at(-1)
      if (refused && isThrottled(refused))
        reopened.push({ ...next, refused, look: each.look ?? each.refused, isReopened: true })
    }
    const lookSeconds = LOOK_SHARE * windowSeconds
    let spentStill: readonly Watched[] = spent
    // The last look of short windows is the first.
    for (const seconds of new Set([lookSeconds, Math.min(lookSeconds, LAST_LOOK_SECONDS)])) {
      const refused: Watched[] = []
      await inTurn(context, spentStill, -seconds * 1000, async (each) => {
        const look = await each.send()
        if (isThrottled(look)) refused.push({ ...each, look })
        else await open(each, look)
      })
      spentStill = refused
    }
    await inTurn(context, spentStill, context.slackMs, async (each) =>
      open(each, await each.send()),
    )
    await inTurn(context, reopened, context.slackMs, async (each) => {
      const again = await each.send()
      judgeOpening(context, each, again)
      judgeLength(context, each, again)
      await judgeCrowd(context, each, again)
    })
    if (!spent.some((each) => isPromise(context, each)))
      context.leaveUndecided('RATE-08', 'no Retry-After of an endpoint can be read')
    for (const requirement of ['RATE-02', 'RATE-03'] as const)
      if (!reopened.some(({ limit }) => limit))
        context.leaveUndecided(
          requirement,
          'no report gives the limit of an endpoint',
          'inapplicable',
        )
  },
})
