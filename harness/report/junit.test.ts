import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
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

/** The cases of one suite, as their attributes are written. */
function casesOf(xml: string, suite: string): string[] {
  const elements = parseXml(xml).filter(({ name }) => name === 'testsuite' || name === 'testcase')
  const start = elements.findIndex(
    ({ name, attributes }) => name === 'testsuite' && attributes.includes(`name="${suite}"`),
  )
  const after = elements.slice(start + 1)
  const end = after.findIndex(({ name }) => name === 'testsuite')
  return after.slice(0, end < 0 ? undefined : end).map(({ attributes }) => attributes)
}

test('has one case for the run, and one per requirement, check and load scenario', () => {
  const record = failingRecord()
  const xml = renderJunit(record)
  expect(casesOf(xml, 'verdict')).toHaveLength(1)
  expect(casesOf(xml, 'requirements')).toHaveLength(record.requirements.length)
  expect(casesOf(xml, 'checks')).toHaveLength(record.checks.length)
  expect(casesOf(xml, 'load')).toHaveLength(record.load.length)
})

test('the sums are those of the cases', () => {
  const xml = renderJunit(failingRecord())
  const [root] = parseXml(xml)
  expect(root?.attributes).toContain(
    `tests="${countOf(xml, 'testcase')}" failures="${countOf(xml, 'failure')}" errors="${countOf(xml, 'error')}"`,
  )
})

test('names say what is tested and never how it ended, so that a history can follow them', () => {
  for (const record of [failingRecord(), passingRecord(), emptyRecord()])
    expect(casesOf(renderJunit(record), 'verdict')).toEqual([
      expect.stringContaining(' name="verdict"'),
    ])
})

test('a case of a requirement begins with its id and says what was observed', () => {
  const xml = renderJunit(failingRecord())
  const start = xml.indexOf('name="RATE-07: ')
  expect(xml.slice(start, xml.indexOf('</testcase>', start))).toMatch(/<failure message="RATE-07: /)
})

test.each([
  [1, 'failure'],
  [3, 'error'],
  [4, 'error'],
  [5, 'error'],
  [6, 'error'],
  [130, 'error'],
] as const)('a run that ends with %i is a %s', (exitCode, element) => {
  const xml = renderJunit({ ...emptyRecord(), exitCode })
  expect(countOf(xml, 'failure') + countOf(xml, 'error')).toBe(1)
  expect(countOf(xml, element)).toBe(1)
})

test('a load scenario has its wall time', () => {
  const record = failingRecord()
  const load = record.load.map((result) => ({ ...result, durationSeconds: 12.5 }))
  for (const attributes of casesOf(renderJunit({ ...record, load }), 'load'))
    expect(attributes).toContain('time="12.500"')
})

test('is valid against what Jenkins accepts', async () => {
  const schema = readFileSync(new URL('../../test/report/junit.xsd', import.meta.url), 'utf8')
  const records = [failingRecord(), passingRecord(), emptyRecord(), hostileRecord()]
  const xml = records.map((record, i) => ({ fileName: `${i}.xml`, contents: renderJunit(record) }))
  const { valid, errors } = await validateXML({ xml, schema: [schema] })
  expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([])
  expect(valid).toBe(true)
  const broken = xml.map(({ fileName, contents }) => ({
    fileName,
    contents: contents.replace('<testsuites ', '<testsuites skipped="0" '),
  }))
  expect((await validateXML({ xml: broken, schema: [schema] })).valid).toBe(false)
})

test('says requirement, expected, actual, repeat and curl in a failure', () => {
  const xml = renderJunit(failingRecord())
  const start = xml.indexOf('limits/listing-window: A throttled listing')
  const failure = xml.slice(start, xml.indexOf('</failure>', start))
  for (const part of [
    'Requirement: RATE-07: The Retry-After of a 429 is a whole number of seconds. (Limits: row Exceeding any window, Errors: bullet 7 sentence 1)',
    'Looked at:   Retry-After of the third listing',
    'Expected:    digits only',
    'Observed:    &quot;1.5&quot;',
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
  expect(countOf(renderJunit(emptyRecord()), 'error')).toBe(1)
  expect(countOf(renderJunit(passingRecord()), 'failure')).toBe(0)
})

test('a record that contradicts itself is red', () => {
  expect(countOf(renderJunit({ ...passingRecord(), partial: true }), 'error')).toBe(1)
})

test('is well-formed for hostile records and for any text', () => {
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
