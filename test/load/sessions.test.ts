/** What buyers and shoppers send, one after the other, and where they end; answers come from a script. */
import { describe, expect, test } from 'vitest'
import { openModelPlan } from './sample-open-model.ts'
import type {
  SessionOperation,
  OpenModelFile,
  SessionKind,
} from '../../load/protocol/open-model.ts'
import { SESSIONS } from '../../load/workload/session.ts'
import type { SessionAnswer, SessionRequest } from '../../load/workload/session-io.ts'

const PLANNED = { method: 'GET', url: 'http://127.0.0.1:1/', reads: {} } as const

const PLAN = openModelPlan({
  operations: { masked: PLANNED, unhide: PLANNED, child: PLANNED, 'by-reference': PLANNED },
  pageLimit: 1,
  pagesMax: 1,
  pollSeconds: 3,
}).file

type Scripted = Partial<SessionAnswer> & { readonly status: number }
type Script = (request: SessionRequest, count: number) => Scripted

/** Every answer takes 10 ms unless said otherwise, every jitter is half of the most. */
async function play(
  kind: SessionKind,
  index: number,
  script: Script,
  plan: OpenModelFile = PLAN,
  answerMs: (count: number) => number = () => 10,
) {
  let nowMs = 0
  const sent: SessionRequest[] = []
  const sentAt: number[] = []
  const counts = new Map<SessionOperation, number>()
  const end = await SESSIONS[kind](
    {
      nowMs: () => nowMs,
      random: () => 0.5,
      sleepUntilMs: (atMs) => {
        nowMs = Math.max(nowMs, atMs)
      },
      send(request) {
        const count = (counts.get(request.operation) ?? 0) + 1
        counts.set(request.operation, count)
        sent.push(request)
        const sentMs = nowMs
        sentAt.push(sentMs)
        nowMs += answerMs(sent.length)
        const answer = script(request, count)
        const times = { sentMs, receivedMs: nowMs, durationMs: nowMs - sentMs }
        return { ids: [], prices: [], states: [], ...times, ...answer }
      },
    },
    plan,
    { index, key: 0, dueMs: 0 },
  )
  return { end, sent, sentMs: sentAt, operations: sent.map(({ operation }) => operation) }
}

const PENDING = { status: 200, states: ['IN_PROGRESS'] } as const
const FINAL = { status: 200, states: ['SUCCESS'] } as const

/** Accepted for later, final at the second read. */
const later: Script = ({ operation }, count) => {
  if (operation === 'order') return { status: 202, ids: ['o-1'], state: 'IN_PROGRESS' }
  if (operation === 'replay') return { status: 202, ids: ['o-1'], state: 'IN_PROGRESS' }
  if (operation === 'unhide') return FINAL
  return count < 2 ? PENDING : FINAL
}

