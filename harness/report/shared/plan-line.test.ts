import { expect, test } from 'vitest'
import { base } from '../../../test/report/sample-parts.ts'
import { renderConsole } from '../console.ts'
import { renderHtml } from '../html.ts'
import { renderMarkdown } from '../markdown.ts'
import { loadPlanLine, planLines, suitePlanLine, purchasesLine } from './plan-line.ts'

const SUITE =
  '44.2 s of up to 51.8 s · 2,950 requests (3,000 expected) · 58 orders (60 expected) · USD 116.00 (USD 120.00 expected)'
const SCENARIO =
  'spend-contention: 6.5 s of at most 41 s (7 s expected) · 431 of 727 requests · 64 of 141 orders · USD 190.00 of USD 438.00'

test('what the checks and each scenario took stands beside what was planned', () => {
  const record = base({})
  expect(suitePlanLine(record)).toBe(SUITE)
  expect(planLines(record)).toEqual([`checks: ${SUITE}`, SCENARIO])
  expect(loadPlanLine(record)).toBe(
    '6.5 s of at most 41 s · 431 of at most 727 requests · 64 of at most 141 orders',
  )
})

test('money is a bound where orders got no answer, which may have bought nothing', () => {
  const purchases = { made: 58, money: 'USD 116.00', pending: 0, unanswered: 3, orders: [] }
  expect(suitePlanLine({ ...base({}), purchases })).toContain(
    'at most USD 116.00, with 3 orders unanswered (USD 120.00 expected)',
  )
})

test('a few orders that checks of lost answers gave up are no bound', () => {
  const purchases = { made: 58, money: 'USD 116.00', pending: 0, unanswered: 2, orders: [] }
  expect(suitePlanLine({ ...base({}), purchases })).toBe(SUITE)
})

test('an interrupted run shows the plan alone, and one without a plan nothing', () => {
  const record = base({})
  const { actualSeconds: _seconds, spent: _spent, load: _load, ...plan } = record.plan
  expect(planLines({ plan })).toEqual(['checks: up to 51.8 s'])
  const { boundSeconds: _bound, ...unplanned } = plan
  expect(planLines({ plan: unplanned })).toEqual([])
  expect(loadPlanLine({ plan: unplanned })).toBeUndefined()
})

test('terminal, job summary and report show it', () => {
  const record = base({})
  expect(renderConsole(record, { colour: false })).toContain(`Checks took ${SUITE}`)
  for (const text of [renderMarkdown(record), renderHtml(record)]) {
    expect(text).toMatch(/2,950 requests .{1,5}3,000 expected/)
    expect(text).toContain('431 of 727 requests')
  }
})

test('the sum that was bought is said, and what is pending or was never answered is named', () => {
  const orders = [
    { orderId: 'o-1', state: 'SUCCESS' },
    { orderId: 'o-2', state: 'IN_PROGRESS' },
    { reference: 'r-3', state: 'unanswered' },
  ]
  const purchases = { made: 3, money: 'USD 3.00', pending: 1, unanswered: 1, orders }
  expect(purchasesLine({ purchases: { ...purchases, permitted: 'USD 5.00' } })).toBe(
    '3 orders for USD 3.00 of USD 5.00 permitted · 1 still in progress: o-2 · 1 without an answer: r-3',
  )
  expect(purchasesLine({ purchases: { ...purchases, reserved: 'USD 4.50' } })).toContain(
    '3 orders for USD 3.00 · USD 4.50 were reserved · ',
  )
  expect(purchasesLine({})).toBeUndefined()
})
