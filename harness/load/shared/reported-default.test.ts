import { expect, test } from 'vitest'
import { reportedDefault, type DefaultBucket } from './reported-default.ts'

function verdictOf(bucket: DefaultBucket, count: number, isDefault?: true): string | undefined {
  const limit = { count, windowSeconds: 60, ...(isDefault && { isDefault }) }
  return reportedDefault(bucket, limit, {
    name: 'place',
    globalDefault: { count: 500, windowSeconds: 60 },
  })[0]?.verdict
}

test('what is reported as the default is the default of the interface', () => {
  expect(verdictOf('default', 1000, true)).toBe('pass')
  expect(verdictOf('default', 500, true)).toBe('warn')
  expect(verdictOf('orders.unhide.pending', 30, true)).toBe('warn')
})

test('nothing is said of a limit that is configured, or of which that is not known', () => {
  expect(verdictOf('default', 500)).toBeUndefined()
})

test('reads of orders may fall back to the global default, checks may not', () => {
  expect(verdictOf('orders.list', 500, true)).toBeUndefined()
  expect(verdictOf('orders.list', 2, true)).toBe('pass')
  expect(verdictOf('orders.list', 1, true)).toBe('warn')
  expect(verdictOf('orders.check', 500, true)).toBe('warn')
})
