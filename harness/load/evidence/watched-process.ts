/** What a process on this machine takes while load runs (--watch-pid): processor time, memory and open connections, with all its children. Linux alone. */
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { LoadSlice } from '../../../schemas/generated/run-record.ts'
import { HarnessError } from '../../errors.ts'
import { rounded } from '../../text.ts'

/** At one moment of the wall clock. */
export type ProcessSample = {
  readonly atMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  /** Undefined where this user may not see them. */
  readonly connections?: number
}

const SAMPLE_MS = 250
const TICKS_PER_SECOND = 100
/** Of /proc/<pid>/stat: user and system time stand in these fields after the name, in hundredths of a second (USER_HZ). */
const TICK_FIELDS = [11, 12] as const
const PROCESSES_MAX = 256
/** Of /proc/<pid>/net/tcp: a connection that is established. */
const ESTABLISHED = '01'

/** Throws E_USAGE where the process cannot be watched. */
export function requireWatchable(pid: number): void {
  if (process.platform !== 'linux')
    throw new HarnessError(
      'E_USAGE',
      `--watch-pid reads /proc, which ${process.platform} does not have`,
      'Leave it out, or run the load on Linux, beside the process.',
    )
  if (existsSync(`/proc/${pid}/stat`)) return
  throw new HarnessError(
    'E_USAGE',
    `--watch-pid was ${pid}, and there is no such process on this machine`,
    'Give the id of the running service; of a container: docker inspect --format {{.State.Pid}} NAME.',
  )
}

/** Takes samples until it is disposed of. */
export class ProcessWatch implements Disposable {
  readonly samples: ProcessSample[] = []
  readonly #pid: number
  readonly #timer: NodeJS.Timeout
  /** The last of each process: what one took that has ended still counts. */
  readonly #ticks = new Map<number, number>()
  #isSampling = false
  #hasEnded = false

  constructor(pid: number) {
    this.#pid = pid
    this.#timer = setInterval(() => void this.#sample(), SAMPLE_MS)
    void this.#sample()
  }

  /** Whether the process was gone at the last look. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async #sample(): Promise<void> {
    if (this.#isSampling) return
    this.#isSampling = true
    const atMs = Date.now()
    const read = await Promise.all((await familyOf(this.#pid)).map(readProcess))
    const alive = read.filter((each) => each !== undefined)
    this.#isSampling = false
    this.#hasEnded = alive.length === 0
    if (this.#hasEnded) return
    for (const { pid, ticks } of alive) this.#ticks.set(pid, ticks)
    const counts = alive.map(({ connections }) => connections)
    this.samples.push({
      atMs,
      cpuSeconds: sumOf([...this.#ticks.values()]) / TICKS_PER_SECOND,
      memoryBytes: sumOf(alive.map(({ memoryBytes }) => memoryBytes)),
      ...(counts.every((count) => count !== undefined) && { connections: sumOf(counts) }),
    })
  }
}

type Process = {
  readonly pid: number
  readonly ticks: number
  readonly memoryBytes: number
  readonly connections: number | undefined
}

/** The process and all that descend from it. */
async function familyOf(pid: number): Promise<readonly number[]> {
  const family = [pid]
  for (let at = 0; at < family.length && family.length < PROCESSES_MAX; at++) {
    const of = family[at] as number
    const threads = await readdir(`/proc/${of}/task`).catch(() => [])
    const texts = await Promise.all(
      threads.map((thread) => textOf(`/proc/${of}/task/${thread}/children`)),
    )
    family.push(...texts.flatMap((text = '') => text.split(' ').filter(Boolean).map(Number)))
  }
  return family
}

/** Undefined where it has ended. */
async function readProcess(pid: number): Promise<Process | undefined> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((name) => textOf(`/proc/${pid}/${name}`)),
  )
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
  // A process that has ended and was not asked for its end has no memory any more.
  if (stat === undefined || resident === undefined) return undefined
  return {
    pid,
    ticks: ticksOf(stat),
    memoryBytes: 1024 * Number(resident),
    connections: await connectionsOf(pid),
  }
}

/** Established TCP connections whose socket the process holds open. */
async function connectionsOf(pid: number): Promise<number | undefined> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  if (open === undefined) return undefined
  const links = await Promise.all(
    open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  )
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => textOf(`/proc/${pid}/net/${name}`)),
  )
  return establishedIn(tables.join('\n'), sockets)
}

/** How many of these sockets are established connections by tables of /proc/<pid>/net/tcp. */
export function establishedIn(tables: string, sockets: ReadonlySet<string>): number {
  return tables.split('\n').filter((line) => {
    const fields = line.trim().split(/\s+/)
    return fields[3] === ESTABLISHED && sockets.has(fields[9] ?? '')
  }).length
}

/** CPU time out of a line of /proc/<pid>/stat; the name in brackets may hold anything. */
export function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return TICK_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0)
}

async function textOf(path: string): Promise<string | undefined> {
  // A process may end at any moment.
  return await readFile(path, 'latin1').catch(() => undefined)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Adds to each slice of a run what the process took in it; `zeroMs`: wall clock of second 0. Slices without samples stay as they are. */
export function withProcess(
  slices: readonly LoadSlice[],
  samples: readonly ProcessSample[],
  zeroMs: number,
): LoadSlice[] {
  return slices.map((slice) => {
    const fromMs = zeroMs + 1000 * slice.fromSeconds
    const untilMs = fromMs + 1000 * slice.seconds
    const before = samples.findLast(({ atMs }) => atMs <= fromMs)
    const inside = samples.filter(({ atMs }) => atMs > fromMs && atMs <= untilMs)
    // On a busy machine none may fall into a short slice: then the next one has what was taken until then.
    const within =
      inside.length > 0 || !before
        ? inside
        : samples.filter(({ atMs }) => atMs > untilMs).slice(0, 1)
    const [first, last] = [before ?? within[0], within.at(-1)]
    if (first === undefined || last === undefined || last.atMs <= first.atMs) return slice
    const counts = within.flatMap(({ connections }) => connections ?? [])
    return {
      ...slice,
      process: {
        processors: rounded(
          (1000 * (last.cpuSeconds - first.cpuSeconds)) / (last.atMs - first.atMs),
        ),
        memoryBytes: Math.max(...within.map(({ memoryBytes }) => memoryBytes)),
        ...(counts.length > 0 && { connections: Math.max(...counts) }),
      },
    }
  })
}
