import { describe, expect, test } from 'vitest'
import {
  openModelPlan,
  evidenceOf,
  sessionOf,
  type Sent,
} from '../../../test/load/sample-open-model.ts'
import { browseStatements } from './browse-judge.ts'

/** Twelve products on pages of five, seen by as many clients as are given. */
const PRODUCTS = Array.from({ length: 12 }, (_, index) => `p${index}`)

function pages(products: readonly string[] = PRODUCTS, total = PRODUCTS.length): Sent[] {
  return [0, 5, 10].map((offset) => {
    const ids = products.slice(offset, offset + 5)
    return { sentMs: offset, total: String(total), items: ids.length, ids }
  })
}

function verdictsOf(...ways: readonly (readonly Sent[])[]): Record<string, string> {
  const evidence = evidenceOf(ways.map((sent, index) => sessionOf(index, sent)))
  const statements = browseStatements(evidence, openModelPlan())
  return Object.fromEntries(statements.map(({ requirement, verdict }) => [requirement, verdict]))
}

const RIGHT = { 'CAT-09': 'pass', 'CAT-11': 'pass', 'CAT-14': 'pass' }

describe('pages that many read at once', () => {
  test('each product once', () => {
    expect(verdictsOf(pages(), pages())).toEqual(RIGHT)
  })

  test('a page that was refused first is read again at the same offset', () => {
    const [first, ...rest] = pages()
    const refused = { sentMs: 0, status: 429 }
    expect(verdictsOf([refused, { ...first, sentMs: 1000, attempt: 1 }, ...rest])).toEqual(RIGHT)
  })

  test('a product twice and another left out', () => {
    const wrong = pages(PRODUCTS.with(6, 'p0'))
    expect(verdictsOf(wrong, wrong)).toMatchObject({ 'CAT-09': 'pass', 'CAT-14': 'fail' })
  })

  test('a catalog that changed while it was read decides nothing', () => {
    expect(verdictsOf(pages(PRODUCTS.with(6, 'p0')), pages())).toMatchObject({
      'CAT-14': 'inconclusive',
    })
  })

  test('a page that is too long, or too short while more is left', () => {
    const [first, second, last] = pages() as [Sent, Sent, Sent]
    expect(verdictsOf([{ ...first, items: 6 }, second, last])).toMatchObject({ 'CAT-09': 'fail' })
    expect(verdictsOf([{ ...first, items: 4 }, second, last])).toMatchObject({ 'CAT-09': 'fail' })
    expect(verdictsOf([first, second, { ...last, items: 3 }])).toMatchObject({ 'CAT-09': 'fail' })
  })

  test('no total', () => {
    const [first] = pages() as [Sent]
    expect(verdictsOf([{ ...first, total: undefined }])).toMatchObject({ 'CAT-11': 'fail' })
  })

  test('a way that was cut short says nothing of the whole', () => {
    expect(verdictsOf(pages().slice(0, 2))).toEqual({ 'CAT-09': 'pass', 'CAT-11': 'pass' })
  })

  test('a listing that fails outright', () => {
    expect(verdictsOf(pages(), [{ sentMs: 0, status: 500 }])).toMatchObject({
      'CAT-01': 'fail',
      'CAT-14': 'pass',
    })
    // What was not answered says nothing of the target's answers.
    expect(verdictsOf(pages(), [{ sentMs: 0, status: 0 }])).toEqual(RIGHT)
  })

  test('nothing is said of pages where nobody knows where products stand', () => {
    const services = { method: 'GET', url: '', reads: {} } as const
    const statements = browseStatements(
      evidenceOf([sessionOf(0, pages())]),
      openModelPlan({ operations: { services } }),
    )
    expect(statements).toEqual([])
  })
})
