import { expect, test } from 'vitest'
import { readValues } from '../../../load/workload/reads.ts'
import { select } from '../../target-file/select.ts'
import { readSteps } from './read-steps.ts'

const ANSWER = {
  data: {
    total: 3,
    services: [
      { name: 'a', items: [{ id: 1 }, { id: 2 }] },
      { name: 'b', items: [], total: 7 },
      { 'odd name': { 'x/y': 4 } },
    ],
    nothing: null,
  },
  total: 9,
}

test.each([
  '',
  '/data/total',
  '/data/services',
  '/data/services/1/name',
  '/data/services/2/odd name/x~1y',
  '/data/nothing/deeper',
  '$.data.services[*]',
  '$.data.services[*].items[*].id',
  '$.data.services[1].name',
  "$.data.services[2]['odd name']['x/y']",
  '$["data"].total',
  '$.data.*',
  '$..total',
  '$..id',
  '$.missing[*].name',
])('%s leads where the selector does', (selector) => {
  const steps = readSteps(selector)
  expect(readValues(ANSWER, steps ?? [])).toEqual(select(selector, ANSWER))
  expect(steps).toBeDefined()
})

test.each(['$.data.services[?@.name == "a"]', '$.data.services[0:2]', '$.data[0,1]', '$..[0]'])(
  '%s is more than steps can say',
  (selector) => {
    expect(readSteps(selector)).toBeUndefined()
  },
)
