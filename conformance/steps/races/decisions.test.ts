import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../harness/client/exchange.ts'
import { exchangeWith } from '../../../test/support/exchanges.ts'
import { hasWinner, isWrong, needDecisions, type Decisions } from './decisions.ts'
import { BURSTS } from './race.ts'
import type { Burst } from './burst.ts'

function answer(
  status: number,
  statusCode: unknown = 8,
  [sentAtMs, receivedAtMs] = [0, 10],
): Exchange {
  return exchangeWith({
    operation: 'createOrder',
    request: { method: 'POST' },
    sentAtMs: sentAtMs ?? 0,
    receivedAtMs: receivedAtMs ?? 10,
    response: { status },
    json: { statusCode },
  })
}

const burst = (isTogether: boolean, ...statuses: number[]): Burst => {
  const first = statuses.map((status) => answer(status))
  return { orders: [], first, isTogether, text: statuses.join(' ') }
}

describe('hasWinner', () => {
  it.each([
    ['one refused beside one accepted', [200, 429], true],
    ['one refused among accepted', [200, 202, 429], true],
    ['one refused beside one that the cap refused', [409, 429], true],
    ['all refused', [429, 429], false],
    ['two refused, which may have contended with each other alone', [200, 429, 429], false],
    ['none refused', [200, 200], false],
    ['one refused beside an error', [502, 429], false],
  ])('%s', (_, statuses, expected) => {
    expect(hasWinner(burst(true, ...statuses))).toBe(expected)
  })

  it('needs a rival that was under way at the same time', () => {
    expect(hasWinner({ first: [answer(200, 0, [0, 5]), answer(429, 8, [6, 9])] })).toBe(false)
  })
})

it.each([
  [200, 0, false],
  [429, 8, false],
  [429, 13, true],
  [429, null, false],
  [502, 8, true],
  [409, 13, false],
])('HTTP %d with statusCode %j is wrong: %j', (status, code, expected) => {
  expect(isWrong(answer(status, code))).toBe(expected)
})

function decisions(part: Partial<Decisions>): Decisions {
  const large = Array.from({ length: BURSTS }, () => burst(true, 200, 200))
  return { large, small: [], lost: [], won: false, ...part }
}

describe('needDecisions', () => {
  const refusing = Array.from({ length: BURSTS }, () => burst(false, 200, 429))

  it('is content where orders wait for each other', () => {
    expect(() => needDecisions(decisions({}))).not.toThrow()
  })

  it('is content where some are refused and one was seen to win', () => {
    expect(() => needDecisions(decisions({ large: refusing, won: true }))).not.toThrow()
  })

  it('is not where some are refused and none was seen to win', () => {
    expect(() => needDecisions(decisions({ large: refusing }))).toThrow('none was seen to win')
  })

  it('is not where no order of a burst was decided, be it once', () => {
    expect(() => needDecisions(decisions({ lost: [burst(true, 429, 429)], won: true }))).toThrow(
      'in 1 of 5 bursts no order was decided',
    )
  })

  it('is not where the orders hardly arrived together', () => {
    const large = Array.from({ length: BURSTS }, () => burst(false, 200, 200))
    expect(() => needDecisions(decisions({ large }))).toThrow(
      'too few orders arrived together to tell',
    )
  })
})
