/** Runs the small commands about targets in this process, as their scripts do, and keeps what they print. */
import type { CommandStreams } from '../../harness/target-file/command-line.ts'
import { told } from '../../scripts/ending.ts'

export type Looked = { readonly code: number; readonly out: string }

type Command = (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: CommandStreams,
  version: string,
) => Promise<number>

export async function look(
  command: Command,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  ask?: (question: string) => Promise<string>,
): Promise<Looked> {
  const texts: string[] = []
  const out = { isTTY: false, write: (text: string) => texts.push(text) > 0 }
  const code = await command(argv, env, { out, ...(ask && { ask }) }, '0.0.0').catch(
    (cause: unknown) => {
      const { text, exitCode } = told(cause)
      texts.push(text)
      return exitCode
    },
  )
  return { code, out: texts.join('') }
}
