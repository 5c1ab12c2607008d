/** `npm run bench`: what the reference service and the client cost, each measured side by side with a bare one. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type ClientResult, compareClients } from '../bench/client.ts'
import { type RatioResult, WORKLOADS, compare } from '../bench/cpu-ratio.ts'
import { type Cost, type GateCost, measureGate } from '../bench/gate.ts'
import { showSpread as figures } from '../bench/spread.ts'
import { benchAgreement, benchEvidence, benchFreeze, benchImport } from './bench-load.ts'
import { benchSignals } from './bench-signals.ts'
import { benchSuite } from './bench-suite.ts'
import { guarded } from './start.ts'

const ENTRIES = [
  'cpu',
  'client',
  'suite',
  'gate',
  'signals',
  'import',
  'evidence',
  'agreement',
  'freeze',
] as const
type Entry = (typeof ENTRIES)[number]

const HELP = `Usage: npm run bench -- [entries] [options]

Entries (all of them, if none is named)
  cpu       CPU time per request of the reference service beside a bare node:http
            server that answers the same bytes, each in a process of its own
  client    requests per CPU second of our client, with evidence, ledger and schema
            validation, beside bare undici.request: 20 in flight, same server
  suite     all checks against the reference service in virtual time, beside the
            bound of their plan, and what that takes in real time
  gate      CPU, memory and start of the conformance suite against the embedded
            service, beside a bare loop that sends the exchanges of its record again
  signals   how long Ctrl-C waits for an answer in every phase of a run, once and twice
  import    time and memory of importing and judging load evidence
  evidence  client CPU per request of k6, with and without our evidence
  agreement latency of a load run beside k6's own json of the same requests
  freeze    latency of a service that freezes: arithmetic, ours, plain k6, wrk

Options
  --repeats N       measurements of cpu, client, suite, gate and evidence, besides one that warms up; moments of
                    each phase of signals (7)
  --requests N      requests of one measurement of cpu, client or evidence (20000)
  --connections N   connections of cpu (16)
  --exchanges N     exchanges of import (1000000)
  --json FILE       write the figures to FILE
  -h, --help        print this and end
`

const NUMBERS = ['repeats', 'requests', 'connections', 'exchanges'] as const
type Numbers = Readonly<Record<(typeof NUMBERS)[number], number>>

class UsageError extends Error {}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        repeats: { type: 'string', default: '7' },
        requests: { type: 'string', default: '20000' },
        connections: { type: 'string', default: '16' },
        exchanges: { type: 'string', default: '1000000' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readEntries(names: readonly string[]): readonly Entry[] {
  const unknown = names.find((name) => !ENTRIES.some((entry) => entry === name))
  if (unknown !== undefined)
    throw new UsageError(`Got the entry ${unknown}; expected some of ${ENTRIES.join(', ')}.`)
  return names.length === 0 ? ENTRIES : ENTRIES.filter((entry) => names.includes(entry))
}

function readNumbers(values: Readonly<Record<(typeof NUMBERS)[number], string>>): Numbers {
  const read = NUMBERS.map((name) => {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < 1)
      throw new UsageError(`Got --${name} ${values[name]}; expected an integer from 1.`)
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
  suite: benchSuite,
  gate,
  signals: benchSignals,
  import: benchImport,
  evidence: benchEvidence,
  agreement: benchAgreement,
  freeze: benchFreeze,
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  if (values.help) {
    console.log(HELP)
    return
  }
  const entries = readEntries(positionals)
  const numbers = readNumbers(values)
  const results: Partial<Record<Entry, unknown>> = {}
  for (const entry of entries) results[entry] = await RUNS[entry](numbers)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ numbers, ...results }, undefined, 2)}\n`)
}

await guarded(() =>
  main().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\nTry npm run bench -- --help.`)
    process.exitCode = 2
  }),
)
