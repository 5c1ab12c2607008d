import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileRecord } from '../../test/report/sample-hostile.ts'
import { sampleCheck } from '../../test/report/sample-parts.ts'
import { emptyRecord, failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { parseXml } from '../../test/report/xml.ts'
import type { RunRecord, Verdict } from '../../schemas/generated/run-record.ts'
import { renderJunit } from './junit.ts'

function countOf(xml: string, name: string): number {
  return parseXml(xml).filter((element) => element.name === name).length
}

function withOneCheck(verdict: Verdict): RunRecord {
  const check = sampleCheck('area/one', { requirements: ['ENV-01'], verdict, reason: 'because' })
  return { ...passingRecord(), checks: [check], load: [] }
}

test('has one case per check, one per load scenario and one for the run', () => {
  const record = failingRecord()
  const xml = renderJunit(record)
  expect(countOf(xml, 'testcase')).toBe(record.checks.length + record.load.length + 1)
  const total = parseXml(xml).find((element) => element.name === 'testsuites')
  expect(total?.attributes).toContain('tests="46" failures="5" errors="1" skipped="3"')
})

test('puts requirement ids into the names of the cases', () => {
  expect(renderJunit(failingRecord())).toContain(
    'name="[LIMIT-04] limits/listing-window: A throttled listing names its wait in whole seconds"',
  )
})

test('says requirement, expected, actual, repeat and curl in a failure', () => {
  const xml = renderJunit(failingRecord())
  const start = xml.indexOf('[LIMIT-04] limits/listing-window')
  const failure = xml.slice(start, xml.indexOf('</failure>', start))
  for (const part of [
    'Requirement: LIMIT-04: The Retry-After of a 429 is a whole number of seconds. (Limits: row 3)',
    'Looked at:   Retry-After of the third listing',
    'Expected:    digits only',
    'Actual:      &quot;1.5&quot;',
    'Repeat:      npm run conformance',
    'curl -sS -i',
  ])
    expect(failure).toContain(part)
})

describe('verdicts', () => {
  test.for([
    ['pass', undefined],
    ['warn', undefined],
    ['observed', undefined],
    ['fail', 'failure'],
    ['error', 'error'],
    ['inconclusive', 'error'],
    ['untested', 'skipped'],
    ['inapplicable', 'skipped'],
  ] as const)('%s becomes %s', ([verdict, element]) => {
    const xml = renderJunit(withOneCheck(verdict))
    const found = ['failure', 'error', 'skipped'].filter((name) => countOf(xml, name) > 0)
    expect(found).toEqual(element === undefined ? [] : [element])
    if (element !== undefined) expect(xml).toContain(`<${element} message="because"`)
  })
})

test('a run with an exit code above 0 is red even without any check', () => {
  expect(countOf(renderJunit(emptyRecord()), 'failure')).toBe(1)
  expect(countOf(renderJunit(passingRecord()), 'failure')).toBe(0)
})

test('a record that contradicts itself is red', () => {
  expect(countOf(renderJunit({ ...passingRecord(), partial: true }), 'failure')).toBe(1)
})

test('is well-formed for hostile records and for any text', { timeout: 60_000 }, () => {
  expect(countOf(renderJunit(hostileRecord()), 'testcase')).toBeGreaterThan(40)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const check = sampleCheck(text, {
        title: text,
        verdict: 'fail',
        reason: text,
        observed: text,
      })
      const record = { ...emptyRecord(), exitReason: text, checks: [check] }
      expect(countOf(renderJunit(record), 'testcase')).toBe(2)
    }),
  )
})
