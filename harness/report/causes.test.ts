import { expect, test } from 'vitest'
import { hostileRecord, largeRecord } from '../../test/report/sample-hostile.ts'
import { failingRecord, passingRecord } from '../../test/report/sample-record.ts'
import { parseXml } from '../../test/report/xml.ts'
import type { Cause, Comparison, RunRecord } from '../../schemas/generated/run-record.ts'
import { validateDocument } from '../schema/validate.ts'
import { renderConsole } from './console.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'

const CAUSE: Cause = {
  id: 'C1',
  kind: 'no-route',
  text: 'POST /carts answers HTTP 404 to all 16 requests',
  nextStep: 'Serve it, or correct operations.createCart.path in the target file.',
  operations: ['createCart'],
  requests: 16,
  requirement: 'CART-09',
  check: 'cart.answer',
  blocked: ['cart.one-reference', 'cart.order-per-position'],
  exchanges: ['x0001'],
}

const COMPARISON: Comparison = {
  runId: '2026-01-02-0304',
  startedAt: '2026-01-02T03:04:00Z',
  questions: 30,
  changes: [
    {
      id: 'OPEN-25',
      question: 'Which number is IDEMPOTENCY_REPLAY?',
      check: 'idempotency.replay',
      before: ['the statusCode of replays is [1]'],
      now: ['the statusCode of replays is [7]'],
    },
  ],
}

const folded = (): RunRecord => ({ ...failingRecord(), causes: [CAUSE], comparison: COMPARISON })

test('the record may hold them', () => {
  expect(validateDocument('run-record', folded())).toEqual([])
})

test('every renderer tells the cause, what it blocks and what to do', () => {
  const record = folded()
  const texts = [
    renderConsole(record, { colour: false }),
    renderMarkdown(record).replaceAll(/\\(\W)/g, '$1'),
    renderHtml(record),
    renderJunit(record),
  ]
  for (const text of texts) {
    expect(text).toContain('C1')
    expect(text).toContain('POST /carts answers HTTP 404 to all 16 requests')
    expect(text).toContain('correct operations.createCart.path')
  }
  for (const text of texts.slice(1)) expect(text).toContain('cart.order-per-position')
})

test('what was observed otherwise is told, and fails nothing', () => {
  const green = { ...passingRecord(), comparison: COMPARISON }
  expect(renderConsole(green, { colour: false })).toContain(
    '○ 1 observation changed since run 2026-01-02-0304: OPEN-25',
  )
  expect(renderMarkdown(green)).toContain('### Changed since run')
  const html = renderHtml(green)
  expect(html).toContain('the statusCode of replays is [1]')
  expect(html).toContain('the statusCode of replays is [7]')
  const failures = parseXml(renderJunit(green)).filter(({ name }) => name === 'failure')
  expect(failures).toEqual([])
})

test('a run like the one before says so in the report only', () => {
  const same = { ...passingRecord(), comparison: { ...COMPARISON, changes: [] } }
  expect(renderHtml(same)).toContain('Nothing observed changed, as far as both answered')
  expect(renderMarkdown(same)).not.toContain('Changed since')
})

test('whatever they hold, the console stays short and markup is escaped', () => {
  const nasty = '</script><b>&]]>`|\n\u001b[31m'
  const cause = { ...CAUSE, text: nasty, nextStep: nasty, blocked: [nasty] }
  const change = { id: nasty, question: nasty, check: nasty, before: [nasty], now: [nasty] }
  for (const base of [largeRecord({ checks: 150, exchanges: 10 }), hostileRecord()]) {
    const record: RunRecord = {
      ...base,
      causes: Array.from({ length: 60 }, () => cause),
      comparison: { ...COMPARISON, changes: Array.from({ length: 300 }, () => change) },
    }
    const lines = renderConsole(record, { colour: false }).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(25)
    expect(renderHtml(record)).not.toContain('<b>&]]>')
    expect(renderMarkdown(record)).not.toContain('<b>&]]>')
    expect(() => parseXml(renderJunit(record))).not.toThrow()
  }
})
