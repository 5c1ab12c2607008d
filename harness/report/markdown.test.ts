import { expect, test } from 'vitest'
import { hostileRecord, largeRecord } from '../../test/report/sample-hostile.ts'
import { emptyRecord, failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { renderMarkdown } from './markdown.ts'

/** A small part of GitHub's bound of 1 MiB. */
const BYTES_MAX = 128 * 1_024

test('opens with the verdict, counts, hazards and failures', () => {
  const text = renderMarkdown(failingRecord())
  expect(text).toMatch(/^## ✕ Fail \(exit 1\)\n/)
  expect(text).toContain('| Requirements | 4 | 1 | 3 | 1 | 82 |')
  expect(text).toContain('### What could void this verdict')
  expect(text).toContain('#### ✕ RATE-07')
  expect(text).toContain('- **Observed:** "1.5"')
  expect(text).toContain(
    'npm run conformance -- --target staging.json --only limits/listing-window',
  )
  expect(text).toContain('### Not decided: 4 requirements')
})

test('a passing run has no failure section', () => {
  const text = renderMarkdown(passingRecord())
  expect(text).toMatch(/^## ✓ Pass \(exit 0\)\n/)
  expect(text).not.toContain('### Failures')
})

test('a run that checked nothing says so', () => {
  expect(renderMarkdown(emptyRecord())).toContain('Nothing was checked.')
})

test('stays far below the size at which GitHub discards it, and says what it leaves out', () => {
  const large = renderMarkdown(largeRecord({ checks: 600, exchanges: 300 }))
  expect(Buffer.byteLength(large)).toBeLessThan(BYTES_MAX)
  expect(large).toMatch(/^Also found by area-\d/m)
  expect(Buffer.byteLength(renderMarkdown(hostileRecord()))).toBeLessThan(BYTES_MAX)
})

test('takes hostile text as text', () => {
  const text = renderMarkdown(hostileRecord())
  const outsideFences = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
  const special = outsideFences.replaceAll(/\\./g, '')
  expect(special).not.toMatch(/[<>@[\]`]|https?:\/\//)
  expect(text).not.toMatch(/[^\P{C}\n]/u)
})

test('reads well as plain text, as a log shows it', () => {
  const text = renderMarkdown(failingRecord())
  expect(text).not.toMatch(/&#?\w+;/)
  expect(text).toContain(`run ${failingRecord().runId}`)
})
