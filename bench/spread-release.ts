/** Purchases that are released at once: by the loop in Go, and by k6 with the code and the plan of spend-contention. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BURST_RUNTIME } from '../harness/load/shared/k6-runtime.ts'
import { PLAN_ENV } from '../load/protocol/plan.ts'
import { BURSTS_VERSION, type BurstFile, type PlannedStep } from '../load/protocol/bursts.ts'
import type { PlannedRun } from '../load/protocol/instances.ts'
import { runProgram } from './cpu-seconds.ts'

export type Release = {
  /** Purchases that are released at once. */
  readonly width: number
  readonly releases: number
  /** Where the built programs, the bundle and the plan are. */
  readonly directory: string
  readonly port: number
}

/** The path of Go on PATH; undefined where there is none. */
export async function findGo(): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(directory, 'go')
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}

/** Builds the loop of bench/go into the directory. */
export async function buildGo(go: string, directory: string): Promise<void> {
  const built = spawn(go, ['build', '-o', path.join(directory, 'loop'), './loop'], {
    cwd: path.join(import.meta.dirname, 'go'),
    env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(built, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`go build ./loop ended with ${code}.`)
}

export async function releaseByLoop({ directory, port, width, releases }: Release): Promise<void> {
  const program = path.join(directory, 'loop')
  const ended = await runProgram([program, `127.0.0.1:${port}`, String(width), String(releases)])
  if (ended.exitCode !== 0) throw new Error(`The loop ended: ${ended.stderr.slice(-400)}`)
}

export async function releaseByK6(k6: string, bundle: string, release: Release): Promise<void> {
  const file = (name: string): string => path.join(release.directory, name)
  await writeFile(file('config.json'), '{}')
  await writeFile(file('plan.json'), JSON.stringify(planOf(release)))
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
      ...BURST_RUNTIME,
    },
  })
  if (ended.exitCode !== 0)
    throw new Error(`k6 ended with ${ended.exitCode}: ${ended.stderr.slice(-400)}`)
}

const FIRST_MS = 400
const EVERY_MS = 150

/** As harness/load/bursts/spend-plan.ts lays a burst out: warm, meet, warm again right before, buy. */
function planOf({ width, releases, port }: Release): BurstFile & PlannedRun {
  const baseUrl = `http://127.0.0.1:${port}`
  const steps = Array.from({ length: releases }, (_, release): PlannedStep[] => [
    { do: 'warm', count: width },
    { do: 'meet', atMs: FIRST_MS + EVERY_MS * release },
    { do: 'warm', count: width },
    {
      do: 'buy',
      phase: 'burst',
      purchases: Array.from({ length: width }, (_, at) => {
        return { key: 0, reference: release * width + at, product: 0, units: 1 }
      }),
    },
  ])
  const body = { ordersType: 'shop', referenceId: '<reference>', quantity: 1 }
  return {
    version: BURSTS_VERSION,
    run: 'bench',
    scenario: 'spend-contention',
    scripts: [
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
    reads: { order: {}, cart: {}, listed: {} },
    bodies: [[JSON.stringify(body)]],
    referenceMark: '<reference>',
    widest: width,
    requestTimeoutSeconds: 10,
    maxSeconds: 60,
  }
}
