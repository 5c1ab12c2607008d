import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hostileRecord, largeRecord } from '../../test/report/sample-hostile.ts'
import {
  emptyRecord,
  failingRecord,
  interruptedRecord,
  notReadyRecord,
  passingRecord,
} from '../../test/report/sample-record.ts'
import { renderHtml } from './html.ts'

const SIZE_MAX = 1_500_000

function positions(page: string, parts: readonly string[]): number[] {
  return parts.map((part) => page.indexOf(part))
}

describe('a failing run', () => {
  const page = renderHtml(failingRecord())

  test('opens with verdict, exit code, reason and next step', () => {
    expect(page).toMatch(/<h1>Fail <span class="exit">exit 1<\/span><\/h1>/)
    expect(page).toContain('4 of 91 requirements failed: CAP-13, RATE-02, RATE-07, RATE-14.')
    expect(page).toContain('<b>Next:</b> Repeat one of them alone')
    expect(page).toContain('<title>✕ Fail · staging · ordering-harness</title>')
  })

  test('says what could void it, then what failed, before the rest', () => {
    const order = positions(page, [
      'id="hazards"',
      'id="failures"',
      'id="warnings"',
      'id="undecided"',
      'id="requirements"',
      'id="windows"',
      'id="load"',
      'id="observations"',
      'id="context"',
    ])
    expect(order.every((at) => at > 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(page).toContain('The clock of the target is 1.8 to 2.1 s ahead')
    expect(page).toContain('<b>4 requirements not decided:</b> <span class="nowrap">BUSY-01</span>')
  })

  test('gives a failure its requirement, source, comparison, exchange, curl and repeat command', () => {
    const start = page.indexOf('id="RATE-07"')
    const card = page.slice(start, page.indexOf('</article>', start))
    for (const part of [
      'RATE-07',
      'The Retry-After of a 429 is a whole number of seconds.',
      'Limits: row Exceeding any window, Errors: bullet 7 sentence 1 · must',
      'digits only: a whole number of seconds from 1 to 6',
      '&quot;1.5&quot;',
      'HTTP 429',
      '<b>retry-after:</b> 1.5',
      '&quot;statusCode&quot;: 8',
      '-H &quot;X-API-Key: $ORDERING_KEY_FULL&quot;',
      'npm run conformance -- --target staging.json --only limits/listing-window',
    ])
      expect(card).toContain(part)
  })

  test('prints each exchange once and links to it elsewhere', () => {
    expect(page.split('id="exchange-x0043"').length).toBe(2)
    expect(page).toContain('Also: <a href="#exchange-x0043">')
  })

  test('shows failures of load scenarios as failures', () => {
    expect(page).toContain('252 in each of three windows (36 too many in all)')
  })
})

describe('a run without failures', () => {
  test('is a pass when everything was decided', () => {
    const page = renderHtml(passingRecord())
    expect(page).toContain('<h1>Pass <span class="exit">exit 0</span></h1>')
    expect(page).toContain('None of the 92 decided checks failed.')
    expect(page).toContain('The run recorded nothing that could void its verdict.')
    expect(page).toContain('All requirements in scope were decided.')
  })

  test('does not look like one when nothing was decided', () => {
    const page = renderHtml(emptyRecord())
    expect(page).toContain('<header class="banner untested">')
    expect(page).toContain('No check was decided, so none could fail.')
    expect(page).not.toContain('class="verdict pass"')
  })

  test('is marked partial when it was interrupted', () => {
    const page = renderHtml(interruptedRecord())
    expect(page).toContain('<h1>Interrupted <span class="exit">exit 130</span></h1>')
    expect(page).toContain('<b>Partial record.</b>')
  })

  test('names the problem and the next step when the target is not ready', () => {
    const page = renderHtml(notReadyRecord())
    expect(page).toContain('<code>E_ENVIRONMENT_UNREACHABLE</code> Nothing answers at')
  })

  test('names the faults that were switched on', () => {
    const record = passingRecord()
    const page = renderHtml({ ...record, target: { ...record.target, faults: ['sliding-log'] } })
    expect(page).toContain('<b>Deliberate defects.</b>')
    expect(page).toContain('sliding-log')
  })
})

describe('as a file', () => {
  const records = [
    passingRecord(),
    failingRecord(),
    hostileRecord(),
    emptyRecord(),
    interruptedRecord(),
    largeRecord({ checks: 150, exchanges: 3_000 }),
  ]
  const pages = records.map(renderHtml)

  test('forbids everything but its own style sheet', () => {
    for (const page of pages) {
      const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'))
      const hash = createHash('sha256').update(style).digest('base64')
      expect(page).toContain(
        `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
      )
    }
  })

  test('has no script, no style attribute, nothing to fetch', () => {
    for (const page of pages)
      expect(page).not.toMatch(
        /<(?:script|link|img|iframe|object|form)\b|<[^>]* (?:style|src|on\w+)=/i,
      )
  })

  test('has unique ids and no link that leads nowhere', () => {
    for (const page of pages) {
      const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
      expect(ids).toHaveLength(new Set(ids).size)
      const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map((match) => match[1])
      expect(targets.filter((target) => !ids.includes(target))).toEqual([])
      expect(page).not.toMatch(/href="[^#]/)
    }
  })

  test('holds no invisible character and no lone surrogate', () => {
    for (const page of pages) {
      expect(page.isWellFormed()).toBe(true)
      expect(page).not.toMatch(/[^\P{C}\n\t]/u)
    }
  })

  test('caps floods and says so', () => {
    expect(pages[2]).toMatch(/ … and 19\d,\d{3} more characters/)
  })

  test('stays small for a large run', () => {
    const page = renderHtml(largeRecord({ checks: 150, exchanges: 300 }))
    expect(Buffer.byteLength(page)).toBeLessThan(SIZE_MAX)
    expect(Buffer.byteLength(renderHtml(hostileRecord()))).toBeLessThan(SIZE_MAX)
  })
})
