import { describe, expect, it } from 'vitest'
import { RealClock, sleepUntil } from './clock.ts'
import { VirtualClock } from '../test/support/virtual-clock.ts'

describe('VirtualClock', () => {
  it('jumps to the next sleeper once nothing else is to do, in order', async () => {
    const clock = new VirtualClock()
    const order: string[] = []
    const nap = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms)
      order.push(`${name} at ${clock.nowMs()}`)
    }
    await Promise.all([nap('late', 60_000), nap('early', 1_000), nap('also early', 1_000)])
    expect(order).toEqual(['early at 1000', 'also early at 1000', 'late at 60000'])
  })

  it('lets promises settle before time moves on', async () => {
    const clock = new VirtualClock()
    let sawMs = -1
    const worker = (async () => {
      for (let step = 0; step < 20; step++) await Promise.resolve()
      sawMs = clock.nowMs()
    })()
    await clock.sleep(10)
    await worker
    expect(sawMs).toBe(0)
  })

  it('rejects a sleep that is aborted, and forgets it', async () => {
    const clock = new VirtualClock()
    const stop = new AbortController()
    const nap = clock.sleep(1_000, stop.signal)
    stop.abort(new Error('enough'))
    await expect(nap).rejects.toThrow('enough')
    await expect(clock.sleep(5, stop.signal)).rejects.toThrow('enough')
    await clock.sleep(2_000)
    expect(clock.nowMs()).toBe(2_000)
  })

  it('keeps wall and monotonic time in step', async () => {
    const clock = new VirtualClock(1_000_000)
    await sleepUntil(clock, 250)
    expect([clock.nowMs(), clock.wallMs()]).toEqual([250, 1_000_250])
  })
})

describe('RealClock', () => {
  it('never wakes before the goal', async () => {
    const clock = new RealClock()
    for (const ms of [0.2, 1, 3.7]) {
      const goalMs = clock.nowMs() + ms
      await sleepUntil(clock, goalMs)
      expect(clock.nowMs()).toBeGreaterThanOrEqual(goalMs)
    }
  })

  it('rejects a sleep that is aborted', async () => {
    const stop = new AbortController()
    const nap = new RealClock().sleep(60_000, stop.signal)
    stop.abort()
    await expect(nap).rejects.toThrow()
  })
})
