import { expect, test } from 'vitest'
import type { Exchange } from '../../../harness/client/exchange.ts'
import type { CheckContext } from '../../engine/check.ts'
import { betweenRefusals, type BetweenRefusals } from './between-refusals.ts'
import { isThrottled } from '../../engine/answer.ts'

const WINDOW_SECONDS = 60
const REQUEST_MS = 400

/** A service with windows of one request, which probes share with what is spent or not. The edge comes before the first probe. */
async function pairAtEdge(probesShare: boolean, sharing: boolean): Promise<BetweenRefusals> {
  let nowMs = WINDOW_SECONDS * 1000 - 2 * REQUEST_MS
  const spent = new Map<string, number>()
  const send = (counter: string) => (): Promise<Exchange> => {
    const sentAtMs = nowMs
    nowMs += REQUEST_MS
    const window = Math.floor(sentAtMs / 1000 / WINDOW_SECONDS)
    const key = `${counter} ${window}`
    const before = spent.get(key) ?? 0
    spent.set(key, before + 1)
    const response = { status: before < 1 ? 200 : 429, headers: [], body: '', truncated: false }
    return Promise.resolve({ sentAtMs, receivedAtMs: nowMs, response } as unknown as Exchange)
  }
  const context = {
    limit: () => ({ count: 1, windowSeconds: WINDOW_SECONDS, source: 'rate-limits' }),
    slackMs: 250,
    isFresh: true,
    wait: (_reason: string, ms: number) => {
      nowMs += ms
      return Promise.resolve()
    },
  } as unknown as CheckContext
  const probe = send(probesShare ? 'one' : 'another')
  return betweenRefusals(context, {
    bucket: 'orders.unhide.completed',
    spend: send('one'),
    probes: [probe],
    sharing,
  })
}

test('a probe that an edge admitted, and that spent the next window of one, is tried again', async () => {
  const found = await pairAtEdge(true, true)
  expect([found.before, ...found.probes, found.after].map(isThrottled)).toEqual([true, true, true])
})

test('without that, one such edge looks like a counter of its own', async () => {
  const { probes } = await pairAtEdge(true, false)
  expect(probes.map(isThrottled)).toEqual([false])
})

test('a counter of its own is told by probes that are admitted at moments that no edge shares', async () => {
  const { probes } = await pairAtEdge(false, true)
  expect(probes.map(isThrottled)).toEqual([false])
})

test('what took longer than a window to spend is tried again', async () => {
  let nowMs = 0
  let sent = 0
  const spent = new Map<number, number>()
  const send = (): Promise<Exchange> => {
    const sentAtMs = nowMs
    // Slow at first: five requests meet three windows of two.
    nowMs += ++sent <= 5 ? 600 : 1
    const window = Math.floor(sentAtMs / 1000)
    const before = spent.get(window) ?? 0
    spent.set(window, before + 1)
    const response = { status: before < 2 ? 200 : 429, headers: [], body: '' }
    return Promise.resolve({ sentAtMs, receivedAtMs: nowMs, response } as unknown as Exchange)
  }
  const context = { limit: () => ({ count: 2, windowSeconds: 1 }), slackMs: 50 }
  const { before, after } = await betweenRefusals(context as unknown as CheckContext, {
    bucket: 'default',
    spend: send,
    probes: [],
  })
  expect([before, after].map(isThrottled)).toEqual([true, true])
  expect(sent).toBeGreaterThan(5)
})

test.each([
  ['by the counter that is spent', false],
  ['by others who use the account all the time', true],
])('a refused probe is asked again alone: %s', async (_, isByOthers) => {
  let nowMs = 0
  const spentIn = new Set<number>()
  const answer = (isRefused: boolean): Promise<Exchange> => {
    const sentAtMs = nowMs++
    const response = { status: isRefused ? 429 : 200, headers: [], body: '' }
    return Promise.resolve({ sentAtMs, receivedAtMs: nowMs, response } as unknown as Exchange)
  }
  const window = (): number => Math.floor(nowMs / 1000 / WINDOW_SECONDS)
  const isSpent = (): boolean => spentIn.has(window())
  const spend = (): Promise<Exchange> => {
    const isRefused = isSpent()
    spentIn.add(window())
    return answer(isRefused)
  }
  const context = {
    limit: () => ({ count: 1, windowSeconds: WINDOW_SECONDS, source: 'rate-limits' }),
    slackMs: 250,
    isFresh: false,
    wait: (_reason: string, ms: number) => {
      nowMs += ms
      return Promise.resolve()
    },
  } as unknown as CheckContext
  const probes = [(): Promise<Exchange> => answer(isByOthers || isSpent())]
  const found = await betweenRefusals(context, { bucket: 'default', spend, probes })
  expect(found.probes.map(isThrottled)).toEqual([true])
  expect([...(found.refusedAlone ?? [])]).toEqual(isByOthers ? found.probes : [])
})

test('probes that take longer than a window together are sent in parts, each between two refusals of one window', async () => {
  let nowMs = 0
  const spentIn = new Set<number>()
  const send = (takesMs: number, counts: boolean) => (): Promise<Exchange> => {
    const sentAtMs = nowMs
    nowMs += takesMs
    const window = Math.floor(sentAtMs / 1000)
    const status = counts && spentIn.has(window) ? 429 : 200
    if (counts) spentIn.add(window)
    const response = { status, headers: [], body: '' }
    return Promise.resolve({ sentAtMs, receivedAtMs: nowMs, response } as unknown as Exchange)
  }
  const context = {
    limit: () => ({ count: 1, windowSeconds: 1, source: 'rate-limits' }),
    slackMs: 50,
    isFresh: true,
  } as unknown as CheckContext
  const times = [201, 202, 203, 204, 205, 206]
  const found = await betweenRefusals(context, {
    bucket: 'default',
    spend: send(1, true),
    probes: times.map((ms) => send(ms, false)),
  })
  expect(found.probes.map((each) => each.receivedAtMs - each.sentAtMs)).toEqual(times)
  for (const probe of found.probes) {
    const [before, after] = found.pairOf?.get(probe) ?? []
    expect([before, after].map((each) => each && isThrottled(each))).toEqual([true, true])
    const windows = [before, probe, after].map((each) => Math.floor((each?.sentAtMs ?? -1) / 1000))
    expect(new Set(windows).size).toBe(1)
  }
})
