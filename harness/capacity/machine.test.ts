import { expect, it } from 'vitest'
import { MachineWatch, ticksOf } from './machine.ts'

it('reads the CPU time of a process whatever its name holds', () => {
  const rest = 'S 1 1 1 0 -1 4194560 100 0 0 0 321 45 0 0 20 0 9 0 100'
  expect(ticksOf(`4711 (k6) ${rest}`)).toBe(366)
  expect(ticksOf(`4711 (a ) b (c) ${rest}`)).toBe(366)
})

it('knows shares of the machine between none and all of it', () => {
  using watch = new MachineWatch()
  watch.watch(process.pid)
  const { busyShare = 0, harnessCores = 0, k6Cores = 0, othersCores = 0 } = watch.use()
  for (const share of [busyShare, harnessCores, k6Cores, othersCores])
    expect(share).toBeGreaterThanOrEqual(0)
  expect(busyShare).toBeLessThanOrEqual(1)
})
