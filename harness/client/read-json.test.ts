import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEPTH_MAX, readJson, VALUES_MAX } from './read-json.ts'

const depthOf = (json: unknown): number => {
  let depth = 0
  let value = json
  while (typeof value === 'object' && value !== null) {
    depth += 1
    value = Object.values(value)[0]
  }
  return depth
}

test('JSON is read as JSON.parse reads it, a mark of byte order aside', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (text, hasMark) => {
      expect(readJson((hasMark ? '\ufeff' : '') + text)).toEqual({ json: JSON.parse(text) })
    }),
  )
  for (const text of ['', '{', '{"a":1}}', 'undefined', '[1,]']) expect(readJson(text)).toEqual({})
})

test('many members beside each other are read in full', () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ id: n, name: 'a{"b]\\', tags: [[], {}] }))
  expect(readJson(JSON.stringify(rows)).json).toEqual(rows)
})

describe('a value that is nested', () => {
  test.each([
    ['arrays', '[', ']', ''],
    ['objects', '{"a":', '}', '1'],
    ['arrays of objects', '[{"]":', '}]', '"\\"[["'],
  ])('in a million %s is read to a bounded depth', (_what, open, close, inner) => {
    const text = `{"deep":${open.repeat(1_000_000)}${inner}${close.repeat(1_000_000)},"traceId":"t"}`
    const { json } = readJson(text)
    expect(json).toHaveProperty('traceId', 't')
    expect(depthOf((json as { deep: unknown }).deep)).toBe(DEPTH_MAX)
  })

  test('as deep as is read stays whole, one level more is left empty', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? 'end' : { a: nested(depth - 1), b: depth }
    expect(readJson(JSON.stringify(nested(DEPTH_MAX))).json).toEqual(nested(DEPTH_MAX))
    const text = JSON.stringify(readJson(JSON.stringify(nested(DEPTH_MAX + 1))).json)
    expect(text).toContain('"a":{}')
    expect(text).not.toContain('end')
  })

  test('that is no JSON is none, however deep', () => {
    expect(readJson('['.repeat(1_000_000))).toEqual({})
    expect(readJson(`${'['.repeat(1_000)}${']'.repeat(999)}`)).toEqual({})
    expect(readJson(`${'['.repeat(1_000)}${']'.repeat(1_001)}`)).toEqual({})
  })
})

test('more values than are read are told as too much', () => {
  expect(readJson(`[${'0,'.repeat(VALUES_MAX)}0]`)).toEqual({ isTooMuch: true })
  const texts = `["${'0,'.repeat(VALUES_MAX)}"]`
  expect(readJson(texts)).toEqual({ json: JSON.parse(texts) })
})
