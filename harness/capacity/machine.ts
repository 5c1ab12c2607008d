/** How busy this machine is while a step runs: the service may share it, and a generator without a free processor measures itself. */
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { ticksOf } from '../load/evidence/watched-process.ts'
import type { MachineUse } from './verdict.ts'

const SAMPLE_MS = 200
const TICKS_PER_SECOND = 100

/** CPU seconds until a moment, in all. */
export type MachineSample = {
  /** Wall clock, as evidence tells its times. */
  readonly atMs: number
  readonly all: number
  readonly idle: number
  readonly harness: number
  /** 0 where it cannot be learned. */
  readonly k6: number
}

/** Takes samples until it is disposed of. */
export class MachineWatch implements Disposable {
  readonly #timer: NodeJS.Timeout
  readonly #samples: MachineSample[] = []
  readonly #ticks = new Map<number, number>()

  constructor() {
    this.#timer = setInterval(() => void this.#sample(), SAMPLE_MS)
    void this.#sample()
  }

  /** A child whose CPU time counts as the generator's. */
  watch(pid: number): void {
    this.#ticks.set(pid, 0)
  }

  /** What was used between two moments of the wall clock, milliseconds since the epoch. */
  use(fromMs: number, untilMs: number): MachineUse {
    return useBetween(this.#samples, fromMs, untilMs)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** The last sample before the child ends is what counts. Where there is no /proc nothing is learned. */
  async #sample(): Promise<void> {
    for (const pid of this.#ticks.keys()) {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
      if (stat !== undefined) this.#ticks.set(pid, ticksOf(stat))
    }
    const own = process.cpuUsage()
    const ticks = [...this.#ticks.values()].reduce((sum, each) => sum + each, 0)
    this.#samples.push({
      atMs: Date.now(),
      ...processorSeconds(),
      harness: (own.user + own.system) / 1e6,
      k6: ticks / TICKS_PER_SECOND,
    })
  }
}

/** Between the last sample before and the first after; nothing where the time was not sampled. */
export function useBetween(
  samples: readonly MachineSample[],
  fromMs: number,
  untilMs: number,
): MachineUse {
  const first = samples.findLast(({ atMs }) => atMs <= fromMs) ?? samples[0]
  const last = samples.find(({ atMs }) => atMs >= untilMs) ?? samples.at(-1)
  if (!first || !last || last.atMs <= first.atMs) return {}
  const seconds = (last.atMs - first.atMs) / 1000
  const harnessCores = (last.harness - first.harness) / seconds
  const k6Cores = last.k6 > 0 ? (last.k6 - first.k6) / seconds : undefined
  const all = last.all - first.all
  if (all <= 0) return { harnessCores, ...(k6Cores !== undefined && { k6Cores }) }
  const busyShare = 1 - (last.idle - first.idle) / all
  if (k6Cores === undefined) return { busyShare, harnessCores }
  const busyCores = (all - (last.idle - first.idle)) / seconds
  const othersCores = Math.max(0, busyCores - k6Cores - harnessCores)
  return { busyShare, k6Cores, harnessCores, othersCores }
}

function processorSeconds(): { readonly all: number; readonly idle: number } {
  const times = cpus().map((processor) => processor.times)
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0)
  const busyMs = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0)
  return { all: (idleMs + busyMs) / 1000, idle: idleMs / 1000 }
}
