import { expect, test } from 'vitest'
import { isRepeated } from './reading.ts'

const [A, B] = ['CODE-AAAA-1111', 'CODE-BBBB-2222']

test.each<[string, string[], string[], (string | undefined)[], boolean]>([
  ['three codes', [A, B, 'CODE-CCCC-3333'], [A, B, 'CODE-CCCC-3333'], [], false],
  ['one code twice', [A, B, B], [A, B, B], [], true],
  ['one code twice, told apart by serial numbers', [A, B, B], [A, B, B], ['1', '2', '3'], false],
  ['short codes of which two are alike', ['1234', '5678', '5678'], ['1234', '5678'], [], false],
  ['short codes that are all alike', ['1234', '1234'], ['1234', '1234'], [], true],
  ['masks that are alike beside one code', [A, '[not shown]', '[not shown]'], [A], [], false],
  ['masks alone', ['****', '****'], [], [], false],
])('%s', (_what, codes, clear, serials, is) => {
  const vouchers = codes.map((pin, index) => ({ pin, serialNumber: serials[index] }))
  expect(isRepeated(vouchers, codes, clear)).toBe(is)
})
