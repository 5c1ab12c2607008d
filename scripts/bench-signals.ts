/** `npm run bench -- signals`: how long Ctrl-C waits for an answer, and for the end, in every phase of a run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const GOAL_SECONDS = 2
/** After so long it begins no other moment of any phase. What is begun takes a minute more, on a busy machine several. */
const BENCH_SECONDS = 600

/** Seconds by phase: until the terminal says what follows, and until the process has ended. */
type Signals = Readonly<Record<string, { readonly answered: number[]; readonly ended: number[] }>>

export async function benchSignals({ repeats }: { readonly repeats: number }): Promise<Signals> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-signals-'))
  const file = path.join(folder, 'signals.json')
  try {
    const child = spawn('vitest', ['run', 'test/hostile/signals.test.ts'], {
      stdio: 'inherit',
      env: {
        ...process.env,
        SIGNALS: String(repeats),
        SIGNALS_SECONDS: String(BENCH_SECONDS),
        SIGNALS_JSON: file,
      },
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) process.exitCode = 1
    const signals = JSON.parse(await readFile(file, 'utf8')) as Signals
    print(signals)
    return signals
  } finally {
    await rm(folder, { recursive: true })
  }
}

function print(signals: Signals): void {
  const load = os.loadavg()[0]?.toFixed(1)
  console.log(
    `Signals: longest seconds until the answer, and until the end, and moments (load ${load})`,
  )
  for (const [phase, { answered, ended }] of Object.entries(signals))
    console.log(
      `  ${seconds(answered)}  ${seconds(ended)}  ${String(ended.length).padStart(3)}  ${phase}`,
    )
  const longest = Math.max(...Object.values(signals).flatMap(({ answered }) => answered))
  console.log(
    `  longest answer ${longest.toFixed(2)}; the goal of ${GOAL_SECONDS} is ${longest <= GOAL_SECONDS ? 'reached' : 'not reached'}`,
  )
}

function seconds(all: readonly number[]): string {
  return Math.max(...all)
    .toFixed(2)
    .padStart(6)
}
