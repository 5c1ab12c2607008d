/** How busy this machine is while a step runs: the service may share it, and a generator without a free processor measures itself. */
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import type { MachineUse } from './verdict.ts'

const SAMPLE_MS = 200
/** Of /proc/<pid>/stat: user and system time stand in these fields after the name, in hundredths of a second (USER_HZ). */
const TICK_FIELDS = [11, 12] as const
const TICKS_PER_SECOND = 100

export class MachineWatch implements Disposable {
  readonly #startedMs = performance.now()
  readonly #processors = processorTimes()
  readonly #own = process.cpuUsage()
  readonly #timer: NodeJS.Timeout
  readonly #ticks = new Map<number, number>()

  constructor() {
    this.#timer = setInterval(() => void this.#sample(), SAMPLE_MS)
  }

  /** A child whose CPU time counts as the generator's. */
  watch(pid: number): void {
    this.#ticks.set(pid, 0)
    void this.#sample()
  }

  use(): MachineUse {
    const seconds = (performance.now() - this.#startedMs) / 1000
    const now = processorTimes()
    const all = now.all - this.#processors.all
    const own = process.cpuUsage(this.#own)
    const ticks = [...this.#ticks.values()].reduce((sum, each) => sum + each, 0)
    const harnessCores = (own.user + own.system) / 1e6 / seconds
    const k6Cores = ticks > 0 ? ticks / TICKS_PER_SECOND / seconds : undefined
    if (all <= 0) return { harnessCores, ...(k6Cores !== undefined && { k6Cores }) }
    const busyShare = 1 - (now.idle - this.#processors.idle) / all
    if (k6Cores === undefined) return { busyShare, harnessCores }
    const othersCores = Math.max(0, busyShare * cpus().length - k6Cores - harnessCores)
    return { busyShare, k6Cores, harnessCores, othersCores }
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
  }
}

/** CPU time out of a line of /proc/<pid>/stat; the name in brackets may hold anything. */
export function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return TICK_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0)
}

function processorTimes(): { readonly all: number; readonly idle: number } {
  const times = cpus().map(({ times }) => times)
  return {
    all: times.reduce(
      (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
      0,
    ),
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
  }
}
