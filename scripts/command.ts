/** How the small commands about targets are run: help appears at once; all else is loaded where a failure can be reported. */
import { createInterface } from 'node:readline/promises'
import { asksForHelp, helpOf, type Page } from '../harness/help-page.ts'
import type { CommandStreams } from '../harness/target-file/command-line.ts'
import { guarded } from './start.ts'

type Given = {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly streams: CommandStreams
  readonly version: string
}

export function command(page: Page, run: (given: Given) => Promise<number | void>): Promise<void> {
  const argv = process.argv.slice(2)
  if (asksForHelp(argv)) {
    console.log(helpOf(page))
    return Promise.resolve()
  }
  return guarded(async () => {
    const { ignoreLostReader } = await import('./ending.ts')
    const { default: packageJson } = await import('../package.json', { with: { type: 'json' } })
    for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreLostReader)
    const streams = { out: process.stdout, ...(process.stdin.isTTY && { ask }) }
    return run({ argv, env: process.env, streams, version: packageJson.version })
  })
}

/** On standard error, so that standard output holds the answer alone. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
