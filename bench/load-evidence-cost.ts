/** Client CPU per request at so many in flight: k6 with and without what scripts do to each answer, and our complete evidence. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { importEvidence } from '../harness/load/rate-limits/import.ts'
import { bundleEntry } from '../harness/load/k6/bundle.ts'
import { PLAN_ENV, PLAN_VERSION, type PlanFile } from '../load/protocol/plan.ts'
import { startServer } from './child.ts'
import { type Ended, runProgram } from './cpu-seconds.ts'
import { recordAnswer } from './recorded-answer.ts'
import { type Spread, spreadOf } from './spread.ts'

export type EvidenceOptions = {
  readonly k6: string
  readonly repeats: number
  readonly requests: number
  readonly inFlight: number
}

/** Names what is measured; `streams` share the requests in flight, each sends its part of them at once. */
type Variant = {
  readonly name: string
  readonly entry: 'minimal' | 'checked' | 'evidence'
  readonly streams?: number
  readonly args?: (directory: string) => readonly string[]
}

const CHECKED = 'k6 with check, JSON parse, metric and tags'
const OURS = 'ours, complete evidence'

function jsonOutput(directory: string): readonly string[] {
  return ['--out', `json=${path.join(directory, 'out.json')}`]
}

function variantsOf(inFlight: number): readonly Variant[] {
  return [
    { name: 'k6 minimal', entry: 'minimal' },
    { name: CHECKED, entry: 'checked' },
    { name: `${OURS}, one at a time`, entry: 'evidence', streams: inFlight },
    { name: `${OURS}, in batches of ${inFlight}`, entry: 'evidence', streams: 1 },
    { name: `${CHECKED}, and --out json`, entry: 'checked', args: jsonOutput },
  ]
}

export type EvidenceResult = {
  readonly name: string
  /** Client CPU seconds per 1000 requests. */
  readonly cpuSeconds: Spread
  /** Requests per CPU second beside those of `k6 with check, …`, repeat by repeat. */
  readonly ratio: Spread
}

/** The start of k6 is measured on its own, with so few requests for each one in flight, and left out. */
const START_REQUESTS = 2
/** With fewer for each one in flight the start would outweigh them. */
const REQUESTS_MIN = 20

export type EvidenceComparison = {
  readonly results: readonly EvidenceResult[]
  /** Those of them that are ours. */
  readonly ours: readonly EvidenceResult[]
}

