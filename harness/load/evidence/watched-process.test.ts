import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LoadSlice } from '../../../schemas/generated/run-record.ts'
import { establishedIn, ProcessWatch, requireWatchable, withProcess } from './watched-process.ts'

/** Of a table of connections. */
function line(state: string, inode: number): string {
  return `   0: 0100007F:1F90 0100007F:C350 ${state} 00000000:00000000 00:00000000 00000000  0 0 ${inode} 1`
}

const SLICE = { seconds: 2 } as LoadSlice

test('each slice is told what was taken in it, by the samples around it', () => {
  const samples = [0, 1, 2, 3].map((second) => ({
    atMs: 10_000 + 1000 * second,
    // Idle for two seconds, then one and a half processors.
    cpuSeconds: 7 + Math.max(0, 1.5 * (second - 2)),
    memoryBytes: 100 + second,
    connections: second,
  }))
  const slices = [0, 2, 20].map((fromSeconds) => ({ ...SLICE, fromSeconds }))
  const [idle, busy, none] = withProcess(slices, samples, 10_000)
  expect(idle?.process).toEqual({ processors: 0, memoryBytes: 102, connections: 2 })
  expect(busy?.process).toEqual({ processors: 1.5, memoryBytes: 103, connections: 3 })
  expect(none).toEqual(slices[2])
})

test('a slice between two samples is told by them, and none after the last', () => {
  const samples = [0, 3000].map((atMs) => ({ atMs, cpuSeconds: atMs / 2000, memoryBytes: 100 }))
  const slices = [0, 1, 3].map((fromSeconds) => ({ ...SLICE, seconds: 1, fromSeconds }))
  const seen = withProcess(slices, samples, 0).map(({ process }) => process?.processors)
  expect(seen).toEqual([0.5, 0.5, undefined])
})

test('a connection counts where it is established and its socket is held', () => {
  const tables = ['  sl  local_address', line('01', 11), line('01', 12), line('0A', 11)].join('\n')
  expect(establishedIn(tables, new Set(['11']))).toBe(1)
})

test.runIf(process.platform === 'linux')('a process of this machine is watched', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  using watch = new ProcessWatch(process.pid)
  await expect.poll(() => watch.samples.length).toBeGreaterThan(0)
  const before = process.cpuUsage()
  // A third of a second of work is seen as such, however long a busy machine takes for it.
  while (process.cpuUsage(before).user < 300_000) await sleep(0)
  const taken = watch.samples.length
  await expect.poll(() => watch.samples.length).toBeGreaterThan(taken)
  socket.destroy()
  server.close()
  const [first, last] = [watch.samples[0], watch.samples.at(-1)]
  expect(last?.cpuSeconds).toBeGreaterThan(first?.cpuSeconds ?? Infinity)
  expect(last?.memoryBytes).toBeGreaterThan(10_000_000)
  // Both ends are ours.
  expect(last?.connections).toBeGreaterThanOrEqual(2)
  expect(watch.hasEnded).toBe(false)
})

test('a process that is not there is refused', () => {
  expect(() => requireWatchable(999_999_999)).toThrow('--watch-pid')
})
