import { describe, expect, test } from 'vitest'
import type { Baseline, BaselineFigure, RunRecord } from '../../schemas/generated/run-record.ts'
import { failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { schemaComplaints } from '../record/write.ts'
import { renderConsole } from './console.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

const WORSE: BaselineFigure = {
  scenario: 'browse',
  figure: 'admittedMsP99',
  verdict: 'worse',
  repeats: { before: 6, now: 7 },
  medians: { before: 20.04, now: 26 },
  change: { estimate: 30.004, low: 18, high: 44, isPercent: true },
}
const SAME: BaselineFigure = {
  ...WORSE,
  figure: 'achievedPerSecond',
  verdict: 'within noise',
  change: { estimate: -0.5, low: -2, high: 1, isPercent: true },
}
const OPEN: BaselineFigure = {
  scenario: '<mixed>',
  figure: 'unanswered',
  verdict: 'not comparable',
  reason: 'too few repeats',
  repeats: { before: 1, now: 1 },
  medians: { before: 0, now: 0 },
}

function withBaseline(figures: BaselineFigure[], more: Partial<Baseline> = {}): RunRecord {
  const baseline = { runId: 'earlier', startedAt: '2026-01-01T00:00:00.000Z', alpha: 0.05 }
  return { ...passingRecord(), baseline: { ...baseline, figures, ...more } }
}

const RECORD = withBaseline([SAME, OPEN, WORSE])
const CHANGE = '+30 (+18 to +44) %'

describe('the comparison with a baseline', () => {
  test('is a valid part of the record', () => {
    expect(schemaComplaints(RECORD)).toEqual([])
  })

  test('is told on the terminal, what is worse first, what is the same only counted', () => {
    const text = renderConsole(RECORD, { colour: false })
    expect(text).toContain('beside run earlier: 1 worse, 1 not comparable, 1 within noise')
    const lines = text.split('\n').filter((line) => line.includes('browse:'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`browse: latency of the admitted, p99: worse, ${CHANGE}`)
    expect(text).toContain('not comparable, too few repeats')
  })

  test('stands in the job summary with every figure', () => {
    const text = renderMarkdown(RECORD)
    expect(text).toContain('### Beside the baseline')
    expect(text.indexOf('p99')).toBeLessThan(text.indexOf('achieved rate'))
    expect(text).not.toContain('<mixed>')
  })

  test('is a section of the page, with medians and intervals', () => {
    const page = renderHtml(RECORD)
    expect(page).toContain('id="baseline"')
    expect(page).toContain(CHANGE)
    expect(page).toContain('20 ms')
    expect(page).toContain('&lt;mixed&gt;')
    expect(page).toContain('fails nothing')
  })

  test('names the bound that was asked for', () => {
    const record = withBaseline([{ ...WORSE, verdict: 'regression' }], { regressionPercentMax: 10 })
    expect(renderConsole(record, { colour: false })).toContain('1 worse by more than is permitted')
    expect(renderMarkdown(record)).toContain('worse by more than 10 %')
  })

  test('with nothing in common says so', () => {
    expect(renderConsole(withBaseline([]), { colour: false })).toContain('nothing to compare')
    expect(renderHtml(withBaseline([]))).toContain('nothing to compare')
  })

  test('leaves the terminal to failures, but for what fails the run as well', () => {
    const { baseline } = RECORD
    const record: RunRecord = { ...failingRecord(), ...(baseline && { baseline }) }
    expect(renderConsole(record, { colour: false })).not.toContain('beside run')
    expect(renderHtml(record)).toContain('id="baseline"')
    const regression = { ...WORSE, verdict: 'regression' } as const
    const { baseline: worse } = withBaseline([regression, { ...regression, scenario: 'mixed' }])
    const text = renderConsole({ ...record, ...(worse && { baseline: worse }) }, { colour: false })
    expect(text).toContain('worse by more than is permitted beside run earlier')
    expect(text).toContain(`${CHANGE}, and 1 other figure`)
  })

  test('is left out where there was none', () => {
    const record = passingRecord()
    expect(renderHtml(record)).not.toContain('id="baseline"')
    expect(renderMarkdown(record)).not.toContain('baseline')
    expect(renderConsole(record, { colour: false })).not.toContain('beside run')
  })
})
