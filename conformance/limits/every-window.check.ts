import type { WindowLimit } from '../../contract/limits.ts'
import { waitRule } from '../../harness/judge/rules/refusals.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  offeredOf,
  isThrottled,
  makerOf,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { POSITIONS } from '../steps/cart.ts'
import { judgeBursts } from '../steps/limits/window-bursts.ts'
import { COUNT, SCOPES, sendingAs, untilRefused } from '../steps/limits/endpoints.ts'
import { areWithin, RETURN_429_UNPACED, type Send } from '../steps/rate-limits/between-refusals.ts'
import { claimSeconds } from '../steps/rate-limits/probe.ts'
import { ENDPOINTS, limitNameOf } from '../steps/requests.ts'
import { atRest, expectEach } from '../steps/rules.ts'

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
  /** When it was open, milliseconds: it is waited for no longer than it is reported to last from there. */
  readonly openAtMs?: number
}

/** A spent window, its end, and the next one, which is spent all but one at once. */
type Opened = Watched & {
  /** The first request after the wait that was asked for. */
  readonly opening: Exchange
  /** Those right after it. */
  readonly burst: readonly Exchange[]
}

/** Asks each endpoint once, and spends its window later: one that slides then gives only a part back when it is over. */
async function spendAll(context: CheckContext, api: Api): Promise<readonly Watched[]> {
  const { target, limit, wait } = context
  const report = await api.rateLimits(RETURN_429_UNPACED)
  const asked: (Pick<Watched, 'name' | 'limit' | 'send'> & { readonly first: Exchange })[] = []
  for (const form of offeredOf(target, ENDPOINTS)) {
    const sending = await sendingAs(context, form)
    if (!sending) continue
    const send: Send = () => sending.send(api)
    const first = await send()
    if (!isAccepted(first)) continue
    const own = reportedLimit(target, report, limitNameOf(form))
    asked.push({ name: form.name, limit: own, send, first })
  }
  await wait(WAIT, SPREAD_SHARE * limit('default').windowSeconds * 1000)
  const watched: Watched[] = []
  for (const { first, ...each } of asked) {
    const sent = await untilRefused(each.send)
    judgeBeyondTwo(context, each, [first, ...sent])
    const refused = sent.at(-1)
    if (!refused || !isThrottled(refused)) continue
    const spent = { ...each, refused }
    if (each.limit)
      expectEach(context, atRest([waitRule(each.limit)]), {
        answers: [refused],
        what: `refusals of ${each.name}`,
      })
    const openAtMs = isPromise(context, spent) ? {} : openIn([first, ...sent], each.limit)
    watched.push({ ...spent, ...openAtMs })
  }
  return watched
}

/** Whether the wait is what was asked for. RATE-07 judges what cannot be read; a whole window is waited for then. */
function isPromise({ limit }: CheckContext, { refused }: Watched): boolean {
  return retryAfterSeconds(refused) === claimSeconds(refused, limit('default'))
}

/** When a window was open, if all of these lie in one. An edge in between would have left a part of the next budget. */
function openIn(
  sent: readonly Exchange[],
  limit: WindowLimit | undefined,
): Pick<Watched, 'openAtMs'> {
  const [first] = sent
  const isOneWindow = sent.filter(isAccepted).length === limit?.count
  return first && isOneWindow ? { openAtMs: first.receivedAtMs } : {}
}

/** When its Retry-After says that it ends. */
function promisedMs({ limit }: CheckContext, { refused }: Watched): number {
  return refused.receivedAtMs + claimSeconds(refused, limit('default')) * 1000
}

/** A refusal of a window that ends later than it is reported may ask for a longer wait. */
function dueMs(context: CheckContext, watched: Watched): number {
  const { openAtMs, limit } = watched
  const promised = promisedMs(context, watched)
  const lastMs = (openAtMs ?? Infinity) + (limit?.windowSeconds ?? Infinity) * 1000
  return Math.min(promised, lastMs)
}

/** What is to be done with an endpoint at a moment. It may give what is to be done next. */
type Step = { readonly atMs: number; readonly act: () => Promise<Step | undefined> }

/** In the order in which they are due, so that all windows are waited for at once. */
async function inTurn(context: CheckContext, first: readonly Step[]): Promise<void> {
  const steps = [...first]
  while (steps.length > 0) {
    steps.sort((one, other) => one.atMs - other.atMs)
    const [next] = steps.splice(0, 1) as [Step]
    const leftMs = next.atMs - context.clock.nowMs()
    if (leftMs > 0) await context.wait(WAIT, leftMs)
    const following = await next.act()
    if (following) steps.push(following)
  }
}

