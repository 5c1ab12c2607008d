import { expect, test } from 'vitest'
import { TextFinder } from '../../harness/text-finder.ts'
import { showsKey } from './shown-key.ts'

function finderOf(key: string): TextFinder {
  const keys = new TextFinder()
  keys.add(key, 'key', true)
  return keys
}

test.each([
  ['a short key within an identifier', 'c3fa91', '{"traceId":"5d0c3fa91-11"}', false],
  ['a short key at the end of an identifier', 'c3fa91', '"pin":"A0C3FA91"', false],
  ['a short key as a word', 'c3fa91', '{"apiKey":"c3fa91"}', true],
  ['a short key alone', 'c3fa91', 'c3fa91', true],
  ['a long key within a word', 'ref_demo_full_01', 'key=xref_demo_full_01y', true],
])('%s', (_what, key, text, isShown) => {
  expect(showsKey(finderOf(key), text)).toBe(isShown)
})
