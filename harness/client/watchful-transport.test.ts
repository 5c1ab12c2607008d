import { expect, test, vi } from 'vitest'
import type { Transport, WireRequest, WireResponse } from './exchange.ts'
import { isUnanswered, watchfulTransport } from './watchful-transport.ts'

const QUESTION: WireRequest = { method: 'GET', url: 'http://t/are-you-there', headers: [] }
const OTHER: WireRequest = { method: 'GET', url: 'http://t/', headers: [] }
const ANSWER: WireResponse = { status: 401, headers: [], body: '', truncated: false }

/** Ends what hangs. */
const WAITED = { timeout: 120_000 }

type Behaviour = (request: WireRequest) => Promise<WireResponse>

function silence(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function watched(behave: Behaviour): {
  transport: Transport
  onLost: () => void
  asked: () => number
} {
  const onLost = vi.fn()
  let asked = 0
  const transport = watchfulTransport(
    {
      send: (request, _hooks, signal) => {
        if (request === QUESTION) asked += 1
        return Promise.race([behave(request), silence(signal)])
      },
      close: () => Promise.resolve(),
    },
    { onLost, question: QUESTION, silenceMs: 100, replyMs: 100 },
  )
  return { transport, onLost, asked: () => asked }
}

test('a target that takes requests and answers none is lost, though nothing failed', async () => {
  const { transport, onLost, asked } = watched(() => silence())
  void transport.send(OTHER)
  await vi.waitFor(() => expect(onLost).toHaveBeenCalled(), WAITED)
  expect(asked()).toBe(1)
  await transport.close()
})

test('an operation that never answers is no lost target', async () => {
  const { transport, onLost, asked } = watched((request) =>
    request === QUESTION ? Promise.resolve(ANSWER) : silence(),
  )
  void transport.send(OTHER)
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(2), WAITED)
  expect(onLost).not.toHaveBeenCalled()
  await transport.close()
})

test('a target that is asked nothing is not asked whether it is there', async () => {
  const { transport, onLost, asked } = watched(() => Promise.resolve(ANSWER))
  await transport.send(OTHER)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked()).toBe(0)
  expect(onLost).not.toHaveBeenCalled()
  await transport.close()
})

test.each([
  ['ECONNREFUSED', true],
  ['UND_ERR_HEADERS_TIMEOUT', true],
  ['UND_ERR_BODY_TIMEOUT', true],
  ['HPE_INVALID_CONSTANT', false],
  ['ABANDONED', false],
])('%s is no answer: %s', (code, expected) => {
  expect(isUnanswered(code)).toBe(expected)
})
