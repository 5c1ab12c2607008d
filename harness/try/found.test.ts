import { describe, expect, test } from 'vitest'
import { whereAstray } from './found.ts'

const ANSWER = {
  data: { total: 3, page: { items: [{ id: 'a', 'odd name': 1 }] }, list: [] },
}

describe('a selector that finds nothing', () => {
  test.each([
    ['/data/totl', '/data has total, page, list; did you mean "total"?'],
    ['/data/page/items/0/idd', '/data/page/items/0 has id, odd name; did you mean "id"?'],
    ['/data/page/items/7', '/data/page/items is an array of 1'],
    ['/data/total/value', '/data/total is 3'],
    ['/dta/total', 'the body has data; did you mean "data"?'],
    ['$.data.page.item[*].id', '$.data.page has items; did you mean "items"?'],
    ['$.data.page.items[*].idd', '$.data.page.items[*] has id, odd name; did you mean "id"?'],
    ["$.data.page.items[?@.id=='b'].price", '$.data.page.items is an array of 1'],
    ["$['dta'].x", 'the body has data; did you mean "data"?'],
    ['$.data.list[*].id', '$.data.list is an array of 0'],
  ])('%s', (selector, expected) => {
    expect(whereAstray(selector, ANSWER)).toBe(expected)
  })

  test('leads nowhere in a body that is no object', () => {
    expect(whereAstray('/data', 'text')).toBe('the body is "text"')
    expect(whereAstray('/data', null)).toBe('the body is null')
  })
})
