import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { isAtDescribedPath } from './described-path.ts'

const TARGET = {
  baseUrl: 'http://127.0.0.1:1/shop',
  operations: {
    listServices: { path: '/api/v1/services' },
    getItem: { path: '/api/v1/services/{serviceId}/items/{itemId}' },
    getLedger: {},
  },
} as unknown as Target

test.each([
  ['/api/v1/services', true],
  ['/api/v1/services?limit=1', true],
  ['/api/v1/services/a%2Fb/items/c.d', true],
  ['/api/v1/services/a/items/c/more', false],
  ['/api/v1xservices', false],
  ['/services', false],
])('%s is a path of the target file: %s', (path, expected) => {
  const exchange = { request: { url: TARGET.baseUrl + path } } as unknown as Exchange
  expect(isAtDescribedPath(TARGET, exchange)).toBe(expected)
})
