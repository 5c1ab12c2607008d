import { describe, expect, test } from 'vitest'
import { isLoopback } from '../network/loopback.ts'
import { readBaseUrl } from './base-url.ts'
import { nearest } from '../nearest.ts'
import { keyProblem, looksLikeSecret } from './secrets.ts'

test.each([
  ['prod', 'production'],
  ['sandbx', 'sandbox'],
  ['snadbox', 'sandbox'],
  ['Sandbox', 'sandbox'],
  ['live', undefined],
  ['', undefined],
  ['x'.repeat(1000), undefined],
])('nearest to %.10s is %s', (name, meant) => {
  expect(nearest(name, ['sandbox', 'production'])).toBe(meant)
})

test.each([
  ['base_url', 'baseUrl'],
  ['baseURL', 'baseUrl'],
  ['bsaeUrl', 'baseUrl'],
  ['voucher_async', 'voucher-async'],
])('%s means %s', (name, meant) => {
  expect(nearest(name, ['baseUrl', 'voucher-async', 'name'])).toBe(meant)
})

test('a name is sought among all candidates, however many', () => {
  const many = Array.from({ length: 300 }, (_, index) => `window-fault-${index}`)
  expect(nearest('retry-after-contsant', [...many, 'retry-after-constant'])).toBe(
    'retry-after-constant',
  )
  expect(nearest('esmi', ['gift', 'esim'])).toBe('esim')
  expect(nearest('x', ['a', 'bc'])).toBeUndefined()
})

test.each([
  ['sk_live_4f9a8b7c6d5e4f3a', true],
  ['AKIAIOSFODNN7EXAMPLE', true],
  ['d41d8cd98f00b204e9800998ecf8427e', true],
  ['eyJhbGciOi.eyJzdWIiOjE3.c2lnbmF0dXJl', true],
  ['q83vASNFZ4mrze8BI0VniQ==', true],
  ['/api/v1/items/{itemId}', false],
  ['$.data.items[0].id2', false],
  ['STAGING_ORDERING_KEY_2', false],
  ['ORDERING_KEY', false],
  ['voucher-cancelled', false],
  ['https://orders.example.com/v1', false],
  ['a short text 1', false],
])('%s looks like a secret: %s', (text, expected) => {
  expect(looksLikeSecret(text)).toBe(expected)
})

test.each([
  ['abc-._~!', undefined],
  ['abc\n', 'holds a line break'],
  ['a b', 'holds white space'],
  ['"abc-1"', 'stands in quotes'],
  ['schlüssel', 'holds a character that is not printable ASCII'],
  ['a\u0000b', 'holds a character that is not printable ASCII'],
])('the key %j: %s', (key, problem) => {
  expect(keyProblem(key)).toBe(problem)
})

describe('base URL', () => {
  test.each([
    ['https://Orders.Example.com/', 'https://orders.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/gateway//', 'http://[::1]:8080/gateway'],
    ['https://x.example:443', 'https://x.example'],
  ])('%s is read as %s', (text, url) => {
    expect(readBaseUrl(text, 'E_USAGE')).toEqual({ url })
  })

  test.each([
    ['orders.example.com', 'E_USAGE', 'expected an absolute URL'],
    [' https://x.example', 'E_USAGE', 'expected an absolute URL'],
    ['ftp://x.example', 'E_USAGE', 'scheme "ftp:"'],
    ['https://x.example/?key=hunter2', 'E_USAGE', 'query or a fragment (not shown)'],
    ['https://x.example/#hunter2', 'E_USAGE', 'query or a fragment (not shown)'],
    ['https://x.example/api/v1', 'E_USAGE', 'ends with /api/v1'],
    ['https://x.example/api/v1/', 'E_USAGE', 'ends with /api/v1/'],
    ['https://me:hunter2@x.example', 'E_TARGET_SECRET', 'user name or password (not shown)'],
    ['https//me:hunter2@x.example', 'E_USAGE', 'no URL (not shown'],
  ])('%s is refused', (text, code, message) => {
    const found = readBaseUrl(text, 'E_USAGE')
    expect(found).toMatchObject({ problem: { code } })
    expect(JSON.stringify(found)).toContain(JSON.stringify(message).slice(1, -1))
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  test.each([
    ['http://127.4.5.6', true],
    ['http://localhost:1', true],
    ['http://[::1]', true],
    ['http://127.0.0.1.example.com', false],
    ['https://orders.example.com', false],
  ])('%s stays on this machine: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected)
  })
})
