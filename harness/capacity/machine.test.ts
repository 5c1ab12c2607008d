import { expect, it } from 'vitest'
import { ticksOf } from '../load/evidence/watched-process.ts'
import { MachineWatch, useBetween, type MachineSample } from './machine.ts'

it('reads the CPU time of a process whatever its name holds', () => {
  const rest = 'S 1 1 1 0 -1 4194560 100 0 0 0 321 45 0 0 20 0 9 0 100'
  expect(ticksOf(`4711 (k6) ${rest}`)).toBe(366)
  expect(ticksOf(`4711 (a ) b (c) ${rest}`)).toBe(366)
})

/** Two processors: idle for a second, then one step of two seconds without a free one, then idle again. */
const SAMPLES: readonly MachineSample[] = [
  { atMs: 0, all: 0, idle: 0, harness: 0, k6: 0 },
  { atMs: 1000, all: 2, idle: 2, harness: 0, k6: 0.1 },
  { atMs: 2000, all: 4, idle: 2, harness: 0.5, k6: 1.1 },
  { atMs: 3000, all: 6, idle: 2, harness: 1, k6: 2.1 },
  { atMs: 4000, all: 8, idle: 4, harness: 1, k6: 2.1 },
]

it('looks at the time of the step alone: what is idle before and after would hide that it was at its end', () => {
  const use = useBetween(SAMPLES, 1000, 3000)
  expect(use).toEqual({ busyShare: 1, harnessCores: 0.5, k6Cores: 1, othersCores: 0.5 })
  expect(useBetween(SAMPLES, 0, 4000).busyShare).toBe(0.5)
})

it('takes the samples around a step whose ends fall between two of them', () => {
  expect(useBetween(SAMPLES, 1400, 2600)).toEqual(useBetween(SAMPLES, 1000, 3000))
})

it('says nothing of what was not sampled', () => {
  expect(useBetween([], 0, 1000)).toEqual({})
  expect(useBetween(SAMPLES.slice(0, 1), 0, 1000)).toEqual({})
  const withoutK6 = SAMPLES.map((sample) => ({ ...sample, k6: 0 }))
  expect(useBetween(withoutK6, 1000, 3000)).toEqual({ busyShare: 1, harnessCores: 0.5 })
})

it('samples this machine', async () => {
  using watch = new MachineWatch()
  watch.watch(process.pid)
  const fromMs = Date.now()
  await expect.poll(() => watch.use(fromMs, Infinity).harnessCores).toBeDefined()
  const { busyShare = -1, k6Cores = -1 } = watch.use(fromMs, Infinity)
  expect(busyShare).toBeGreaterThanOrEqual(0)
  expect(busyShare).toBeLessThanOrEqual(1)
  expect(k6Cores).toBeGreaterThanOrEqual(0)
})