/** Who waits as long as was asked for is not refused by the same window. */
function judgeOpening(context: CheckContext, watched: Watched, opening: Exchange): boolean {
  const { name, refused, limit } = watched
  if (dueMs(context, watched) < promisedMs(context, watched))
    return context.expect('RATE-03').that(`${name}: as long after a window was open as it lasts`, {
      holds: !isThrottled(opening),
      expected: `not 429: no window lasts longer than the ${limit?.windowSeconds} s that are reported`,
      exchanges: [refused, opening],
    })
  if (!isPromise(context, watched)) return !isThrottled(opening)
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
function judgeBudget({ expect }: CheckContext, { name, limit, opening, burst }: Opened): void {
  const all = [opening, ...burst]
  if (!limit || !areWithin(all, BRIEF_SHARE * limit.windowSeconds * 1000)) return
  const admitted = all.filter((each) => !isThrottled(each)).length
  const wanted = Math.min(limit.count, all.length)
  expect('RATE-03').that(`${name}: the budget of a window that has just begun`, {
    holds: admitted >= wanted,
    expected: `${wanted} of ${limit.count} requests at once: windows are fixed`,
    observed: `${admitted} requests passed`,
    exchanges: all.slice(-3),
  })
}

/** Right after an opening: all but one, so that the last is spent later in the window. */
async function spendMost({ send, limit }: Watched): Promise<readonly Exchange[]> {
  const burst: Exchange[] = []
  for (let left = Math.min(limit?.count ?? 0, COUNT) - 2; left > 0; left--) burst.push(await send())
  return burst
}

/** Spends the rest of a window. Undefined where it is not refused, or where another one began meanwhile. */
async function spendRest(context: CheckContext, opened: Opened): Promise<Watched | undefined> {
  const { opening, burst, send, limit, look, refused: before, name } = opened
  const rest = burst.some(isThrottled) ? [] : await untilRefused(send)
  const all = [opening, ...burst, ...rest]
  judgeBeyondTwo(context, opened, all)
  const refused = all.findLast(isThrottled)
  if (!refused) return undefined
  return { name, send, limit, refused, look: look ?? before, ...openIn(all, limit) }
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
async function judgeBurst(
  context: CheckContext,
  { name, send, limit }: Watched,
  opening: Exchange,
): Promise<void> {
  if (!limit || limit.count > 2 * COUNT || isThrottled(opening)) return
  await judgeBursts(context, { name, send, limit, earlier: [opening] })
}

export const everyWindow = check({
  id: 'limits.every-window',
  title:
    'the windows of each endpoint end after their Retry-After, begin whole and last as reported',
  requirements: ['RATE-02', 'RATE-03', 'RATE-07', 'RATE-08'],
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
    const reopened: Watched[] = []
    const end = async (each: Watched): Promise<undefined> => {
      const again = await each.send()
      judgeOpening(context, each, again)
      judgeLength(context, each, again)
      await judgeBurst(context, each, again)
    }
    const spendLast = async (opened: Opened): Promise<Step | undefined> => {
      const each = await spendRest(context, opened)
      if (!each) return undefined
      reopened.push(each)
      return { atMs: dueMs(context, each) + context.slackMs, act: () => end(each) }
    }
    const open = async (
      each: Watched,
      opening: Exchange,
      isEarly: boolean,
    ): Promise<Step | undefined> => {
      if (!judgeOpening(context, each, opening)) return undefined
      // What is open before it was promised may be refused again soon.
      const burst = isEarly ? await untilRefused(each.send) : await spendMost(each)
      const opened = { ...each, opening, burst }
      judgeBudget(context, opened)
      const restMs = isEarly ? 0 : SPREAD_SHARE * windowSeconds * 1000
      return { atMs: opening.receivedAtMs + restMs, act: () => spendLast(opened) }
    }
    const lookSeconds = LOOK_SHARE * windowSeconds
    // The last look of short windows is the first.
    const beforeMs = [...new Set([lookSeconds, Math.min(lookSeconds, LAST_LOOK_SECONDS)])].map(
      (seconds) => -1000 * seconds,
    )
    const look = (each: Watched, [nextMs, ...laterMs]: readonly number[]): Step => ({
      atMs: dueMs(context, each) + (nextMs ?? context.slackMs),
      act: async () => {
        const exchange = await each.send()
        const isEarly = nextMs !== undefined
        if (isEarly && isThrottled(exchange)) return look({ ...each, look: exchange }, laterMs)
        return open(each, exchange, isEarly)
      },
    })
    await inTurn(
      context,
      spent.map((each) => look(each, beforeMs)),
    )
    if (!spent.some((each) => isPromise(context, each)))
      context.leaveUndecided('RATE-08', 'no Retry-After of an endpoint can be read')
    const isToldOf = (windows: readonly Watched[]): boolean => windows.some(({ limit }) => limit)
    for (const [requirement, windows] of [
      ['RATE-02', reopened],
      ['RATE-03', reopened],
      ['RATE-07', spent],
    ] as const)
      if (!isToldOf(windows))
        context.leaveUndecided(
          requirement,
          'no report gives the limit of an endpoint',
          'inapplicable',
        )
  },
})
