import { expect, test } from 'vitest'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { expectForm, hasEntry, isAllowlistRefusal, visibleText } from './allowlist-refusals.ts'

const refusal = (body: string): Exchange =>
  ({ response: { status: 403, headers: [], body } }) as unknown as Exchange

/** JSON lets every character be escaped. */
const escaped = (text: string): string =>
  text
    .split('')
    .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

test('a refusal speaks of the allowlist, however its letters are written', () => {
  expect(
    isAllowlistRefusal(refusal(`{"statusMessage":"${escaped('not in the allowlist')}"}`)),
  ).toBe(true)
  expect(isAllowlistRefusal(refusal(`{"statusMessage":"${escaped('missing scope')}"}`))).toBe(false)
})

test('an entry is seen behind an escaped slash', () => {
  expect(visibleText(refusal('{"statusMessage":"198.51.100.0\\/24"}'))).toContain('198.51.100.0/24')
})

test('an entry that the address of the caller begins with is not shown by that address', () => {
  expect(hasEntry('caller IP 192.0.2.10 is not in', '192.0.2.1')).toBe(false)
  expect(hasEntry('caller IP 2001:db8::1f is not in', '2001:db8::1')).toBe(false)
  expect(hasEntry('not one of 192.0.2.1.', '192.0.2.1')).toBe(true)
  expect(hasEntry('["192.0.*","::1"]', '192.0.*')).toBe(true)
  expect(hasEntry('["192.0.*","::1"]', '::1')).toBe(true)
})

test('a refusal without a message is shown whole', () => {
  const told: unknown[] = []
  const expectation = {
    that: (_: string, { observed }: object & { observed?: string }) => told.push(observed),
  }
  expectForm({ expect: () => expectation } as unknown as CheckContext, refusal('<html>'))
  expect(told).toEqual([undefined])
})
