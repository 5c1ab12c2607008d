import { describe, expect, test } from 'vitest'
import { whereAstray } from './found.ts'

const ANSWER = {
  data: { total: 3, page: { items: [{ id: 'a', 'odd name': 1 }] }, list: [] },
}

describe('a selector that finds nothing', () => {
  test.each([
    ['/data/totl', '"/data" has total, page, list; did you mean /data/total?'],
    ['/data/page/items/7', '"/data/page/items" holds a list of 1'],
    ['/data/total/value', '"/data/total" holds a number'],
    ['/dta/total', 'the answer has data; did you mean /data/total?'],
    ['$.data.page.item[*].id', '"$.data.page" has items; did you mean $.data.page.items[*].id?'],
    ["$.data.page.items[?@.id=='b'].price", '"$.data.page.items" holds a list of 1'],
    ['$.data.list[*].id', '"$.data.list" holds a list of 0'],
  ])('%s', (selector, expected) => {
    expect(whereAstray(selector, ANSWER)).toBe(expected)
  })
})
