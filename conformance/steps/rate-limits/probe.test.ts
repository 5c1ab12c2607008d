import { expect, test } from 'vitest'
import type { Exchange } from '../../../harness/client/exchange.ts'
import { claimSeconds } from './probe.ts'

test.each([
  ['2', 2, 2],
  ['60', 2, 60],
  ['3600', 2, 2],
  ['90', 90, 90],
  [undefined, 2, 2],
])(
  'a promise of %s in a window of %s s is put to the test after %s s',
  (value, window, expected) => {
    const headers = value === undefined ? [] : [['retry-after', value]]
    const refused = { response: { status: 429, headers, body: '' } } as unknown as Exchange
    expect(claimSeconds(refused, { windowSeconds: window })).toBe(expected)
  },
)
