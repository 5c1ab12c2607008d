import { expect, test } from 'vitest'
import { hostileRecord } from '../../test/report/sample-hostile.ts'
import { emptyRecord, failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { renderAnnotations } from './annotations.ts'

test('names the verdict and each broken requirement once', () => {
  const lines = renderAnnotations(failingRecord()).trimEnd().split('\n')
  expect(lines[0]).toMatch(/^::error title=Fail::/)
  expect(lines.filter((line) => line.startsWith('::error title=RATE-07::'))).toHaveLength(1)
  expect(lines.find((line) => line.includes('title=RATE-07'))).toContain(
    'from 1 to 6; observed "1.5" (limits/listing-window)',
  )
})

test('a green run has no error', () => {
  expect(renderAnnotations(passingRecord())).not.toContain('::error')
})

test('a run that checked nothing has one', () => {
  expect(renderAnnotations(emptyRecord())).toMatch(/^::error title=/)
})

test('stays within what GitHub shows, and lets no answer add a command', () => {
  const lines = renderAnnotations(hostileRecord()).trimEnd().split('\n')
  for (const kind of ['error', 'warning'])
    expect(lines.filter((line) => line.startsWith(`::${kind} `)).length).toBeLessThanOrEqual(10)
  for (const line of lines) expect(line).toMatch(/^::(?:error|warning) title=[^:,]*::/)
})
