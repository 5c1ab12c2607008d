import { expect, test } from 'vitest'
import { parseRetryAfterSeconds } from './retry-after.ts'

test.each([undefined, '', '1.5', '-1', '1s', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
  'Retry-After %j is malformed',
  (header) => expect(parseRetryAfterSeconds(header)).toBeUndefined(),
)

test('whole seconds are read', () => {
  expect(parseRetryAfterSeconds('60')).toBe(60)
  expect(parseRetryAfterSeconds(' 7 ')).toBe(7)
})
