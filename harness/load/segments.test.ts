import { expect, test } from 'vitest'
import { instancesFor, segmentArguments, segmentsOf } from './segments.ts'

test('one process has the whole plan, several divide it without a gap', () => {
  expect(segmentsOf(1)).toEqual([])
  expect(segmentArguments(0, 1)).toEqual([])
  expect(segmentsOf(3)).toEqual(['0:1/3', '1/3:2/3', '2/3:1'])
  expect(segmentArguments(1, 3)).toEqual([
    '--execution-segment=1/3:2/3',
    '--execution-segment-sequence=0,1/3,2/3,1',
  ])
})

test('no more processes than there are streams or lanes to carry out', () => {
  expect(instancesFor({ unitsMax: 3 }, 8)).toBe(3)
  expect(instancesFor({ unitsMax: 9 }, 8)).toBe(8)
  expect(instancesFor({}, 8)).toBe(8)
})
