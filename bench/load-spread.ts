/** How far apart purchases that were released at once arrive at the server: ours beside a plain loop in Go over open sockets. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { bundleScenario } from '../harness/load/k6/bundle.ts'
import { PLAN_ENV } from '../load/protocol/plan.ts'
import { VOLLEYS_VERSION } from '../load/protocol/volleys.ts'
import type { PlannedStep, VolleyFile } from '../load/protocol/volleys.ts'
import type { PlannedRun } from '../load/protocol/instances.ts'
import { runProgram } from './cpu-seconds.ts'
import { spreadOf } from './spread.ts'
import type { Spread } from './spread.ts'

export type SpreadOptions = {
  readonly go: string
  readonly k6: string
  /** Purchases that are released at once. */
  readonly width: number
  /** Each of so many releases; ours and the loop's take turns. */
  readonly rounds: number
  readonly releases: number
}

export type SpreadResult = {
  /** Milliseconds from the first to the last arrival of a release. */
  readonly loop: Spread
  readonly ours: Spread
  /** ours / loop, of the medians of each round. */
  readonly ratio: Spread
}

export async function compareSpread(options: SpreadOptions): Promise<SpreadResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bench-spread-'))
  try {
    for (const name of ['recorder', 'loop']) await buildGo(options.go, name, directory)
    const bundle = await bundleScenario('spend-contention', directory)
    await using recorder = await startRecorder(path.join(directory, 'recorder'))
    const setting = { ...options, directory, bundle, port: recorder.port }
    const loop: number[][] = []
    const ours: number[][] = []
    // The first round warms up and is left out.
    for (let round = 0; round <= options.rounds; round++) {
      await releaseByLoop(setting)
      const byLoop = spreadsMs(await recorder.take(), setting)
      await releaseByK6(setting)
      const byK6 = spreadsMs(await recorder.take(), setting)
      if (round === 0) continue
      loop.push(byLoop)
      ours.push(byK6)
    }
    const ratios = ours.map((round, at) => spreadOf(round).median / spreadOf(loop[at] ?? []).median)
    return { loop: spreadOf(loop.flat()), ours: spreadOf(ours.flat()), ratio: spreadOf(ratios) }
  } finally {
    await rm(directory, { recursive: true })
  }
}

type Setting = SpreadOptions & {
  readonly directory: string
  readonly bundle: string
  readonly port: number
}

async function buildGo(go: string, name: string, directory: string): Promise<void> {
  const sources = path.join(import.meta.dirname, 'go')
  const built = spawn(go, ['build', '-o', path.join(directory, name), `./${name}`], {
    cwd: sources,
    env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(built, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`go build ./${name} ended with ${code}.`)
}

async function startRecorder(
  program: string,
): Promise<AsyncDisposable & { readonly port: number; take(): Promise<readonly number[]> }> {
  const child: ChildProcess = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('The recorder has no pipes.')
  const ended = once(child, 'exit')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const next = await lines.next()
    if (next.done) throw new Error('The recorder ended.')
    return next.value
  }
  return {
    port: Number(await line()),
    async take() {
      stdin.write('\n')
      return JSON.parse(await line()) as readonly number[]
    },
    async [Symbol.asyncDispose]() {
      stdin.end()
      await ended
    },
  }
}

/** Purchases of one release are answered before the next one begins, so they follow each other in the list. */
function spreadsMs(timesUs: readonly number[], { width, releases }: Setting): number[] {
  if (timesUs.length !== width * releases)
    throw new Error(`${timesUs.length} purchases arrived; expected ${width * releases}.`)
  return Array.from({ length: releases }, (_, release) => {
    const times = timesUs.slice(release * width, (release + 1) * width)
    return (Math.max(...times) - Math.min(...times)) / 1000
  })
}

async function releaseByLoop({ directory, port, width, releases }: Setting): Promise<void> {
  const program = path.join(directory, 'loop')
  const ended = await runProgram([program, `127.0.0.1:${port}`, String(width), String(releases)])
  if (ended.exitCode !== 0) throw new Error(`The loop ended: ${ended.stderr.slice(-400)}`)
}

async function releaseByK6(setting: Setting): Promise<void> {
  const { k6, directory, bundle } = setting
  const file = (name: string): string => path.join(directory, name)
  await writeFile(file('config.json'), '{}')
  await writeFile(file('plan.json'), JSON.stringify(planOf(setting)))
  await rm(file('evidence.txt'), { force: true })
  const command = [k6, 'run', '--no-usage-report', '--quiet', '--no-color', '--log-format=raw']
  const files = [`--config=${file('config.json')}`, `--console-output=${file('evidence.txt')}`]
  const ended = await runProgram([...command, ...files, bundle], {
    env: {
      PATH: process.env['PATH'],
      [PLAN_ENV.plan]: file('plan.json'),
      [PLAN_ENV.summary]: file('summary.json'),
      BENCH_KEY: 'key',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
    },
  })
  if (ended.exitCode !== 0)
    throw new Error(`k6 ended with ${ended.exitCode}: ${ended.stderr.slice(-400)}`)
}

const FIRST_MS = 500
const EVERY_MS = 300

/** As harness/load/volleys/spend-plan.ts lays a volley out: warm, meet, warm again right before, buy. */
function planOf({ width, releases, port }: Setting): VolleyFile & PlannedRun {
  const baseUrl = `http://127.0.0.1:${port}`
  const steps = Array.from({ length: releases }, (_, release): PlannedStep[] => [
    { do: 'warm', count: width },
    { do: 'meet', atMs: FIRST_MS + EVERY_MS * release },
    { do: 'warm', count: width },
    {
      do: 'buy',
      phase: 'volley',
      purchases: Array.from({ length: width }, (_, at) => {
        return { key: 0, reference: release * width + at, product: 0, units: 1 }
      }),
    },
  ])
  const body = { ordersType: 'shop', referenceId: '<reference>', quantity: 1 }
  return {
    version: VOLLEYS_VERSION,
    run: 'bench',
    scenario: 'spend-contention',
    lanes: [
      {
        name: 'bench',
        keyEnvs: ['BENCH_KEY'],
        headroomUnits: [null],
        steps: steps.flat(),
        requestsMin: 3 * width * releases,
      },
    ],
    referencePrefix: 'bench',
    warmUrl: `${baseUrl}/api/v1/services`,
    ordersUrl: `${baseUrl}/api/v1/orders`,
    readUrl: `${baseUrl}/api/v1/orders`,
    bodies: [[JSON.stringify(body)]],
    referenceMark: '<reference>',
    widest: width,
    requestTimeoutSeconds: 10,
    maxSeconds: 60,
  }
}
