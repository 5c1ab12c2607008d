import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capped, formatSeconds, formatUtc, listed, oneLine, plural, visible } from './text.ts'

describe('capped', () => {
  test('says how much was left out', () => {
    expect(capped('abcdef', 4)).toBe('abcd … and 2 more characters')
    expect(capped('abcd', 4)).toBe('abcd')
  })

  test('never cuts a surrogate pair', () => {
    expect(capped('ab😀cd', 3)).toBe('ab … and 4 more characters')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, charsMax) => {
        expect(capped(text, charsMax).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('visible', () => {
  test('shows controls, direction changes, zero-width characters and lone surrogates', () => {
    expect(visible('a\u0000\u001b[31m\r\u007f')).toBe('a\\u{0}\\u{1b}[31m\\u{d}\\u{7f}')
    expect(visible('\u202eabc\u200b\u0085')).toBe('\\u{202e}abc\\u{200b}\\u{85}')
    expect(visible('x\ud800y\uffff')).toBe('x\ufffdy\\u{ffff}')
  })

  test('leaves line feeds, tabs and ordinary text of any script alone', () => {
    const text = 'one\n\ttwo äöü 漢字 😀'
    expect(visible(text)).toBe(text)
  })

  test('leaves nothing invisible in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[^\P{C}\n\t\p{Cn}\p{Co}]/u)
      }),
    )
  })
})

test('oneLine folds white space and bounds the length', () => {
  expect(oneLine('  a\n\t b\r\nc  ')).toBe('a b\\u{d} c')
  expect(oneLine('x'.repeat(50), 10)).toBe('xxxxxxxxxx … and 40 more characters')
})

test('numbers and times read like a sentence', () => {
  expect(plural(1, 'check')).toBe('1 check')
  expect(plural(1_204, 'check')).toBe('1,204 checks')
  expect([0.4166, 41.49, 119.94, 120, 200, 54_245].map(formatSeconds)).toEqual([
    '0.42 s',
    '41.5 s',
    '119.9 s',
    '2 min',
    '3 min 20 s',
    '15 h 4 min',
  ])
  expect(formatUtc('2026-03-02T09:14:05.120Z')).toBe('2026-03-02 09:14:05 UTC')
  expect(formatUtc('yesterday')).toBe('yesterday')
  expect(listed(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
})