export async function compareEvidence(options: EvidenceOptions): Promise<EvidenceComparison> {
  const least = REQUESTS_MIN * options.inFlight
  if (options.requests < least)
    throw new RangeError(`Got ${options.requests} requests; expected ${least} or more.`)
  const directory = await mkdtemp(path.join(tmpdir(), 'bench-evidence-'))
  const { answer, key, orderId } = await recordAnswer()
  await using server = await startServer({ kind: 'bare', answer })
  const url = `${server.baseUrl}/api/v1/orders?orderId=${orderId}`
  try {
    for (const entry of ['minimal', 'checked', 'evidence'])
      await bundleEntry(
        path.join(import.meta.dirname, 'k6', `${entry}.k6.ts`),
        path.join(directory, `${entry}.js`),
      )
    const measures = new Map<string, () => Promise<number>>()
    for (const variant of variantsOf(options.inFlight))
      measures.set(variant.name, () => costOf(variant, { ...options, directory, url, key }))
    const results = await alternate(measures, options.repeats)
    return { results, ours: results.filter(({ name }) => name.startsWith(OURS)) }
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** One after the other, again and again, so that what disturbs the machine disturbs all. The first round warms up and is left out. */
async function alternate(
  measures: ReadonlyMap<string, () => Promise<number>>,
  repeats: number,
): Promise<readonly EvidenceResult[]> {
  const rounds: ReadonlyMap<string, number>[] = []
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const round = new Map<string, number>()
    for (const [name, measure] of measures) round.set(name, await measure())
    if (repeat > 0) rounds.push(round)
  }
  return [...measures.keys()].map((name) => {
    const costs = rounds.map((round) => round.get(name) as number)
    return {
      name,
      cpuSeconds: spreadOf(costs.map((cost) => 1000 * cost)),
      ratio: spreadOf(
        rounds.map((round, at) => (round.get(CHECKED) as number) / (costs[at] as number)),
      ),
    }
  })
}

type CostSetting = EvidenceOptions & {
  readonly directory: string
  readonly url: string
  readonly key: string
}

/** CPU seconds of one request: of a run less those of its start, by the requests that were more. */
async function costOf(variant: Variant, setting: CostSetting): Promise<number> {
  const few = START_REQUESTS * setting.inFlight
  const start = await runK6Once(variant, { ...setting, requests: few })
  const whole = await runK6Once(variant, setting)
  return (whole.cpuSeconds - start.cpuSeconds) / (setting.requests - few)
}

async function runK6Once(variant: Variant, setting: CostSetting): Promise<Ended> {
  const { entry, streams = setting.inFlight, args } = variant
  const directory = path.join(setting.directory, 'run')
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory)
  const file = (name: string): string => path.join(directory, name)
  await writeFile(file('config.json'), '{}')
  const isOurs = entry === 'evidence'
  if (isOurs) await writeFile(file('plan.json'), JSON.stringify(planOf(setting, streams)))
  const { url, key, requests, inFlight, k6 } = setting
  const ended = await runProgram(
    [
      k6,
      'run',
      '--no-usage-report',
      '--quiet',
      '--no-color',
      '--log-format=raw',
      `--config=${file('config.json')}`,
      ...(isOurs ? [`--console-output=${file('evidence.txt')}`] : []),
      ...(args?.(directory) ?? []),
      path.join(setting.directory, `${entry}.js`),
    ],
    {
      env: {
        PATH: process.env['PATH'],
        BENCH_SETTING: JSON.stringify({ url, key, requests, virtualUsers: inFlight }),
        [PLAN_ENV.plan]: file('plan.json'),
        [PLAN_ENV.summary]: file('summary.json'),
        BENCH_KEY: key,
        K6_AUTO_EXTENSION_RESOLUTION: 'false',
      },
    },
  )
  if (ended.exitCode !== 0)
    throw new Error(`${variant.name}: k6 ended with ${ended.exitCode}: ${ended.stderr.slice(-400)}`)
  if (isOurs) await requireEvidence(file('evidence.txt'), streams, requests)
  if (args !== undefined && (await stat(file('out.json'))).size === 0)
    throw new Error(`${variant.name}: k6 wrote nothing.`)
  return ended
}

function planOf({ url, requests, inFlight }: CostSetting, streams: number): PlanFile {
  return {
    version: PLAN_VERSION,
    scenario: 'rate-limit-windows',
    streams: Array.from({ length: streams }, (_, stream) => ({
      name: `stream ${stream}`,
      method: 'GET',
      url,
      headers: { Accept: 'application/json' },
      keyEnvs: ['BENCH_KEY'],
      count: 1,
      windowSeconds: 60,
      parallel: inFlight / streams,
      overBudget: 0,
      slackMs: 50,
      probeGapMs: 10,
      repeatsMax: 0,
      requestsMin:
        Math.floor(((stream + 1) * requests) / streams) - Math.floor((stream * requests) / streams),
    })),
    requestTimeoutSeconds: 10,
    maxSeconds: 600,
  }
}

/** Our figure counts only if every request is in the evidence, with its answer. */
async function requireEvidence(file: string, streams: number, requests: number): Promise<void> {
  const evidence = await importEvidence(file, { streams, interrupted: false })
  const answered = evidence.streams.reduce(
    (sum, { samples }) => sum + samples.status.filter((status) => status === 200).length,
    0,
  )
  if (answered !== requests)
    throw new Error(`The evidence holds ${answered} answers of HTTP 200; expected ${requests}.`)
}
