import fc from 'fast-check'
import { expect, test } from 'vitest'
import { select, selectEach, selectOne, selectorProblem } from './select.ts'

const body = {
  data: {
    total: 2,
    items: [
      { id: 'a', 'x/y~z': 1 },
      { id: 'b', sku: null },
    ],
  },
}

test.each([
  ['', [body]],
  ['/data/items/1/id', ['b']],
  ['/data/items/0/x~1y~0z', [1]],
  ['/data/items/1/sku', [null]],
  ['/data/items/2', []],
  ['/data/items/01', []],
  ['/data/items/-', []],
  ['/data/items/-1', []],
  ['/data/items/length', []],
  ['/data/constructor', []],
  ['/data/__proto__', []],
  ['$', [body]],
  ['$.data.items[*].id', ['a', 'b']],
  ["$.data.items[?@.id=='b'].id", ['b']],
  ['$..total', [2]],
  ['$.data.nothing', []],
])('%s selects %j', (selector, values) => {
  expect(select(selector, body)).toEqual(values)
})

test('the first value is the shallowest under ..', () => {
  expect(selectOne('$..total', { data: { items: [{ total: 1 }], total: 5 } })).toBe(5)
  expect(selectOne('$..total', {})).toBeUndefined()
})

test.each([
  ['data.id', 'starts with "/"'],
  ['/a~2', '"~0"'],
  ['/a~', '"~0"'],
  ['$.a[', 'not a JSONPath query'],
  ['$.a[?@.b ==]', 'not a JSONPath query'],
  ['$x', 'not a JSONPath query'],
])('%s is no selector', (selector, reason) => {
  expect(selectorProblem(selector)).toContain(reason)
  expect(() => select(selector, body)).toThrow('is no selector')
})

test('nothing is selected from nothing', () => {
  expect(select('', undefined)).toEqual([])
  expect(select('$', undefined)).toEqual([])
})

test.each(['/items', '$.items', '$.items[*]'])('%s gives each of several values', (selector) => {
  expect(selectEach(selector, { items: [{ id: 1 }, { id: 2 }] })).toEqual([{ id: 1 }, { id: 2 }])
  expect(selectEach(selector, { items: [] })).toEqual([])
  expect(selectEach(selector, {})).toEqual([])
})

test.each<[string, unknown[]]>([
  ["$.a[?match(@.b,'gift.*')].b", ['gift card']],
  ["$.a[?search(@.b,'gift')].b", ['gift card', 'a gift']],
  ["$.a[?match(@.b,'[a.]{2}.?')].b", ['aa', 'a.b']],
  [String.raw`$.a[?match(@.b,'a\\.b')].b`, ['a.b']],
  [String.raw`$.a[?match(@.b,'\\p{L}+ \\p{L}+')].b`, ['gift card', 'a gift']],
  ["$.a[?match(@.b,'x.y')].b", ['x\u2028y']],
  ["$.a[?match(@.b,'(')].b", []],
  ['$.a[?match(@.b,@.n)].b', []],
])('%s selects by pattern', (selector, values) => {
  const texts = ['gift card', 'a gift', 'aa', 'a.b', 'x\ry', 'x\ny', 'x\u2028y', 7]
  expect(select(selector, { a: texts.map((b) => ({ b, n: 7 })) })).toEqual(values)
})

test.each(['(a+)+', '(a|aa)+c', 'a*a*a*a*a*b', '(.*)*x'])(
  'the pattern %s reads a long text once',
  (pattern) => {
    const text = 'a'.repeat(100_000)
    expect(select(`$.a[?match(@.b,'${pattern}$')]`, { a: [{ b: `${text}!` }] })).toEqual([])
    expect(select(`$.a[?search(@.b,'${pattern}!!')]`, { a: [{ b: `${text}!` }] })).toEqual([])
  },
)

test('no value makes it throw', () => {
  const selectors = ['', '/a', '/0/b', '$', '$..a', '$[0].b', '$..[?@.id && @.price > 1]', '$[-1:]']
  fc.assert(
    fc.property(fc.constantFrom(...selectors), fc.jsonValue(), (selector, value) => {
      expect(Array.isArray(select(selector, value))).toBe(true)
    }),
  )
  let deep: unknown = { a: 1 }
  for (let level = 0; level < 100_000; level++) deep = [deep]
  for (const selector of selectors) expect(Array.isArray(select(selector, deep))).toBe(true)
})
