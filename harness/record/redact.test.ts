import { describe, expect, test } from 'vitest'
import { Redactor } from './redact.ts'

const KEY = 'sk-Live+0123/abc=DEF'
const CODE = 'ABCD-EFGH-IJKL'

function knowing(...secrets: string[]): Redactor {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.addSecret(secret, 'it')
  return redactor
}

describe('a known secret', () => {
  test.each<[string, string]>([
    ['plain', KEY],
    ['in a sentence', `no such key: ${KEY}.`],
    ['in another case', KEY.toUpperCase()],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['URL-encoded in small letters', encodeURIComponent(KEY).toLowerCase()],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in base64 of something longer', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in base64, one byte further', Buffer.from(`users:${KEY}, ok`).toString('base64')],
    ['in base64url', Buffer.from(`key ${KEY}`).toString('base64url')],
    ['in hexadecimal digits', Buffer.from(KEY).toString('hex')],
    ['in capital hexadecimal digits', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['in a URL', `https://h/api?key=${encodeURIComponent(KEY)}&x=1`],
    ['twice in a row', KEY + KEY],
    ['cut, with the mark of a cut', `{"echo":"${KEY.slice(0, 9)}… and 20 more characters`],
    ['cut at the end', `{"echo":"${KEY.slice(0, 12)}`],
  ])('%s', (_how, text) => {
    const clean = knowing(KEY).text(text)
    expect(clean).toContain('«it»')
    for (const piece of [KEY.slice(0, 9), KEY.slice(-9), encodeURIComponent(KEY).slice(0, 9)])
      expect(clean.toLowerCase()).not.toContain(piece.toLowerCase())
  })

  test.each([
    ['ABCD-EFGH-IJKL', 'ABCDEFGHIJKL'],
    ['ABCDEFGHIJKL', 'ABCD-EFGH-IJKL'],
    ['ABCD-EFGH-IJKL', 'abcd efgh ijkl'],
  ])('%s printed as %s', (secret, printed) => {
    expect(knowing(secret).text(`code ${printed}!`)).toBe('code «it»!')
  })

  test('with quotes and backslashes, inside JSON', () => {
    const secret = String.raw`pa"ss\word`
    expect(knowing(secret).text(JSON.stringify({ note: secret }))).toBe('{"note":"«it»"}')
  })

  test('one that holds another is replaced whole', () => {
    expect(knowing('secret-one', 'secret-one-and-more').text('x secret-one-and-more y')).toBe(
      'x «it» y',
    )
  })

  test('of a few characters is replaced as a whole JSON string only', () => {
    const redactor = knowing('2026')
    expect(redactor.text('{"code":"2026","at":"2026-11-21"}')).toBe(
      '{"code":"«it»","at":"2026-11-21"}',
    )
  })

  test('what only begins alike stays', () => {
    expect(knowing('ref_demo_full_0123').text('keys ref_demo_poller and more')).toBe(
      'keys ref_demo_poller and more',
    )
  })

  test('thousands of them in a long text take little time', () => {
    const redactor = new Redactor()
    for (let index = 0; index < 3_000; index++)
      redactor.addSecret(`code-${(index * 7_919).toString(36).padStart(8, '0')}`, 'code')
    const text = `${'x'.repeat(1_000)} code-${(7_919 * 42).toString(36).padStart(8, '0')} `.repeat(
      2_000,
    )
    const started = process.threadCpuUsage()
    expect(redactor.text(text).match(/«code»/g)).toHaveLength(2_000)
    // Of this thread: others may keep the cores.
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })
})

describe('a secret field', () => {
  test.each([
    ['{"pin":"1234"}', '{"pin":"«pin»"}'],
    ['{"pin" : 123456}', '{"pin" : "«pin»"}'],
    ['{"serial_number":"S-1"}', '{"serial_number":"«serial_number»"}'],
    [String.raw`{"pin":"a\"b"}`, '{"pin":"«pin»"}'],
    [String.raw`observed {\"pin\":\"1234\"}`, String.raw`observed {\"pin\":\"«pin»\"}`],
    ['{"pin":"12', '{"pin":"«pin»"'],
    ['https://h/?token=abc&limit=1', 'https://h/?token=«token»&limit=1'],
  ])('%s', (text, clean) => {
    expect(new Redactor().text(text)).toBe(clean)
  })

  test.each([
    '{"pin":"****1234"}',
    '{"pin":"••••"}',
    '{"pin":"XXXX-XXXX-1234"}',
    '{"pin":""}',
    '{"code":"MISSING"}',
    '{"pin":null}',
  ])('%s is evidence', (text) => {
    expect(new Redactor().text(text)).toBe(text)
  })

  test('is learned, and found elsewhere', () => {
    const redactor = new Redactor()
    redactor.learn({ data: { vouchers: [{ pin: CODE, serialNumber: 987654321 }] } })
    expect(redactor.text(`note: ${CODE}, 987654321`)).toBe('note: «pin», «serialNumber»')
  })

  test('in an answer nested deeper than the stack, or of megabytes, breaks nothing', () => {
    let deep: unknown = { pin: CODE }
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const redactor = new Redactor()
    redactor.learn(deep)
    expect(redactor.text(CODE)).toBe('«pin»')
    const long = String.raw`{"pin":"${String.raw`\"`.repeat(1_000_000)}x`
    expect(redactor.text(long)).toBe('{"pin":"«pin»"')
  })
})

test('a header is hidden by its name, or by what it holds', () => {
  const redactor = knowing(KEY)
  expect(redactor.header('X-API-Key', 'anything')).toBe('«x-api-key»')
  expect(redactor.header('Set-Cookie', 'a=b')).toBe('«set-cookie»')
  expect(redactor.header('X-Echo', `got ${KEY}`)).toBe('got «it»')
})

test('every new secret is told once', () => {
  const told: string[] = []
  const redactor = new Redactor((value) => told.push(value))
  redactor.addSecret(KEY, 'it')
  redactor.addSecret(KEY, 'it')
  redactor.addSecret('ab', 'it')
  expect(told).toEqual([KEY])
})

test('our own texts stay as they are, also where a secret begins with their last word', () => {
  const redactor = knowing('activation by post')
  redactor.keep(['esim.activation'])
  expect(redactor.data({ id: 'esim.activation' })).toEqual({ id: 'esim.activation' })
  expect(redactor.data({ body: 'code: activation' })).toEqual({ body: 'code: «it»' })
})
