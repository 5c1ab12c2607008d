import { expect, test } from 'vitest'
import { runsOf } from './shared-runs.ts'

test('a run is counted in ordinary words', () => {
  expect([...runsOf('The quick fox, then', 3)]).toEqual(['the quick fox', 'quick fox then'])
})

test('names and identifiers belong to a run without counting', () => {
  expect([...runsOf('send `orderId` with HTTP 202 and IN_PROGRESS', 3)]).toEqual([
    'send orderid with http 202 and',
  ])
})

test('a list of names alone is no run', () => {
  expect(runsOf('SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED, orderId', 1).size).toBe(0)
})
