/** Our own command line in this process: the checks run on real sockets, without vitest around them, so that a probe takes no start of a process. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { runAll } from '../../conformance/engine/run-all.ts'
import { liveSession } from '../../conformance/live-session.ts'
import { REQUIREMENTS } from '../../contract/requirements/index.ts'
import { parseCapacityOptions } from '../../harness/capacity/options.ts'
import { runCapacity } from '../../harness/capacity/run.ts'
import type { ConformanceRunner } from '../../harness/gate/conformance.ts'
import { outagesIn } from '../../harness/judge/outages.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import type { GateStreams } from '../../harness/gate/supervise.ts'
import { told } from '../../scripts/ending.ts'
import { HARNESS_VERSION, run as main } from '../../scripts/main.ts'
import { plan } from '../../scripts/plan-main.ts'
import { environment, runsIn, validRecord, type Command, type Ended } from './command-line.ts'

/** Carries the checks out in this thread. */
const conformanceHere: ConformanceRunner = async (options) => {
  const { signal, onProgress, onOutcome, onSecret, onHazard, onStopped, onLost, ...plan } = options
  const stop = new AbortController()
  signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
  await using live = liveSession(plan, stop, {
    onProgress,
    onSecret,
    onHazard,
    onStopped,
    onLost,
  })
  const { session, checks, invariants } = live
  const outcomes = await runAll(checks, invariants, session)
  for (const outcome of outcomes) onOutcome(outcome)
  const purchased = session.guard.purchased({ isNamed: true })
  const causes = session.causes()
  const outages = outagesIn(session.history.all())
  return { outcomes, faults: [], spent: session.ledger.spent(), purchased, causes, outages }
}

/** Runs that want the same environment share it; others wait until it is free. */
const shared = { wanted: '', runs: 0, freed: Promise.withResolvers<void>(), own: process.env }

async function enter(env: Readonly<Record<string, string>>): Promise<void> {
  const wanted = JSON.stringify(env)
  while (shared.runs > 0 && shared.wanted !== wanted) await shared.freed.promise
  shared.runs += 1
  if (shared.runs > 1) return
  Object.assign(shared, { wanted, own: process.env, freed: Promise.withResolvers<void>() })
  process.env = environment(env)
}

function leave(): void {
  shared.runs -= 1
  if (shared.runs > 0) return
  process.env = shared.own
  shared.freed.resolve()
}

/** Runs a command to its end, with the environment that a process of its own would get, and reads everything that it leaves. */
export async function run(
  command: Command,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  await enter(env)
  try {
    return await runHere(command, parameters)
  } finally {
    leave()
  }
}

/** As `run`, in the environment of this process, which runs side by side can share. */
export async function runHere(command: Command, parameters: readonly string[]): Promise<Ended> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'hostile-'))
  const [out, progress] = [new PassThrough(), new PassThrough()]
  let code: number
  let complaint = ''
  try {
    const streams = { out: asTerminal(out), progress: asTerminal(progress) }
    code = await carryOut(command, ['--reports', home, ...parameters], streams)
  } catch (cause) {
    ;({ text: complaint, exitCode: code } = told(cause))
  }
  const files = new Map<string, string>()
  const runs = await runsIn(home)
  for (const name of runs)
    for (const file of await readdir(path.join(home, name)))
      files.set(file, await readFile(path.join(home, name, file), 'utf8'))
  await rm(home, { recursive: true })
  const file = (name: string): Promise<string> => Promise.resolve(files.get(name) ?? '')
  return {
    code,
    out: String(out.read() ?? ''),
    err: String(progress.read() ?? '') + complaint,
    runs,
    file,
    record: async () => validRecord(await file('run.json')),
  }
}

async function carryOut(
  command: Command,
  argv: readonly string[],
  streams: GateStreams,
): Promise<number> {
  if (command === 'plan') {
    await plan(argv, streams)
    return 0
  }
  if (command === 'capacity') {
    const parts = { catalogue: REQUIREMENTS, harnessVersion: HARNESS_VERSION }
    return await runCapacity(parseCapacityOptions(argv), parts, streams)
  }
  return await main(parseRunOptions(command, argv), streams, conformanceHere)
}

function asTerminal(stream: PassThrough): NodeJS.WriteStream {
  return stream as unknown as NodeJS.WriteStream
}
