import { expect, test } from 'vitest'
import { instancesFor, segmentArguments, segmentsOf, sharesOf, withShares } from './segments.ts'

test('one process has the whole plan, several divide it without a gap', () => {
  expect(segmentsOf(1)).toEqual([])
  expect(segmentArguments(0, 1)).toEqual([])
  expect(segmentsOf(3)).toEqual(['0:1/3', '1/3:2/3', '2/3:1'])
  expect(segmentArguments(1, 3)).toEqual([
    '--execution-segment=1/3:2/3',
    '--execution-segment-sequence=0,1/3,2/3,1',
  ])
})

test('no more processes than there are streams or scripts to carry out', () => {
  expect(instancesFor({ unitsMax: 3 }, 8)).toBe(3)
  expect(instancesFor({ unitsMax: 9 }, 8)).toBe(8)
  expect(instancesFor({}, 8)).toBe(8)
})

const units = [1, 2, 4, 8, 16].map((orders) => ({
  requestsMax: 100 * orders,
  ordersMax: orders,
  money: { currency: 'USD', micros: BigInt(orders) * 1_000_000n },
  expectedSeconds: 4,
  wallSecondsMax: 10,
}))

test('the budget is divided as k6 deals the scripts out, and nothing of it is lost', () => {
  const shares = sharesOf({ units }, 2) ?? []
  expect(shares.map(({ ordersMax }) => ordersMax)).toEqual([1 + 4 + 16, 2 + 8])
  expect(shares.map(({ requestsMax }) => requestsMax)).toEqual([2100, 1000])
  expect(shares.map(({ money }) => money?.micros)).toEqual([21_000_000n, 10_000_000n])
  expect(sharesOf({}, 2)).toBeUndefined()
})

test('the record names the share of each process, whatever their order', () => {
  const figures = { startedAfterMs: 0, exchanges: 1 }
  const both = [
    { segment: '1/2:1', ...figures },
    { segment: '0:1/2', ...figures },
  ]
  expect(withShares({ units }, both)).toEqual([
    { ...both[0], requestsPlannedMax: 1000, ordersPlannedMax: 10, moneyPlannedMax: 'USD 10.00' },
    { ...both[1], requestsPlannedMax: 2100, ordersPlannedMax: 21, moneyPlannedMax: 'USD 21.00' },
  ])
  // Segments of somebody's own: nothing is said of what they were meant to spend.
  const others = [{ segment: '0:1/4', ...figures }, ...both]
  expect(withShares({ units }, others)).toEqual(others)
  expect(withShares({}, both)).toEqual(both)
})
