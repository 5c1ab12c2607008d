import { expect, test } from 'vitest'
import type { Exchange } from '../../../harness/client/exchange.ts'
import { VirtualClock } from '../../../test/support/virtual-clock.ts'
import { learnWindow } from './learn.ts'

/** A service that never refuses, each answer of which takes so long. */
async function reasonWhereAnswersTake(answerMs: number): Promise<string> {
  const clock = new VirtualClock()
  const send = async (): Promise<Exchange> => {
    const sentAtMs = clock.nowMs()
    await clock.sleep(answerMs)
    const response = { status: 200, headers: [], body: '' }
    return { sentAtMs, receivedAtMs: clock.nowMs(), response } as unknown as Exchange
  }
  const limit = { count: 40, windowSeconds: 5, source: 'default' } as const
  return (await learnWindow({ send, clock, slackMs: 50, limit })).reason
}

test('a window that was never spent has a reason: its size, or slow answers', async () => {
  expect(await reasonWhereAnswersTake(1)).toBe('251 requests in a row were admitted')
  expect(await reasonWhereAnswersTake(2_000)).toMatch(
    /^\d+ requests took 1\d\.0 s, longer than the 5 s that a window may last/,
  )
})
