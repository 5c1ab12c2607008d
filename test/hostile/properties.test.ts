/** What holds of every input: the command line in any order, the reader over any bytes, the record over any texts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode } from '../../harness/client/decode.ts'
import { HarnessError } from '../../harness/errors.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import { Redactor } from '../../harness/record/redact.ts'
import { schemaComplaints } from '../../harness/record/write.ts'
import { renderAll, renderConsole } from '../../harness/report/index.ts'
import { failingRecord } from '../report/sample-record.ts'

/** Options that go together, each with its value. */
const OPTIONS: readonly (readonly string[])[] = [
  ['--only', 'auth'],
  ['--only', 'limits,cart'],
  ['--profile', 'core'],
  ['--floor', '90'],
  ['--reports', 'elsewhere'],
  ['--base-url', 'http://127.0.0.1:1'],
  ['--allow-purchases'],
  ['--max-orders', '3'],
  ['--max-spend', 'USD:2.50'],
  ['--no-load'],
]

test('a command line means the same in any order', () => {
  const expected = parseRunOptions('gate', OPTIONS.flat())
  fc.assert(
    fc.property(fc.shuffledSubarray([...OPTIONS], { minLength: OPTIONS.length }), (shuffled) => {
      const { only, ...options } = parseRunOptions('gate', shuffled.flat())
      expect({ ...options, only: only.toSorted() }).toEqual({
        ...expected,
        only: expected.only.toSorted(),
      })
    }),
  )
})

test('any command line is understood, or refused with 2', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom(...OPTIONS.flat(), '--', '-', '=', '--floor='))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      try {
        parseRunOptions('gate', words)
      } catch (cause) {
        expect(cause).toBeInstanceOf(HarnessError)
        expect((cause as HarnessError).exitCode).toBe(2)
      }
    }),
    { numRuns: 500 },
  )
})

test('any bytes are read in any content coding, in bounded room', () => {
  const BYTES_MAX = 4_096
  const codings = fc.constantFrom(
    '',
    'gzip',
    'deflate',
    'br',
    'zstd',
    'gzip, gzip',
    'zz',
    'gzip,,br',
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), codings, (bytes, coding) => {
      const headers = coding === '' ? [] : [['content-encoding', coding] as const]
      const { body } = decode(Buffer.from(bytes), headers, BYTES_MAX)
      expect(body.length).toBeLessThanOrEqual(BYTES_MAX)
    }),
    { numRuns: 500 },
  )
})

test('any texts of an answer make a record that holds its schema, and reports', () => {
  const { exchanges, ...record } = failingRecord()
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.json(), (text, json) => {
      const redactor = new Redactor()
      const hostile = redactor.data({
        ...record,
        exitReason: text,
        exchanges: exchanges.map((each) => ({
          ...each,
          responseBody: json,
          responseHeaders: [[text, text] as [string, string]],
        })),
        checks: record.checks.map((each) => ({ ...each, observed: text, reason: text })),
      })
      expect(schemaComplaints(hostile)).toEqual([])
      expect(renderAll(hostile).length).toBeGreaterThan(3)
      expect(renderConsole(hostile, { colour: false })).toContain(`(exit ${record.exitCode})`)
    }),
    { numRuns: 15 },
  )
})
