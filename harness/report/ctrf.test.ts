import { validate, type CTRFReport } from 'ctrf'
import { expect, test } from 'vitest'
import { hostileRecord } from '../../test/report/sample-hostile.ts'
import { emptyRecord, failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { renderCtrf } from './ctrf.ts'

const parsed = (record: RunRecord): CTRFReport => JSON.parse(renderCtrf(record)) as CTRFReport

test.each([
  ['passing', passingRecord()],
  ['failing', failingRecord()],
  ['empty', emptyRecord()],
  ['hostile', hostileRecord()],
])('a %s run is a valid report', (_name, record) => {
  const { valid, errors } = validate(parsed(record))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('a format that is broken is found', () => {
  expect(validate({ ...parsed(passingRecord()), reportFormat: 'other' }).valid).toBe(false)
})

test('the sums are those of the tests, and a red run has a red test', () => {
  const { summary, tests } = parsed(failingRecord()).results
  expect(summary.tests).toBe(tests.length)
  expect(summary.passed + summary.failed + summary.skipped).toBe(tests.length)
  expect(tests.find(({ name }) => name === 'verdict')?.status).toBe('failed')
  expect(parsed(passingRecord()).results.summary.failed).toBe(0)
})

test('each broken requirement is a test with what was observed', () => {
  const { tests } = parsed(failingRecord()).results
  expect(tests.find(({ name }) => name.startsWith('RATE-07: '))).toMatchObject({
    status: 'failed',
    rawStatus: 'fail',
    suite: ['requirements'],
    message: 'RATE-07: "1.5"',
  })
})
