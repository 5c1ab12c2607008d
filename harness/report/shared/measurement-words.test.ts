import { expect, test } from 'vitest'
import { measurementWords, requestPairs } from './measurement-words.ts'

test.each([
  ['admittedLatencyMsP50', 'admitted latency p50', ' ms'],
  ['durationSeconds', 'duration', ' s'],
  ['offeredPerSecond', 'offered', '/s'],
  ['arrivalSpreadMsMaxP90', 'arrival spread at most p90', ' ms'],
  ['requestsPlannedMax', 'requests planned at most', ''],
  ['burstsMet', 'bursts that overlapped', ''],
  ['explanation of services', 'explanation of services', ''],
])('%s is "%s", in "%s"', (key, name, unit) => {
  expect(measurementWords(key)).toEqual({ name, unit })
})

test('the requests of a scenario add up', () => {
  const requests = { planned: 9, sent: 10, admitted: 5, refused: 2, failed: 1 }
  const counts = requestPairs({ requests })
    .slice(2)
    .map(([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(requests.sent)
})
