import { expect, test } from 'vitest'
import { failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { renderVerdict } from './verdict-json.ts'

test('names each broken requirement once, with what was observed', () => {
  const told = JSON.parse(renderVerdict(failingRecord(), { reportPath: 'reports/x' })) as {
    failures: { requirement: string; observed: string }[]
  }
  expect(told).toMatchObject({
    schemaVersion: 1,
    exitCode: 1,
    verdict: 'fail',
    reportPath: 'reports/x',
  })
  const names = told.failures.map(({ requirement }) => requirement)
  expect(new Set(names).size).toBe(names.length)
  expect(told.failures).toContainEqual(
    expect.objectContaining({ requirement: 'RATE-07', observed: '"1.5"' }),
  )
})

test('a pass has no failure', () => {
  expect(JSON.parse(renderVerdict(passingRecord(), {}))).toMatchObject({
    exitCode: 0,
    failures: [],
  })
})
