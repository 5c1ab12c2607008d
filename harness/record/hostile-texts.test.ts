/** Texts as long and as odd as a server can answer: each is read to its end, in a time that grows with its length alone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchangeWith } from '../../test/support/exchanges.ts'
import type { Exchange } from '../client/exchange.ts'
import { evidenceOf } from './evidence.ts'
import { Redactor } from './redact.ts'

/** As much as the client reads of a body. */
const BYTES = 16 * 1024 * 1024
const KEY = 'hk_live_Zr4vQ81xPm0dTq7nLs2WcYb9EuF'
const CODE = 'ABCD-EFGH-IJKL'

function knowing(): Redactor {
  const redactor = new Redactor()
  redactor.addSecret(KEY, 'key of full')
  redactor.addSecret(CODE, 'code')
  redactor.addSecret('2026', 'pin')
  return redactor
}

function long(start: string, unit: string, bytes = BYTES): string {
  return start + unit.repeat(bytes / unit.length)
}

function exchangeOf(text: string): Exchange {
  const message = { headers: [['x', 'y']], body: text } as const
  return exchangeWith({ request: message, response: message })
}

describe('a text of many MiB', () => {
  test.each([
    ['{"traceId":"', 'a'],
    ['{"pin":"', 'a'],
    ['{"pin":"', '\\"'],
    ['', '\\'],
    ['', '"pin"'],
    ['"pin"', ' '],
    ['', '?pin='],
    ['{"pin":', '1'],
    ['', '%25'],
  ])('that is %s and many %s', (start, unit) => {
    const text = long(start, unit)
    expect(knowing().text(`${text} ${KEY}`)).not.toContain(KEY)
  })

  test('of any unit leaves evidence that is bounded and holds no secret', () => {
    const letters = [
      ...Array.from(String.raw`ap1.,:"\{}[]/%u&#;-=?* `),
      'pin',
      KEY,
      CODE,
      '\\u006',
      '%6',
      'é',
      '\ud800',
    ]
    const units = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(units, units, (start, unit) => {
        const { curl, ...evidence } = evidenceOf(
          exchangeOf(long(start.join(''), unit.join(''), BYTES / 4)),
          knowing(),
        )
        const text = JSON.stringify(evidence)
        expect(text.length).toBeLessThan(60_000)
        expect(text).not.toContain(KEY)
        expect(curl).not.toContain(KEY)
      }),
      { numRuns: 3 },
    )
  })
})

const letters = Array.from(KEY)
const hex = (letter: string, digits: number): string =>
  (letter.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')

describe('a key of which every letter is escaped', () => {
  test.each<[string, (letter: string) => string]>([
    ['for JSON', (letter) => String.raw`\u${hex(letter, 4)}`],
    ['for JSON, in capitals', (letter) => String.raw`\u${hex(letter, 4).toUpperCase()}`],
    ['for JSON in JSON', (letter) => String.raw`\\u${hex(letter, 4)}`],
    ['for JavaScript', (letter) => String.raw`\x${hex(letter, 2)}`],
    ['for a URL', (letter) => `%${hex(letter, 2)}`],
    ['for a URL, twice', (letter) => `%25${hex(letter, 2)}`],
    ['for HTML', (letter) => `&#${letter.codePointAt(0)};`],
    ['for HTML, in hexadecimal digits', (letter) => `&#x${hex(letter, 2)};`],
    ['for HTML in JSON', (letter) => String.raw`\u0026#${letter.codePointAt(0)};`],
  ])('%s', (_how, escape) => {
    const escaped = letters.map(escape).join('')
    expect(knowing().text(`{"echo":"${escaped}","n":1}`)).toBe('{"echo":"«key of full»","n":1}')
    const half = letters
      .map((letter, index) => (index % 2 === 0 ? escape(letter) : letter))
      .join('')
    expect(knowing().text(`<${half}>`)).toBe('<«key of full»>')
  })

  test('so is a code, with its separators or without', () => {
    for (const code of [CODE, CODE.replaceAll('-', '')]) {
      const escaped = Array.from(code, (letter) => `%${hex(letter, 2)}`).join('')
      expect(knowing().text(`code ${escaped}!`)).toBe('code «code»!')
    }
  })
})

describe('a part of a key', () => {
  test('of twelve letters is hidden wherever it stands', () => {
    for (let start = 0; start + 12 <= KEY.length; start++) {
      const part = KEY.slice(start, start + 12)
      expect(knowing().text(`x ${part} y`)).toBe('x «key of full» y')
    }
  })

  test('is hidden in two fields, in any case', () => {
    const text = JSON.stringify({ a: KEY.slice(0, 20), b: KEY.slice(20).toUpperCase() })
    expect(knowing().text(text)).toBe('{"a":"«key of full»","b":"«key of full»"}')
  })

  test('of fewer letters, or of a code, is no secret', () => {
    const text = `${KEY.slice(3, 14)} and a-thirteen-`
    const redactor = knowing()
    redactor.addSecret('a-thirteen-letters-voucher', 'code')
    expect(redactor.text(`${text} y`)).toBe(`${text} y`)
  })
})

test('secrets as long and as many as a server likes are known as far as memory goes', () => {
  const redactor = knowing()
  redactor.learn({
    pin: 'p'.repeat(BYTES),
    pins: Array.from({ length: 60_000 }, (_, n) => ({ pin: `q-${n}-0` })),
  })
  expect(redactor.text(`p${'p'.repeat(5_000)} q-7-0 ${KEY}`)).not.toContain('pppp')
  expect(redactor.text(KEY)).toBe('«key of full»')
})
