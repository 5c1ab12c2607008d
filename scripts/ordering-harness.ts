/** The command `ordering-harness`: one sub-command for each job. Loads only what the sub-command needs. */
import { nearest } from '../harness/nearest.ts'
import { guarded } from './start.ts'

type SubCommand = { readonly summary: string; readonly load: () => Promise<unknown> }

const COMMANDS: Readonly<Record<string, SubCommand>> = {
  gate: {
    summary: 'judge a target by all checks and load scenarios: may it be released?',
    load: () => import('./gate.ts'),
  },
  verify: {
    summary: 'is a target ready to be judged? No purchase, no k6, under 40 requests',
    load: () => import('./verify.ts'),
  },
  init: {
    summary: 'write a target file by looking at a target',
    load: () => import('./init.ts'),
  },
  try: {
    summary: 'send one request of a target file, and show what its selectors find',
    load: () => import('./try.ts'),
  },
  plan: {
    summary: 'what a run would send, buy and take',
    load: () => import('./plan.ts'),
  },
  conformance: {
    summary: 'the checks alone, without k6',
    load: () => import('./conformance.ts'),
  },
  load: {
    summary: 'the load scenarios alone, with k6',
    load: () => import('./load.ts'),
  },
  capacity: {
    summary: 'the highest rate at which a target holds its goals',
    load: () => import('./capacity.ts'),
  },
  serve: {
    summary: 'start the reference service, also with deliberate faults',
    load: () => import('./serve.ts'),
  },
  compare: {
    summary: 'what is newly broken or mended between two runs',
    load: () => import('./compare.ts'),
  },
  replay: {
    summary: 'send the exchanges of one failure again',
    load: () => import('./replay.ts'),
  },
  inspect: {
    summary: 'hold the record of a run against itself, export its evidence',
    load: () => import('./inspect.ts'),
  },
  requirements: {
    summary: 'the catalogue of the interface, and what decides it',
    load: () => import('./requirements.ts'),
  },
}

const EXIT_USAGE = 2

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length))
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  )
  return `Judges a commerce-ordering HTTP API from outside: contract, rate-limit windows, spend caps, unhide budgets, also under contention.

Usage: ordering-harness COMMAND [options]

${lines.join('\n')}

Each command explains itself: ordering-harness COMMAND --help

Examples
  ordering-harness gate                                        the embedded reference service
  ORDERING_KEY=… ordering-harness gate --base-url https://sandbox.example
  ordering-harness gate --target staging.target.json
`
}

async function run(name: string | undefined): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help())
    return
  }
  if (name === '--version') {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
    console.log(manifest.version)
    return
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const meant = nearest(name, Object.keys(COMMANDS))
    const hint = meant === undefined ? 'See ordering-harness --help.' : `Did you mean "${meant}"?`
    console.error(`E_USAGE: there is no command "${name}".\n${hint} Exit ${EXIT_USAGE}.`)
    process.exitCode = EXIT_USAGE
    return
  }
  // What a command reads of its arguments begins after its name.
  process.argv.splice(2, 1)
  await command.load()
}

await guarded(() => run(process.argv[2]))