describe('a buyer', () => {
  test.each<[string, number, SessionOperation[]]>([
    ['polls by orderId', 0, ['order', 'masked', 'masked', 'unhide']],
    ['replays in flight', 1, ['order', 'replay', 'by-reference', 'by-reference', 'unhide']],
    ['looks at once', 2, ['order', 'by-reference', 'masked', 'masked', 'unhide']],
    ['looks at once by the other name', 6, ['order', 'masked', 'masked', 'unhide']],
    ['replays afterwards', 3, ['order', 'by-reference', 'by-reference', 'replay', 'unhide']],
  ])('%s', async (_, index, operations) => {
    const session = await play('buyer', index, later)
    expect(session.operations).toEqual(operations)
    expect(session.end).toBe('done')
    expect(new Set(session.sent.map(({ fill }) => fill?.reference))).toEqual(
      new Set([`0badcafe-0000-4000-8000-00000000000${index}`]),
    )
  })

  test('waits as a pending answer says, else as planned, with jitter', async () => {
    const { sent } = await play('buyer', 0, (request, count) => {
      const answer = later(request, count)
      return request.operation === 'order' ? { ...answer, retryAfter: '15' } : answer
    })
    expect(sent.map(({ dueMs }) => dueMs)).toEqual([0, 15_060, 18_120, 18_130])
  })

  test('reads an order that is final at once, all the same', async () => {
    const { operations, sent } = await play('buyer', 0, ({ operation }) =>
      operation === 'order' ? { status: 200, ids: ['o-1'], state: 'SUCCESS' } : FINAL,
    )
    expect(operations).toEqual(['order', 'masked', 'unhide'])
    expect(sent[1]?.dueMs).toBe(10)
  })

  test('ends unfinished when an order never is final', async () => {
    const { end, operations } = await play('buyer', 0, (request, count) =>
      request.operation === 'masked' ? PENDING : later(request, count),
    )
    expect(end).toBe('unfinished')
    expect(operations).toEqual(['order', 'masked', 'masked', 'masked', 'masked'])
  })

  test('looks for what was refused', async () => {
    const { end, operations } = await play('buyer', 0, ({ operation }) => ({
      status: operation === 'order' ? 409 : 404,
    }))
    expect(end).toBe('rejected')
    expect(operations).toEqual(['order', 'by-reference'])
  })

  test.each([0, 302, 502])('sends again what was answered by status %i', async (status) => {
    const { end, operations } = await play('buyer', 0, (request, count) =>
      request.operation === 'order' ? { status } : later(request, count),
    )
    expect(end).toBe('done')
    expect(operations).toEqual(['order', 'replay', 'masked', 'masked', 'unhide'])
  })

  test('waits a 429 out, and starves after so many', async () => {
    const { end, sent } = await play('buyer', 0, () => ({ status: 429, retryAfter: '2' }))
    expect(end).toBe('starved')
    expect(sent.map(({ attempt, dueMs }) => [attempt, dueMs])).toEqual([
      [0, 0],
      [1, 2060],
      [2, 4120],
    ])
  })
})

const cart: Script = ({ operation }, count) => {
  if (operation === 'cart' || operation === 'cart-replay')
    return {
      status: 202,
      ids: ['o-1', 'o-2'],
      reference: 'given',
      states: ['SUCCESS', 'IN_PROGRESS'],
    }
  if (operation === 'child') return FINAL
  return { status: 200, states: ['SUCCESS', count < 2 ? 'IN_PROGRESS' : 'CANCELLED'] }
}

describe('a shopper', () => {
  test.each<[number, SessionOperation[]]>([
    [0, ['cart', 'by-reference', 'by-reference', 'child']],
    [1, ['cart', 'cart-replay', 'by-reference', 'by-reference', 'child']],
  ])('of turn %i reads all orders of its cart until they are final', async (index, operations) => {
    const session = await play('shopper', index, cart)
    expect(session.operations).toEqual(operations)
    expect(session.end).toBe('done')
    expect(session.sent.at(-1)?.fill).toEqual({
      reference: 'given',
      orderId: `o-${index + 1}`,
    })
  })
})

const held = (count: number): number => (count === 1 ? 1000 : 10)
const refusedFirst: Script = ({ operation }, count) =>
  operation === 'services' && count === 1 ? { status: 429, retryAfter: '2' } : { status: 200 }

describe('a planned session whose first answer takes 1 s', () => {
  const plan = { ...PLAN, thinkSeconds: 0.1, operations: { lookup: PLANNED }, pagesMax: 3 }
  const buying = { ...PLAN, thinkSeconds: 0.1 }

  test('is due as planned, and catches up', async () => {
    const { sent } = await play('browse', 0, () => ({ status: 200, total: '9' }), plan, held)
    expect(sent.map(({ dueMs }) => dueMs)).toEqual([0, 100, 200, 300])
  })

  test('waits as it was told from the answer on, and is due without its delay', async () => {
    const { sent, sentMs } = await play('buyer', 0, later, buying, held)
    // Wait of 3 s and 50 ms: due from 100 ms, when the answer was to be there; sent from 1,000 ms.
    expect(sent.map(({ dueMs }) => dueMs)).toEqual([0, 3150, 6300, 6400])
    expect(sentMs).toEqual([0, 4050, 7110, 7120])
  })

  test('is due anew when a 429 says so', async () => {
    const { sent } = await play('browse', 0, refusedFirst, plan, held)
    expect(sent.map(({ dueMs }) => dueMs)).toEqual([0, 3050, 3150])
  })
})
