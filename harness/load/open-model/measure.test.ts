import { describe, expect, test } from 'vitest'
import { openModelPlan, evidenceOf, sessionOf } from '../../../test/load/sample-open-model.ts'
import { measureOpenModel } from './measure.ts'

describe('measures of the open model', () => {
  test('latency counts from when a request was due, service time from when it was sent', () => {
    const late = sessionOf(0, [{ sentMs: 500, dueMs: 100, receivedMs: 510 }], { dueMs: 100 })
    const { latency, scheduleLagMs } = measureOpenModel(
      evidenceOf([late, sessionOf(1, [{ sentMs: 900 }])]),
      openModelPlan(),
    )
    const { admitted, admittedService } = latency
    expect(admitted.count).toBe(2)
    expect(admitted.msMax).toBe(410)
    expect(admittedService.msMax).toBe(10)
    expect(scheduleLagMs.max).toBe(400)
  })

  test('refused and admitted latencies stand apart; errors have none', () => {
    const { latency, errors, requests, otherAnswers } = measureOpenModel(
      evidenceOf([
        sessionOf(0, [
          { sentMs: 0, status: 429 },
          { sentMs: 1020, attempt: 1 },
          { sentMs: 1040, status: 503 },
          { sentMs: 1050, status: 302 },
          { sentMs: 1060, status: 0 },
          { sentMs: 1080, status: 404 },
        ]),
      ]),
      openModelPlan({ sessions: 1 }),
    )
    const { admitted, refused } = latency
    expect({ admitted: admitted.count, refused: refused.count, errors }).toEqual({
      admitted: 1,
      refused: 1,
      errors: 3,
    })
    expect({ requests, otherAnswers }).toEqual({ requests: 6, otherAnswers: 1 })
  })

  test('sessions that never began were offered all the same', () => {
    const measures = measureOpenModel(
      evidenceOf([sessionOf(0, [{ sentMs: 0 }])]),
      openModelPlan({ sessions: 5 }),
    )
    expect(measures.offeredPerSecond).toBe(2.5)
    expect(measures.achievedPerSecond).toBe(0.5)
    expect(measures.sessions).toMatchObject({ planned: 5, started: 1 })
  })

  test('what is due on the edge of a slice counts in the one that begins there, though clocks differ a little', () => {
    const sessions = Array.from({ length: 40 }, (_, index) => {
      const dueMs = 50 * index - (index > 0 && index % 3 === 0 ? 0.4 : 0)
      return sessionOf(index, [{ sentMs: 50 * index + 1, dueMs }], { dueMs })
    })
    const { series } = measureOpenModel(evidenceOf(sessions), openModelPlan({ sessions: 40 }))
    const [first] = series
    expect(series.length).toBeGreaterThan(1)
    expect(series.map(({ offered }) => offered)).toEqual(series.map(() => first?.offered))
    expect(series.map(({ sent }) => sent)).toEqual(series.map(({ offered }) => offered))
  })

  test('retries are not offered anew, and late answers are not achieved in time', () => {
    const measures = measureOpenModel(
      evidenceOf([
        sessionOf(0, [
          { sentMs: 100, status: 429 },
          { sentMs: 1200, attempt: 1, dueMs: 1200 },
        ]),
        sessionOf(1, [{ sentMs: 1995 }]),
      ]),
      openModelPlan(),
    )
    expect(measures.offeredPerSecond).toBe(1)
    expect(measures.achievedPerSecond).toBe(0.5)
    expect(measures.retries).toBe(1)
  })

  test('slices cover the schedule, and sum up to it', () => {
    const sessions = Array.from({ length: 40 }, (_, index) =>
      sessionOf(index, [{ sentMs: index * 50, status: index % 4 === 3 ? 429 : 200 }]),
    )
    const { series } = measureOpenModel(evidenceOf(sessions), openModelPlan({ sessions: 40 }))
    expect(series[0]?.fromSeconds).toBe(0)
    const last = series.at(-1)
    expect((last?.fromSeconds ?? 0) + (last?.seconds ?? 0)).toBeCloseTo(2, 9)
    const sum = (of: 'offered' | 'admitted' | 'refused'): number =>
      series.reduce((total, slice) => total + slice[of], 0)
    expect([sum('offered'), sum('admitted'), sum('refused')]).toEqual([40, 30, 10])
  })

  test('the most sessions under way: what has no end is under way for ever', () => {
    const { sessions } = measureOpenModel(
      evidenceOf([
        sessionOf(0, [{ sentMs: 0, receivedMs: 100 }]),
        sessionOf(1, [{ sentMs: 50, receivedMs: 100 }]),
        sessionOf(2, [{ sentMs: 100, receivedMs: 110 }], { end: null }),
        sessionOf(3, [{ sentMs: 500, receivedMs: 510 }]),
      ]),
      openModelPlan({ sessions: 4 }),
    )
    expect(sessions.busyMax).toBe(2)
    expect(sessions.ended.done).toBe(3)
  })
})
