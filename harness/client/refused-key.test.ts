import { afterEach, expect, test, vi } from 'vitest'
import type { WireRequest } from './exchange.ts'
import { keyWatchingTransport } from './refused-key.ts'

const HEADERS: WireRequest['headers'] = [['X-API-Key', 'k']]
const QUESTION: WireRequest = { method: 'GET', url: 'http://t/whoami', headers: HEADERS }

afterEach(() => void vi.restoreAllMocks())

/** Takes the key once, then answers as told, on so many paths, for so long. */
async function told(
  answer: (request: WireRequest) => number,
  { paths = 2, ms = 2_500, first = 200 } = {},
): Promise<number> {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const onRefused = vi.fn()
  let isFirst = true
  const transport = keyWatchingTransport(
    {
      send: (request) => {
        const status = isFirst ? first : answer(request)
        isFirst = false
        return Promise.resolve({ status, headers: [], body: '', truncated: false })
      },
      close: () => Promise.resolve(),
    },
    { header: 'x-api-key', key: 'k', refusals: [401, 403], question: QUESTION, onRefused },
  )
  for (let index = 0; index < 50; index++) {
    nowMs += ms / 50
    await transport.send({ method: 'GET', url: `http://t/${index % paths}`, headers: HEADERS })
  }
  await Promise.resolve()
  return onRefused.mock.calls.length
}

test('a key that was taken and is refused everywhere is told once', async () => {
  expect(await told(() => 401)).toBe(1)
})

test.each<[string, Parameters<typeof told>]>([
  ['a key that the question finds live', [({ url }) => (url === QUESTION.url ? 200 : 403)]],
  ['a key that one path takes', [({ url }) => (url.endsWith('/1') ? 200 : 403)]],
  ['a key that one path alone refuses', [() => 403, { paths: 1 }]],
  ['a key that is refused for a moment', [() => 401, { ms: 500 }]],
  ['a key that was never taken', [() => 401, { first: 401 }]],
])('%s is not told', async (_what, parameters) => {
  expect(await told(...parameters)).toBe(0)
})
