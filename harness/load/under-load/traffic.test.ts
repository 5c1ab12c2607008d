import { expect, test } from 'vitest'
import { joined, trafficOf, type Requests } from './traffic.ts'

function requests(
  ...rows: readonly (readonly [sent: number, received: number, status: number])[]
): Requests {
  return {
    sentMs: Float64Array.from(rows, ([sent]) => sent),
    receivedMs: Float64Array.from(rows, ([, received]) => received),
    statuses: Uint16Array.from(rows, ([, , status]) => status),
  }
}

const STRETCH = { fromMs: 1000, toMs: 3000 }

test('counts what was sent within the stretch, by what came of it', () => {
  const traffic = trafficOf(
    requests(
      [500, 1500, 200],
      [1000, 1100, 200],
      [1200, 1300, 429],
      [2000, 2600, 503],
      [2000, 2100, 302],
      [2100, 2200, 0],
      [3500, 3600, 200],
    ),
    STRETCH,
  )
  expect(traffic).toMatchObject({ sent: 5, sentPerSecond: 2.5, answered: 4, refused: 1, errors: 3 })
  expect(traffic.latency).toMatchObject({ count: 4, msMax: expect.closeTo(600, 0) })
})

test('what was sent before, and is under way, is in flight too', () => {
  const traffic = trafficOf(
    requests([500, 2000, 200], [1500, 2500, 200], [2500, 9000, 200]),
    STRETCH,
  )
  expect(traffic).toMatchObject({ inFlightMean: 1.25, inFlightMax: 2 })
})

test('two sources side by side', () => {
  const both = joined(requests([1000, 2000, 200]), requests([1500, 1600, 429]))
  expect(trafficOf(both, STRETCH)).toMatchObject({ sent: 2, refused: 1, inFlightMax: 2 })
})

test('nothing sent is no figure that is not a number', () => {
  expect(trafficOf(requests(), { fromMs: 5, toMs: 5 })).toMatchObject({
    sent: 0,
    sentPerSecond: 0,
    inFlightMean: 0,
    latency: { count: 0, msP99: 0 },
  })
})
