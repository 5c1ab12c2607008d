import { expect, test } from 'vitest'
import { VirtualClock } from '../../../test/support/virtual-clock.ts'
import { embedInProcess } from '../../../test/support/in-process.ts'
import type { Target } from '../../target-file/target.ts'
import { operationPath, operationUrl } from './operation-url.ts'

const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock: new VirtualClock() })

function withLookup(stated: { path?: string; query?: Record<string, string> }): Target {
  const { path: _none, ...lookupItems } = target.operations.lookupItems
  const operations = { ...target.operations, lookupItems: { ...lookupItems, ...stated } }
  return { ...target, operations }
}

test('path and query of the target file are filled in, and what a scenario asks for is appended', () => {
  const described = withLookup({ path: '/shelf/{sku}', query: { want: '{{svc}}~{{sku}}' } })
  const variables = { svc: 'a b', sku: 'x/1' }
  expect(operationPath(described, 'lookupItems', { variables, query: { limit: '1' } })).toBe(
    '/shelf/x%2F1?want=a%20b%7Ex%2F1&limit=1',
  )
  expect(operationUrl(target, 'listServices')).toBe(`${target.baseUrl}/api/v1/services`)
})

test('an operation whose path nobody gives has none, and a variable that nobody gives is named', () => {
  expect(operationUrl(withLookup({}), 'lookupItems')).toBeUndefined()
  expect(() => operationPath(withLookup({ path: '/shelf/{sku}' }), 'lookupItems')).toThrow('sku')
})
