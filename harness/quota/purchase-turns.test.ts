import { expect, test } from 'vitest'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { PurchaseTurns, UNDER_WAY_MAX } from './purchase-turns.ts'

const FREE: Pacer = { admit: () => undefined, settle: () => {} }

function purchase(overrides: Partial<Call> = {}): Call {
  return {
    check: 'a.check',
    operation: 'createOrder',
    role: 'full',
    account: 'main',
    keyVariable: 'ORDERING_KEY',
    method: 'POST',
    url: 'http://127.0.0.1:1/api/v1/orders',
    headers: [],
    ...overrides,
  }
}

function answer(status: number): Exchange {
  return { response: { status } } as Exchange
}

/** Turns of a key whose orders were seen to contend. */
function contended(): PurchaseTurns {
  const turns = new PurchaseTurns(FREE)
  const first = purchase()
  expect(turns.admit(first)).toBeUndefined()
  turns.settle(first, answer(429))
  return turns
}

async function isWaiting(admitted: Promise<void> | undefined): Promise<boolean> {
  const tick = new Promise((resolve) => setImmediate(resolve, 'waiting'))
  return (await Promise.race([admitted, tick])) === 'waiting'
}

test('few purchases of a key go side by side until one was refused', async () => {
  const turns = new PurchaseTurns(FREE)
  const first = purchase()
  expect(turns.admit(first)).toBeUndefined()
  for (let under = 1; under < UNDER_WAY_MAX; under++)
    expect(turns.admit(purchase())).toBeUndefined()
  const waiting = turns.admit(purchase())
  expect(await isWaiting(waiting)).toBe(true)
  expect(turns.admit(purchase({ meets: true }))).toBeUndefined()
  turns.settle(first, answer(200))
  await waiting
})

test('then one at a time, in the order in which they came', async () => {
  const turns = contended()
  const [a, b, c] = [purchase(), purchase({ operation: 'createCart' }), purchase()]
  expect(turns.admit(a)).toBeUndefined()
  const second = turns.admit(b)
  const third = turns.admit(c)
  expect(await isWaiting(second)).toBe(true)
  turns.settle(a, answer(202))
  await second
  expect(await isWaiting(third)).toBe(true)
  turns.settle(b, answer(429))
  await third
})

test('purchases that are to meet, those of other keys and what buys nothing do not wait', () => {
  const turns = contended()
  expect(turns.admit(purchase())).toBeUndefined()
  for (const free of [
    purchase({ meets: true }),
    purchase({ keyVariable: 'ORDERING_KEY_SIBLING' }),
    purchase({ account: 'other' }),
    purchase({ operation: 'getOrders' }),
  ])
    expect(turns.admit(free)).toBeUndefined()
})

test('the turn comes after the quota', async () => {
  const quota = Promise.withResolvers<void>()
  const slow = purchase()
  const pacer: Pacer = {
    admit: (call) => (call === slow ? quota.promise : undefined),
    settle: () => {},
  }
  const turns = new PurchaseTurns(pacer)
  const refused = purchase()
  void turns.admit(refused)
  turns.settle(refused, answer(429))
  const waiting = turns.admit(slow)
  const quick = purchase()
  expect(turns.admit(quick)).toBeUndefined()
  turns.settle(quick, answer(200))
  quota.resolve()
  await waiting
})

test('who waits for a turn ends with the run', async () => {
  const turns = contended()
  void turns.admit(purchase())
  const stop = new AbortController()
  const waiting = turns.admit(purchase(), stop.signal)
  stop.abort(new Error('interrupted'))
  await expect(waiting).rejects.toThrow('interrupted')
})
