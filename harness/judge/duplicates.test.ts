import { expect, test } from 'vitest'
import { judgeDuplicates } from './duplicates.ts'

test.each([
  ['one order and contention', [{ status: 200, orderId: 'a' }, { status: 429 }], true],
  [
    'the same order twice',
    [
      { status: 200, orderId: 'a' },
      { status: 202, orderId: 'a' },
    ],
    true,
  ],
  ['all told to come back', [{ status: 429 }, { status: 429 }], true],
  ['an answer that was lost', [{ status: 200, orderId: 'a' }, {}], true],
  [
    'two orders',
    [
      { status: 200, orderId: 'a' },
      { status: 200, orderId: 'b' },
    ],
    false,
  ],
  ['a success that names none', [{ status: 200 }], false],
  ['a server error', [{ status: 200, orderId: 'a' }, { status: 502 }], false],
  ['another refusal', [{ status: 200, orderId: 'a' }, { status: 409 }], false],
])('copies: %s', (_, answers, holds) => {
  expect(judgeDuplicates(answers).holds).toBe(holds)
})

test('the judgement tells what was got', () => {
  expect(
    judgeDuplicates([{ status: 200, orderId: 'a' }, { status: 429 }, { status: 429 }, {}]).observed,
  ).toBe('4 copies: 1 successes naming 1 orders, 1 × HTTP 200, 2 × HTTP 429, 1 × no answer')
})
