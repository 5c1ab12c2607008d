import { describe, expect, it } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import { exchangeWith } from '../../test/support/exchanges.ts'
import { outagesIn } from './outages.ts'

type Sent = Parameters<typeof exchangeWith>[0] & { readonly check: string; readonly atMs: number }

function history(...sent: readonly Sent[]): Exchange[] {
  return sent.map(({ atMs, ...change }, index) =>
    exchangeWith({
      id: `x${index}`,
      sentAtMs: atMs,
      receivedAtMs: atMs + 5,
      sentAtWallMs: Date.UTC(2030, 0, 1) + atMs,
      ...change,
    }),
  )
}

const answered = (check: string, atMs: number): Sent => ({ check, atMs, json: {} })
const failed = (check: string, atMs: number, code: string, change: Partial<Sent> = {}): Sent => ({
  check,
  atMs,
  error: { code, message: code },
  ...change,
})
const gateway = (check: string, atMs: number, change: Partial<Sent> = {}): Sent => ({
  check,
  atMs,
  response: { status: 502, body: '<html>' },
  ...change,
})
const refused = (at: number): Sent => failed('a', at, 'ECONNREFUSED')
const OTHER = { operation: 'whoami' } as const

describe('an outage', () => {
  it('is a refused connection, with its time and the checks across it', () => {
    const [outage, ...others] = outagesIn(
      history(
        answered('before', 0),
        answered('across', 10),
        failed('inside', 100, 'ECONNREFUSED'),
        answered('across', 300),
        answered('after', 400),
      ),
    )
    expect(others).toEqual([])
    expect(outage).toMatchObject({ fromMs: 100, toMs: 105, checks: ['across', 'inside'] })
    expect(outage?.text).toBe(
      'the target was not there at 2030-01-01T00:00:00.100Z (1 without an answer: ECONNREFUSED)',
    )
  })

  it.each([
    [
      'resets of several operations',
      (at: number, more: Partial<Exchange>) => failed('a', at, 'ECONNRESET', more),
    ],
    ['a gateway in its place', (at: number, more: Partial<Exchange>) => gateway('a', at, more)],
  ])('is %s in a row', (_, sign) => {
    expect(
      outagesIn(history(sign(1, {}), sign(2, OTHER), sign(3, {}), answered('b', 9))),
    ).toHaveLength(1)
    // One kind of request that always fails is the matter of its own check.
    expect(outagesIn(history(sign(1, {}), sign(2, {}), sign(3, {})))).toEqual([])
    expect(
      outagesIn(history(sign(1, {}), answered('b', 2), sign(20, OTHER), sign(30, {}))),
    ).toEqual([])
  })

  it('is told as often as it comes', () => {
    expect(
      outagesIn(history(refused(1), answered('a', 20), refused(40), refused(50))),
    ).toMatchObject([{ fromMs: 1 }, { fromMs: 40, toMs: 55 }])
  })

  it('is neither an error with an envelope nor what we gave up ourselves', () => {
    const own = [1, 2, 3].map((at) => failed('a', at, 'ABANDONED', at === 2 ? OTHER : {}))
    const told = [11, 12, 13].map((at) => gateway('a', at, { json: {}, ...(at === 12 && OTHER) }))
    expect(outagesIn(history(...own, ...told))).toEqual([])
  })

  it('is none where pages refuse between answers all the time, as a limit before the service does', () => {
    const headers = [['content-type', 'text/html']] as const
    const page = (at: number, change: Partial<Exchange> = {}): Sent =>
      gateway('a', at, {
        response: { status: 503, headers, body: '<html>', truncated: false },
        ...change,
      })
    const burst = (at: number): readonly Sent[] => [
      page(at),
      page(at + 1, OTHER),
      page(at + 2),
      answered('b', at + 20),
    ]
    const bursts = [0, 100, 200, 300, 400].flatMap(burst)
    expect(outagesIn(history(...bursts))).toEqual([])
    // Too few, too long, or beside a sign that no limit gives: the service was away.
    expect(outagesIn(history(...bursts.slice(4)))).toHaveLength(4)
    expect(outagesIn(history(...bursts, page(500), page(2_500, OTHER), page(2_600)))).toHaveLength(
      6,
    )
    expect(outagesIn(history(...bursts, refused(600)))).toHaveLength(6)
  })

  it('is none where an address was chosen that has no way to the target', () => {
    const request = { localAddress: '::' }
    expect(outagesIn(history(answered('a', 0), failed('b', 10, 'ENOTFOUND', { request })))).toEqual(
      [],
    )
  })
})
