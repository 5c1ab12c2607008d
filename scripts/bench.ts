/** `npm run bench`: what the reference service and the client cost, each measured side by side with a bare one. */
import { writeFile } from 'node:fs/promises'
import { type ClientResult, compareClients } from '../bench/client.ts'
import { type RatioResult, WORKLOADS, compare } from '../bench/cpu-ratio.ts'
import { type Cost, type GateCost, measureGate } from '../bench/gate.ts'
import { showSpread as figures } from '../bench/spread.ts'
import { readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { benchEvidence, benchImport } from './bench-load.ts'
import { command } from './command.ts'
import { BENCH_PAGE, BENCHES } from './developer-pages.ts'

type Entry = keyof typeof BENCHES
const ENTRIES = Object.keys(BENCHES) as Entry[]

const NUMBERS = ['repeats', 'requests', 'connections', 'exchanges'] as const
type Numbers = Readonly<Record<(typeof NUMBERS)[number], number>>

function readEntries(names: readonly string[]): readonly Entry[] {
  const unknown = names.find((name) => !ENTRIES.some((entry) => entry === name))
  if (unknown !== undefined)
    throw usageError(`Got the entry ${unknown}; expected some of ${ENTRIES.join(', ')}.`)
  return names.length === 0 ? ENTRIES : ENTRIES.filter((entry) => names.includes(entry))
}

function readNumbers(values: Readonly<Record<(typeof NUMBERS)[number], string>>): Numbers {
  const read = NUMBERS.map((name) => {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < 1)
      throw usageError(`Got --${name} ${values[name]}; expected an integer from 1.`)
    return [name, number]
  })
  return Object.fromEntries(read) as Numbers
}

const GOAL = 0.5

async function cpu(numbers: Numbers): Promise<readonly RatioResult[]> {
  const results: RatioResult[] = []
  for (const workload of WORKLOADS) {
    const result = await compare(workload, numbers)
    results.push(result)
    const verdict = result.ratio.median >= GOAL ? 'reached' : 'not reached'
    console.log(`${result.name}: CPU per request, median of ${result.ratio.samples} (spread)
  bare node:http     ${figures(result.bare, 1)} µs
  reference service  ${figures(result.reference, 1)} µs
  ratio              ${figures(result.ratio, 2)}; the goal of ${GOAL} is ${verdict}`)
  }
  return results
}

const CLIENT_GOAL = 0.6
const CLIENT_IN_FLIGHT = 20

async function client({ repeats, requests }: Numbers): Promise<ClientResult> {
  const result = await compareClients({ repeats, requests, inFlight: CLIENT_IN_FLIGHT })
  const verdict = result.ratio.median >= CLIENT_GOAL ? 'reached' : 'not reached'
  console.log(`Client: requests per CPU second, median of ${result.ratio.samples} (spread)
  undici.request     ${figures(result.bare, 0)}
  our client         ${figures(result.ours, 0)}
  ratio              ${figures(result.ratio, 2)}; the goal of ${CLIENT_GOAL} is ${verdict}`)
  return result
}

const SUITE_CPU_SECONDS_GOAL = 4
const SUITE_RSS_BYTES_GOAL = 200e6

function costLine(name: string, { cpuSeconds, wallSeconds, maxRssBytes }: Cost): string {
  return `  ${name.padEnd(16)} ${figures(cpuSeconds, 2)} s CPU, ${figures(wallSeconds, 1)} s, ${(maxRssBytes.median / 1e6).toFixed(0)} MB`
}

async function gate({ repeats }: Numbers): Promise<GateCost> {
  const result = await measureGate({ repeats })
  const { requests, suite, start, bare } = result
  const isReached =
    suite.cpuSeconds.median <= SUITE_CPU_SECONDS_GOAL &&
    suite.maxRssBytes.median <= SUITE_RSS_BYTES_GOAL
  console.log(`Conformance suite of ${requests} requests, median of ${suite.cpuSeconds.samples} (spread)
${costLine('the suite', suite)}
${costLine('its start alone', start)}
${costLine('bare loop', bare)}
  the goal of ${SUITE_CPU_SECONDS_GOAL} s CPU and ${SUITE_RSS_BYTES_GOAL / 1e6} MB is ${isReached ? 'reached' : 'not reached'}`)
  return result
}

const RUNS: Readonly<Record<Entry, (numbers: Numbers) => Promise<unknown>>> = {
  cpu,
  client,
  gate,
  import: benchImport,
  evidence: benchEvidence,
}

await command(BENCH_PAGE, async ({ argv }) => {
  const { values, positionals } = readPage(BENCH_PAGE, argv)
  const entries = readEntries(positionals)
  const numbers = readNumbers(values)
  const results: Partial<Record<Entry, unknown>> = {}
  for (const entry of entries) results[entry] = await RUNS[entry](numbers)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ numbers, ...results }, undefined, 2)}\n`)
})
