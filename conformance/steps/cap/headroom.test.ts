import { expect, test } from 'vitest'
import { timesThatShow } from './headroom.ts'

const KEY = { unit: 10_500_000n, left: 131_250_000n, unitsLeft: 12 }

test.each([
  ['a price of a voucher', 10_500_000n, 3],
  ['a lower price', 5_000_000n, 4],
  ['a price of a cent', 10_000n, 10],
  ['no known price', undefined, 3],
  ['nothing', 0n, 3],
])('requests for %s together cost more than one unit and what is no unit', (_, price, times) => {
  expect(timesThatShow(KEY, price, 3)).toBe(times)
})
