/** Command lines of the small commands about targets. */
import { readPage } from '../command-line.ts'
import { usageError } from '../errors.ts'
import type { Page } from '../help-page.ts'
import { TARGET, targetFlags, type TargetFlags } from './options.ts'
import { isTargetNamed } from './resolve.ts'

export type CommandStreams = {
  readonly out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
  /** Asks whoever sits at the terminal; undefined where nobody does. */
  readonly ask?: (question: string) => Promise<string>
}

export type CommandLine<P extends Page> = {
  readonly target: TargetFlags
  readonly values: ReturnType<typeof readPage<P>>['values']
  readonly words: readonly string[]
}

/** Reads the options of a page, and those of the target, shown or not. Throws E_USAGE, with what was probably meant. */
export function readCommandLine<const P extends Page>(
  page: P,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): CommandLine<P> {
  // The command knows what a stray word may be.
  const all = { ...page, words: '', groups: [...page.groups, TARGET] }
  const { values, positionals } = readPage(all, argv, env)
  return {
    target: targetFlags(values),
    values,
    words: positionals,
  }
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
