import { expect, test } from 'vitest'
import { emptyRecord, failingRecord, passingRecord } from '../../../test/report/sample-record.ts'
import { countsInWords, countVerdicts, headlineOf } from './verdicts.ts'

test('only exit code 0 with a passing verdict and a whole record is a pass', () => {
  const pass = passingRecord()
  expect(headlineOf(pass)).toEqual({ word: 'Pass', tone: 'pass' })
  expect(headlineOf({ ...pass, verdict: 'warn' }).tone).toBe('warn')
  expect(headlineOf({ ...pass, partial: true }).tone).toBe('error')
  expect(headlineOf({ ...pass, verdict: 'untested' }).tone).toBe('error')
})

test.for([1, 2, 3, 4, 5, 6, 129, 130, 143, 99])('exit code %i is never green', (exitCode) => {
  expect(headlineOf({ ...passingRecord(), exitCode }).tone).not.toBe('pass')
})

test('the words follow the exit codes', () => {
  expect(headlineOf(failingRecord()).word).toBe('Fail')
  expect(headlineOf(emptyRecord()).word).toBe('Too little verified')
})

test('counts name what occurs, most urgent first', () => {
  const items = (['pass', 'fail', 'pass'] as const).map((verdict) => ({ verdict }))
  expect(countsInWords(countVerdicts(items))).toBe('1 fail, 2 pass')
  expect(countsInWords(countVerdicts([]))).toBe('none')
})
