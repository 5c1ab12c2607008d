import { expect, it } from 'vitest'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { expectCounter } from './counter.ts'

const BUCKET = 'The bucket POST /orders (check) is spent.'

function refused(statusMessage: string): Exchange {
  const request = { method: 'POST', url: 'http://a.test/api/v1/orders', body: '{}' }
  const response = { status: 429, body: '', headers: [] }
  const json = { statusMessage }
  return { operation: 'createOrder', role: 'full', account: 'a', request, response, json } as never
}

/** What is decided of a purchase that was refused while the check bucket was spent, where its own window is not known. */
function decided(message: string): readonly unknown[] {
  const seen: unknown[] = []
  const context = {
    expect: () => ({ that: (_: string, { holds }: { holds: boolean }) => seen.push(holds) }),
    isFirstAsked: () => false,
    leaveUndecided: () => seen.push('undecided'),
    limit: () => ({ count: 1000, windowSeconds: 60, source: 'default' }),
  } as unknown as CheckContext
  const [before, after] = [refused(BUCKET), refused(BUCKET)]
  expectCounter(context, 'RATE-24', { before, probes: [refused(message)], after }, 'separate')
  return seen
}

it('blames the check bucket for a purchase only where the refusal names it', () => {
  expect(decided(BUCKET)).toEqual([false])
  expect(decided('Too many requests: check Retry-After.')).toEqual(['undecided'])
})
