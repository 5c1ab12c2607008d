import { expect, test } from 'vitest'
import { parseUnderLoad } from './workload.ts'

test('a workload, with or without its rate', () => {
  expect(parseUnderLoad('mixed')).toEqual({ name: 'mixed' })
  expect(parseUnderLoad('orders:20/s')).toEqual({ name: 'orders', ratePerSecond: 20 })
  expect(parseUnderLoad('browse:0.5')).toEqual({ name: 'browse', ratePerSecond: 0.5 })
})

test.each(['', 'mixd', 'mixed:', 'mixed:0/s', 'mixed:-1', 'mixed:20/m', 'orders:1001/s'])(
  '"%s" is refused',
  (text) => {
    expect(() => parseUnderLoad(text)).toThrow(
      expect.objectContaining({ code: 'E_USAGE', exitCode: 2 }),
    )
  },
)
