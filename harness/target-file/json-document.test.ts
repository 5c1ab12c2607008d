import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonSyntaxError, readJson } from './json-document.ts'

describe('readJson', () => {
  test('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        fc.pre(!text.includes('__proto__'))
        const parsed: unknown = JSON.parse(text)
        expect(readJson(text).value).toEqual(parsed)
        expect(readJson(text).flaws).toEqual([])
      }),
    )
  })

  test('refuses what JSON.parse refuses, and only with its own error', () => {
    const fragments = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      'true',
      'nul',
      "'",
      '\\',
      '"',
      '//',
      '\n',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => readJson(text)).toThrow(JsonSyntaxError)
          return
        }
        expect(readJson(text).value).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('knows where values and names stand', () => {
    const document = readJson('{\n  "a": 1,\r\n  "b/c": [true,\n    {"d": null}]\n}')
    expect(document.locate('')).toBe('1:1')
    expect(document.locate('/a')).toBe('2:8')
    expect(document.locate('/a', 'name')).toBe('2:3')
    expect(document.locate('/b~1c/1/d')).toBe('4:11')
    expect(document.locate('/b~1c/1/d', 'name')).toBe('4:6')
    expect(document.locate('/b~1c/9')).toBe('3:10')
  })

  test.each([
    ['{"a": 1, // note\n}', '1:10', 'a comment: JSON has none'],
    ['# top\n{}', '1:1', 'a comment'],
    ['{"a": 1,}', '1:9', 'no trailing commas'],
    ['[1,]', '1:4', 'no trailing commas'],
    ['{a: 1}', '1:2', 'a name in double quotes'],
    ["{'a': 1}", '1:2', 'a name in double quotes'],
    ['{"a": \'b\'}', '1:7', 'single quotes'],
    ['{"a" 1}', '1:6', '":" is missing after the name "a"'],
    ['{"a": 1\n"b": 2}', '2:1', '"," or "}" was expected'],
    ['{"a": "b\n"}', '1:9', 'line break'],
    ['{"a": "b', '1:7', 'closing double quote'],
    ['{"a": "\\x"}', '1:7', 'an escape that JSON does not have'],
    ['{"a": True}', '1:7', 'no JSON value'],
    ['{"a": NaN}', '1:7', 'no JSON value'],
    ['{"a": 01}', '1:8', '"," or "}"'],
    ['{"a": {\n', '2:1', 'ends inside the object that starts at 1:7'],
    ['{} {}', '1:4', 'goes on after the end'],
    ['', '1:1', 'ends where a value was expected'],
    ['['.repeat(100_000), '1:66', 'nested deeper than 64 levels'],
  ])('%.20j is refused at %s', (text, place, message) => {
    try {
      readJson(text)
    } catch (error) {
      expect(error).toBeInstanceOf(JsonSyntaxError)
      expect((error as JsonSyntaxError).message).toContain(message)
      expect((error as JsonSyntaxError).place).toBe(place)
      expect((error as JsonSyntaxError).fix).not.toBe('')
      return
    }
    expect.unreachable('the text was read')
  })

  test('reports repeated names and __proto__, which JSON.parse does not', () => {
    const document = readJson('{"a": 1, "a": 2, "b": {"__proto__": {"x": 1}}, "constructor": 3}')
    expect(document.flaws.map((flaw) => flaw.message)).toEqual([
      'the name "a" stands here a second time; the earlier value would be lost',
      'the name "__proto__" is not allowed',
    ])
    expect(({} as { x?: number }).x).toBeUndefined()
    expect(document.value).toEqual({ a: 2, b: {}, constructor: 3 })
  })
})
