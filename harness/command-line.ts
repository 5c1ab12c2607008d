/** Reads the arguments of a command, and says of a mistyped one what was meant. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type HarnessError, usageError } from './errors.ts'
import { optionsOf, type Page } from './help-page.ts'
import { nearest } from './nearest.ts'

type Variables = Readonly<Record<string, string | undefined>>

const HELP_HINT = 'Run with --help for the options and examples.'

/** As parseArgs does; throws E_USAGE with what was given and what to write instead. */
export function readArguments<T extends ParseArgsConfig>(
  config: T,
  env: Variables = process.env,
): ReturnType<typeof parseArgs<T>> {
  refuseTakenByNpm(config, env)
  try {
    return parseArgs(config)
  } catch (cause) {
    throw explained(cause as Error & { readonly code?: string }, config, env)
  }
}

type Token = { readonly kind: string; readonly name?: string; readonly value?: string | undefined }

type Parsed<P extends Page> = ReturnType<
  typeof parseArgs<{
    options: ReturnType<typeof optionsOf<P>>
    allowPositionals: true
    tokens: true
  }>
>

/** What a command line gives of the options of a page. Throws E_USAGE, also for words where the page takes none. */
export function readPage<const P extends Page>(
  page: P,
  argv: readonly string[],
  env: Variables = process.env,
): Parsed<P> {
  const allowPositionals = page.words !== undefined
  const config = { args: [...argv], options: optionsOf(page), allowPositionals, tokens: true }
  return readArguments(config, env) as Parsed<P>
}

/** What was given of the options that are not among `taken`, as arguments again. */
export function argumentsBut(tokens: readonly Token[], taken: object): string[] {
  return tokens.flatMap((token) => {
    if (token.name === undefined || Object.hasOwn(taken, token.name)) return []
    return token.value === undefined ? [`--${token.name}`] : [`--${token.name}=${token.value}`]
  })
}

/** The runs that a command is given; throws E_USAGE if there are more or fewer. */
export function requireRuns(runs: readonly string[], count: number, how: string): void {
  if (runs.length !== count)
    throw usageError(`${runs.length} runs were given, ${count} expected`, how)
}

/** Options that npm knows as its own, so that a variable may come from its settings. */
const OF_NPM: ReadonlySet<string> = new Set([
  'help',
  'list',
  'name',
  'only',
  'json',
  'target',
  'environment',
  'image',
  'port',
  'host',
  'write',
  'yes',
])

/** Without a lone `--`, npm keeps options for itself: a run would go on without them. */
function refuseTakenByNpm({ options = {} }: ParseArgsConfig, env: Variables): void {
  const taken = Object.entries(options).find(([name, { type }]) =>
    OF_NPM.has(name) ? type === 'string' && env[variableOf(name)] === 'true' : isWithNpm(name, env),
  )
  if (taken) throw usageError(`npm took the option --${taken[0]} for itself`, retold(env))
}

/** npm turns `--no-load` into a variable `load` that is empty. */
function isWithNpm(name: string, env: Variables): boolean {
  const value = env[variableOf(name)]
  return name.startsWith('no-') ? value === '' : value !== undefined
}

function variableOf(name: string): string {
  return `npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`
}

function retold(env: Variables): string {
  const command = env['npm_lifecycle_event'] ?? 'COMMAND'
  return `Put a lone -- before the options: npm run ${command} -- --OPTION VALUE. Nothing was sent.`
}

function explained(
  cause: Error & { readonly code?: string },
  { args = [], options = {} }: ParseArgsConfig,
  env: Variables,
): HarnessError {
  const names = Object.keys(options)
  if (cause.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const given = /'-{1,2}([^'=\s]+)/.exec(cause.message)?.[1] ?? ''
    const meant = nearest(given, names)
    const hint = meant === undefined ? HELP_HINT : `Did you mean --${meant}?`
    return usageError(`there is no option --${given}`, hint)
  }
  if (cause.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    const given = /'([^']*)'/.exec(cause.message)?.[1] ?? ''
    const isLost = args[0] === given && env['npm_lifecycle_event'] !== undefined
    const meant = isLost ? undefined : nearest(given, names)
    const hint =
      meant === undefined
        ? `${placeOf(given)} ${isLost ? retold(env) : HELP_HINT}`
        : `Did you mean --${meant}?`
    return usageError(`"${given}" belongs to no option`, hint.trim())
  }
  const ambiguous = /^Option '(--[^']+)' argument is ambiguous/.exec(cause.message)?.[1]
  if (ambiguous !== undefined)
    return usageError(
      `${ambiguous} has no value before the next option`,
      `A value that begins with - is written ${ambiguous}=VALUE.`,
    )
  return usageError(cause.message.split('\n')[0] ?? '')
}

/** What a stray value looks like. */
function placeOf(given: string): string {
  if (/^https?:\/\//.test(given)) return `Write --base-url ${given}.`
  return given.endsWith('.json') ? `Write --target ${given}.` : ''
}
