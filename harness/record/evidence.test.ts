import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { exchangeWith } from '../../test/support/exchanges.ts'
import type { Exchange } from '../client/exchange.ts'
import { curlOf } from './curl.ts'
import { evidenceOf } from './evidence.ts'
import { Redactor } from './redact.ts'

const KEY = 'key-0123456789-abcdef'

const SENT = {
  method: 'POST',
  headers: [
    ['x-api-key', KEY],
    ['content-type', 'application/json'],
  ],
} as const

function exchangeOf({ request, ...change }: Parameters<typeof exchangeWith>[0] = {}): Exchange {
  return exchangeWith({ operation: 'createOrder', request: { ...SENT, ...request }, ...change })
}

function written(exchange: Exchange): string {
  const redactor = new Redactor()
  redactor.addSecret(KEY, 'key of full')
  return JSON.stringify(evidenceOf(exchange, redactor))
}

describe('evidence holds no secret', () => {
  test.each<[string, Parameters<typeof exchangeOf>[0]]>([
    ['sent', {}],
    ['in the URL', { request: { url: `http://127.0.0.1:1/?k=${KEY}` } }],
    ['in the body sent', { request: { body: JSON.stringify({ key: KEY }) } }],
    ['in a header of another name', { request: { headers: [['x-other', KEY]] } }],
    [
      'echoed in the body',
      { response: { body: JSON.stringify({ headers: { 'x-api-key': KEY } }) } },
    ],
    ['echoed in a header', { response: { headers: [['x-echo', KEY]] } }],
    ['in an error', { error: { code: 'E', message: `bad header ${KEY}` } }],
    ['across the end of what is kept', { response: { body: 'x'.repeat(3_990) + KEY } }],
    [
      'across the end of what was read',
      { response: { body: `x ${KEY.slice(0, 12)}`, truncated: true } },
    ],
  ])('%s', (_where, change) => {
    const text = written(exchangeOf(change))
    expect(text).not.toContain(KEY.slice(0, 8))
    expect(text).not.toContain(KEY.slice(-8))
  })

  test('and is bounded', () => {
    const evidence = evidenceOf(
      exchangeOf({ response: { body: 'y'.repeat(9_000) } }),
      new Redactor(),
    )
    expect(evidence.responseBody).toHaveLength(4_000)
    expect(evidence.truncated).toBe(true)
  })
})

/** What a shell makes of the command: its words, with curl replaced by something that only prints them. */
function wordsOf(curl: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${curl}`
  const output = execFileSync('/bin/sh', ['-c', script], {
    env: { ORDERING_KEY_FULL: KEY },
    encoding: 'utf8',
  })
  return output.split('\0').slice(0, -1)
}

describe.skipIf(process.platform === 'win32')('curl', () => {
  test.each([
    `it's`,
    `'; touch /tmp/never; '`,
    '$(touch /tmp/never) `id` $HOME',
    String.raw`back\slash " quote`,
    'line\nbreak',
    '{"a":[1,2]}',
    '@file',
    '-X DELETE',
    '',
  ])('gives %j to the shell as it stands', (body) => {
    const words = wordsOf(curlOf(exchangeOf({ request: { body } })))
    expect(words.slice(-2)).toEqual(['--data-raw', body])
    expect(words).toContain(`x-api-key: ${KEY}`)
  })

  test('takes URL and headers as they stand', () => {
    const url = `http://127.0.0.1:1/a?x=[1]&y={2}'$(id)`
    const words = wordsOf(
      curlOf(exchangeOf({ request: { method: 'GET', url, headers: [['x-note', `a'b "$HOME"`]] } })),
    )
    expect(words).toEqual(['-i', '--globoff', url, '-H', `x-note: a'b "$HOME"`])
  })

  test('sends no Content-Type where none was sent, and empty headers as such', () => {
    const words = wordsOf(
      curlOf(exchangeOf({ request: { headers: [['x-empty', '']], body: '{}' } })),
    )
    expect(words.slice(5)).toEqual(['-H', 'x-empty;', '-H', 'Content-Type:', '--data-raw', '{}'])
  })
})

test.each([
  [{ keyVariable: 'STAGING_BUYER_KEY' }, '"x-api-key: $STAGING_BUYER_KEY"'],
  [{ role: 'invented' as const }, '"x-api-key: $ORDERING_KEY_INVENTED"'],
])('curl takes the key from the variable that the target names: %j', (change, words) => {
  const curl = curlOf({ ...exchangeOf({}), ...change })
  expect(curl).toContain(words)
  expect(curl).not.toContain(KEY)
})
