/** Command lines of the small commands about targets. */
import type { parseArgs, ParseArgsOptionsConfig } from 'node:util'
import { readArguments } from '../command-line.ts'
import { usageError } from '../errors.ts'
import { TARGET_OPTIONS, targetFlags, type TargetFlags } from './options.ts'
import { isTargetNamed } from './resolve.ts'

export type CommandStreams = {
  readonly out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
  /** Asks whoever sits at the terminal; undefined where nobody does. */
  readonly ask?: (question: string) => Promise<string>
}

export type CommandLine<T extends ParseArgsOptionsConfig> = {
  readonly target: TargetFlags
  readonly values: ReturnType<typeof parseArgs<{ options: T }>>['values']
  readonly words: readonly string[]
}

/** Reads options of the target and those of the command. Throws E_USAGE, with what was probably meant. */
export function readCommandLine<const T extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  options: T,
  env: NodeJS.ProcessEnv,
): CommandLine<T> {
  const all = { ...TARGET_OPTIONS, ...options }
  const config = { args: [...argv], options: all, allowPositionals: true } as const
  const { values, positionals } = readArguments(config, env)
  return { target: targetFlags(values), values, words: positionals }
}

/** Without a target there is nothing to look at. */
export function requireTarget(
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  command: string,
  words: readonly string[] = [],
): void {
  if (isTargetNamed({ flags, env })) return
  const url = words.find((word) => /^https?:/.test(word))
  throw usageError(
    url === undefined ? 'no target is named' : `${url} stands alone, without --base-url`,
    url === undefined
      ? `Say npm run ${command} -- --base-url URL or --target FILE, with the key in ORDERING_KEY.`
      : `Say npm run ${command} -- --base-url ${url}; npm needs the two hyphens before the options.`,
  )
}
