import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { isOfOperation } from './described-operation.ts'

const TARGET = {
  baseUrl: 'http://127.0.0.1:1/shop',
  operations: {
    listServices: { method: 'GET', path: '/api/v1/services' },
    getItem: { method: 'GET', path: '/api/v1/services/{serviceId}/items/{itemId}' },
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
  ['/api/v1/services', false, 'PUT'],
])('%s is of an operation: %s (%s)', (path, expected, method = 'GET') => {
  const exchange = { request: { method, url: TARGET.baseUrl + path } } as unknown as Exchange
  expect(isOfOperation(TARGET, exchange)).toBe(expected)
})
