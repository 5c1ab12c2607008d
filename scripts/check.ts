/** Runs every static check, side by side, and prints what each has to say. `npm run check`. */
import { spawn } from 'node:child_process'
import { endSoon } from './end-soon.ts'

if (process.argv.length > 2) {
  console.log('npm run check runs every static check. It takes no options.')
  process.exit()
}

type Step = {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Whether it has something to say where nothing is wrong. */
  readonly tells?: true
}

const STEPS: readonly Step[] = [
  { name: 'types: node', command: ['tsc', '-p', '.'] },
  { name: 'types: contract', command: ['tsc', '-p', 'contract'] },
  { name: 'types: k6', command: ['tsc', '-p', 'load'] },
  { name: 'lint and boundaries', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated types', command: ['node', 'scripts/generate-types.ts', '--check'] },
  { name: 'tidy', command: ['node', 'scripts/tidy.ts'] },
  { name: 'licences', command: ['node', 'scripts/licences.ts'] },
  { name: 'known weaknesses', command: ['node', 'scripts/audit.ts'], tells: true },
]

/** As many at once as two cores bear. */
const WORKERS = 2

type Outcome = {
  readonly step: Step
  readonly exitCode: number
  readonly output: string
  readonly seconds: number
}

function run(step: Step): Promise<Outcome> {
  const startedMs = performance.now()
  const [file, ...args] = step.command
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      const seconds = (performance.now() - startedMs) / 1000
      resolve({ step, exitCode: code ?? 1, output, seconds })
    })
  })
}

const waiting = [...STEPS]
let failed = 0

async function worker(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { exitCode, output, seconds } = await run(step)
    const isGood = exitCode === 0
    const note = isGood && step.tells && output !== '' ? `: ${output.trim()}` : ''
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)${note}`)
    if (isGood) continue
    failed += 1
    console.log(output.trimEnd())
  }
}

await Promise.all(Array.from({ length: WORKERS }, worker))
if (failed > 0) {
  console.log(`${failed} of ${STEPS.length} checks failed.`)
  process.exitCode = 1
}
endSoon()
