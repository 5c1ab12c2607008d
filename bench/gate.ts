/** What the conformance suite costs against the embedded service, beside a bare loop that sends the same requests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RunRecord } from '../schemas/generated/run-record.ts'
import { spreadOf, type Spread } from './spread.ts'
import { USAGE_FILE, type ProgramUsage } from './usage-at-exit.ts'

export type Cost = {
  readonly cpuSeconds: Spread
  readonly wallSeconds: Spread
  readonly maxRssBytes: Spread
}

export type GateCost = {
  readonly requests: number
  readonly suite: Cost
  /** The same program until it has listed its checks: nothing is sent. */
  readonly start: Cost
  /** Client and service in one process, as in the suite. */
  readonly bare: Cost
}

/** A machine that is busy leaves checks open; what they sent costs the same. */
const EXIT_INCONCLUSIVE = 6

const HERE = import.meta.dirname
const SUITE = path.join(HERE, '..', 'scripts', 'conformance.ts')
const LOOP = path.join(HERE, 'gate-child.ts')

async function measured(
  script: string,
  args: readonly string[],
  dir: string,
): Promise<ProgramUsage> {
  const file = path.join(dir, 'usage.json')
  const preload = path.join(HERE, 'usage-at-exit.ts')
  const child = spawn(process.execPath, ['--import', preload, script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, [USAGE_FILE]: file },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0 && code !== EXIT_INCONCLUSIVE)
    throw new Error(
      `${path.basename(script)} ended with ${String(code)}; expected 0: run it alone to see why.`,
    )
  return JSON.parse(await readFile(file, 'utf8')) as ProgramUsage
}

/** Each repeat measures all three, one after the other; the first warms up and is left out. */
export async function measureGate({ repeats }: { readonly repeats: number }): Promise<GateCost> {
  const dir = await mkdtemp(path.join(tmpdir(), 'bench-gate-'))
  try {
    const run = path.join(dir, 'run')
    const samples: { suite: ProgramUsage; start: ProgramUsage; bare: ProgramUsage }[] = []
    let requests = 0
    for (let repeat = 0; repeat <= repeats; repeat++) {
      const suite = await measured(SUITE, ['--reports', dir, '--run-dir', run], dir)
      const record = path.join(run, 'run.json')
      const { plan } = JSON.parse(await readFile(record, 'utf8')) as RunRecord
      requests = plan?.spent?.requests ?? 0
      if (requests === 0)
        throw new Error('Got a record without plan.spent.requests; expected how many the run sent.')
      const start = await measured(SUITE, ['--list'], dir)
      const bare = await measured(LOOP, [record, String(requests)], dir)
      if (repeat > 0) samples.push({ suite, start, bare })
    }
    const costOf = (which: 'suite' | 'start' | 'bare'): Cost => ({
      cpuSeconds: spreadOf(samples.map((each) => each[which].cpuSeconds)),
      wallSeconds: spreadOf(samples.map((each) => each[which].wallSeconds)),
      maxRssBytes: spreadOf(samples.map((each) => each[which].maxRssBytes)),
    })
    return { requests, suite: costOf('suite'), start: costOf('start'), bare: costOf('bare') }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
