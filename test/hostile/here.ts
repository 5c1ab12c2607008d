/** Our own command line in this process: the checks run on real sockets, without vitest around them, so that a probe takes no start of a process. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { runAll } from '../../conformance/engine/run-all.ts'
import { liveSession } from '../../conformance/live-session.ts'
import type { ConformanceRunner } from '../../harness/gate/conformance.ts'
import { outagesIn } from '../../harness/judge/outages.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import { told } from '../../scripts/ending.ts'
import { run } from '../../scripts/main.ts'
import { runsIn, validRecord, type Command, type Ended } from '../verdict/command-line.ts'

/** Carries the checks out in this thread. */
const conformanceHere: ConformanceRunner = async (options) => {
  const { signal, onProgress, onOutcome, onSecret, onHazard, onStopped, ...plan } = options
  const stop = new AbortController()
  signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
  await using live = liveSession(plan, stop, { onProgress, onSecret, onHazard, onStopped })
  const { session, checks, invariants } = live
  const outcomes = await runAll(checks, invariants, session)
  for (const outcome of outcomes) onOutcome(outcome)
  const purchased = session.guard.purchased({ isNamed: true })
  const causes = session.causes()
  const outages = outagesIn(session.history.all())
  return { outcomes, faults: [], spent: session.ledger.spent(), purchased, causes, outages }
}

/** Runs a command to its end, in the environment of this process, and reads everything that it leaves. */
export async function runHere(command: Command, parameters: readonly string[]): Promise<Ended> {
  if (command === 'capacity' || command === 'plan')
    throw new Error(`${command} runs in a process of its own`)
  const home = await mkdtemp(path.join(os.tmpdir(), 'hostile-'))
  const startedMs = performance.now()
  const [out, progress] = [new PassThrough(), new PassThrough()]
  let code: number
  let complaint = ''
  try {
    const options = parseRunOptions(command, ['--reports', home, ...parameters])
    code = await run(
      options,
      { out: asTerminal(out), progress: asTerminal(progress) },
      conformanceHere,
    )
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
    seconds: (performance.now() - startedMs) / 1000,
    runs,
    file,
    record: async () => validRecord(await file('run.json')),
  }
}

function asTerminal(stream: PassThrough): NodeJS.WriteStream {
  return stream as unknown as NodeJS.WriteStream
}
