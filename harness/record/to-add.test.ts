import { expect, it } from 'vitest'
import type { Check, Want } from '../../schemas/generated/run-record.ts'
import { CONTROL_SIDE } from '../target-file/wants.ts'
import { toAddFor } from './to-add.ts'

const check = (id: string, requirements: string[], wants?: Want[]): Check =>
  ({ id, requirements, verdict: 'untested', ...(wants && { wants }) }) as Check
const SIBLING = { what: 'a key of role sibling' }
const cap = (units: number): Want => ({ what: 'a cap with room for N units', units })

it('tells each thing once, with the requirements that it lets decide, most first', () => {
  const checks = [
    check('a.one', ['A-01', 'A-02'], [SIBLING]),
    check('a.two', ['A-03'], [{ what: 'the path x' }]),
    // Decided at less by another check.
    check('a.much', ['A-01', 'A-04'], [SIBLING, { what: 'a product "dtu"' }]),
    check('a.reasonless', ['A-05']),
    check('a.decided', ['A-09'], [SIBLING]),
  ]
  expect(toAddFor(['A-01', 'A-02', 'A-03', 'A-04', 'A-05'], checks)).toEqual([
    { what: 'a key of role sibling', requirements: ['A-01', 'A-02'] },
    { what: 'the path x', requirements: ['A-03'] },
    { what: 'a key of role sibling and a product "dtu"', requirements: ['A-04'] },
  ])
})

it('names the first of many selectors', () => {
  const selectors = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ what: `the selector ${name}` }))
  expect(toAddFor(['A-01'], [check('a', ['A-01'], [SIBLING, ...selectors])])).toEqual([
    {
      what: 'the selectors a, b, c and 2 more and a key of role sibling',
      requirements: ['A-01'],
    },
  ])
})

it('names the largest of several sizes', () => {
  const checks = [check('a', ['A-01'], [cap(3)]), check('b', ['A-02'], [cap(400)])]
  expect(toAddFor(['A-01', 'A-02'], checks)).toEqual([
    { what: 'a cap with room for 400 units', requirements: ['A-01', 'A-02'] },
  ])
})

it('says a size in money where the target file says what a unit costs', () => {
  const priced = { what: 'a cap with room for N units', units: 48, unitPrice: 'USD 5.25' }
  const checks = [check('a', ['A-01'], [priced]), check('b', ['A-02'], [cap(3)])]
  expect(toAddFor(['A-01', 'A-02'], checks)).toEqual([
    { what: 'a cap with room for USD 252.00: 48 units', requirements: ['A-01', 'A-02'] },
  ])
})

it('names a control side only where keys, products and paths do not help', () => {
  const checks = [
    check('a', ['A-01', 'A-02'], [CONTROL_SIDE]),
    check('b', ['A-01'], [SIBLING, { what: 'the path x' }]),
  ]
  expect(toAddFor(['A-01', 'A-02'], checks)).toEqual([
    { what: 'a key of role sibling and the path x', requirements: ['A-01'] },
    { what: CONTROL_SIDE.what, requirements: ['A-02'] },
  ])
})
