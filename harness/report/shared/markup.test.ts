import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anchor, escapeMarkup, joined, markup } from './markup.ts'

test('text is escaped, markup and numbers are not, nothing is nothing', () => {
  const inner = markup`<b>${'<i>'}</b>`
  expect(markup`<p title="${'"'}">${inner}${[1, undefined, '&']}</p>`.text).toBe(
    '<p title="&quot;"><b>&lt;i&gt;</b>1&amp;</p>',
  )
  expect(joined(['<', inner], ' & ').text).toBe('&lt; &amp; <b>&lt;i&gt;</b>')
})

test('no text whatever leaves its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeMarkup(text)
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      expect(escaped.isWellFormed()).toBe(true)
    }),
  )
})

test('a very long text is bounded without being asked', () => {
  expect(markup`${'A'.repeat(1_000_000)}`.text.length).toBeLessThan(7_000)
})

test('anchors are plain and differ where names differ', () => {
  expect(anchor('check', 'limits/listing "x"')).toBe('check-limits~2f~listing~20~~22~x~22~')
  expect(anchor('check', 'a/b')).not.toBe(anchor('check', 'a~2f~b'))
})
