import { describe, expect, test } from 'vitest'
import { BUCKETS } from '../../contract/limits.ts'
import { errorOf, targetFiles, url } from '../../test/support/target-files.ts'
import { selectorProblem } from './select.ts'
import { windowSelectors } from './windows-pattern.ts'

const WINDOWS = {
  list: '/data/rules',
  name: '/name',
  count: '/budget/requests',
  windowSeconds: '/budget/seconds',
}

const { resolveFile } = targetFiles()

function resolved(rateLimits: object, more: object = {}): Readonly<Record<string, string>> {
  const operations = { rateLimits, ...more }
  return resolveFile({ baseUrl: url, operations }).operations.rateLimits.selectors
}

describe('the pattern of reported windows', () => {
  test('stands for the selectors of the seven buckets, by the names of the interface', () => {
    const selectors = resolved({ windows: WINDOWS })
    expect(Object.keys(selectors)).toHaveLength(2 * BUCKETS.length)
    expect(selectors['orders.filtered.count']).toBe(
      "$.data.rules[?@.name == 'GET /orders (filtered)'].budget.requests",
    )
    for (const selector of Object.values(selectors))
      expect(selectorProblem(selector)).toBeUndefined()
  })

  test.each(['$.data.rules[*]', '$.data.rules.*'])('takes the members of %s', (list) => {
    const selectors = resolved({ windows: { ...WINDOWS, list } })
    expect(selectors['orders.list.count']).toBe(
      "$.data.rules[?@.name == 'GET /orders'].budget.requests",
    )
  })

  test('stands for those that it names alone, and for their source', () => {
    const names = { 'orders.list': "owner's list", 'operations.whoami': 'whoami' }
    expect(
      resolved({ windows: { ...WINDOWS, list: '$.data.rules[*]', source: '/from', names } }),
    ).toEqual({
      'orders.list.count': "$.data.rules[?@.name == 'owner\\'s list'].budget.requests",
      'orders.list.windowSeconds': "$.data.rules[?@.name == 'owner\\'s list'].budget.seconds",
      'orders.list.source': "$.data.rules[?@.name == 'owner\\'s list'].from",
      'operations.whoami.count': "$.data.rules[?@.name == 'whoami'].budget.requests",
      'operations.whoami.windowSeconds': "$.data.rules[?@.name == 'whoami'].budget.seconds",
      'operations.whoami.source': "$.data.rules[?@.name == 'whoami'].from",
    })
  })

  test('keeps the names of the buckets beside those of endpoints', () => {
    const selectors = resolved({
      windows: { ...WINDOWS, names: { 'operations.whoami': 'whoami' } },
    })
    expect(Object.keys(selectors)).toHaveLength(2 * BUCKETS.length + 2)
  })

  test('gives way to a selector that is spelled out', () => {
    const selectors = { 'default.count': '/data/default/count' }
    expect(resolved({ windows: WINDOWS, selectors })['default.count']).toBe('/data/default/count')
  })

  test.each([
    [{ windows: { ...WINDOWS, count: 'budget' } }, {}, /\/windows\/count.*expected/],
    [
      { windows: { ...WINDOWS, names: { 'orders.lst': 'x' } } },
      {},
      /got the name "orders\.lst"; expected one of default/,
    ],
    [{ windows: { list: '/data' } }, {}, /the property "name" is missing/],
    [{}, { whoami: { windows: WINDOWS } }, /only rateLimits has windows/],
    [{ windows: { ...WINDOWS, list: 'data' } }, {}, /\/windows\/list/],
    [{ windows: { ...WINDOWS, list: '$.data[' } }, {}, /\/windows\/list.*is no selector/],
  ])('is refused where it is wrong: %o %o', (rateLimits, more, sentence) => {
    expect(errorOf(() => resolved(rateLimits, more)).message).toMatch(sentence)
  })

  test('is nothing where there is none', () => {
    expect(windowSelectors(undefined)).toEqual({})
  })
})
