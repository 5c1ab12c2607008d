/** `init`: what its command line means, what it writes and prints. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { OPERATIONS } from '../../contract/operations.ts'
import { keyringOf } from '../accounts/accounts.ts'
import { openTransport } from '../client/open-transport.ts'
import { RealClock } from '../clock.ts'
import { HarnessError, usageError } from '../errors.ts'
import { looksLikeEnvelope } from '../gate/presence.ts'
import { strangerStep, unreachable } from '../gate/unreachable.ts'
import { watchedAccounts } from '../gate/watched-accounts.ts'
import { proxySecrets } from '../network/proxy.ts'
import { Redactor } from '../record/redact.ts'
import { takesColour } from '../report/console.ts'
import { oneLine, plural } from '../text.ts'
import { readCommandLine, requireTarget, type CommandStreams } from '../target-file/command-line.ts'
import { didYouMean } from '../nearest.ts'
import { resolveDocument } from '../target-file/resolve-document.ts'
import { resolveTarget } from '../target-file/resolve.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import type { Target } from '../target-file/target.ts'
import { Asker } from '../verify/asker.ts'
import { chooseEnvironment, chooseProducts, confirm, type NamedProducts } from './choose.ts'
import { credentialsOf, fundsKey, namedKeys, withFullKey, type NamedKey } from './keys.ts'
import { documentOf } from './document.ts'
import { gapsOf, type Worth } from './gaps.ts'
import { lookAt, type Look, type LookOptions } from './look.ts'
import { fittingPaths, requireKnownVariables } from './paths.ts'
import { VISIBLE_ABILITIES } from './products.ts'
import { painter, type Paint } from '../report/paint.ts'
import { INIT_PAGE } from './page.ts'
import { gapLines, proposalLines } from './render.ts'

const REQUESTS_MAX = 39
const SECONDS_MAX = 30
const PRODUCTION =
  'The file says "environment": "production". Runs then need permission to buy and to send load, on this machine too. If it is there for tests, write "sandbox".'
const SCHEMA = path.join(import.meta.dirname, '..', '..', 'schemas', 'target.schema.json')

export async function initCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: CommandStreams,
  worth: Worth,
): Promise<number> {
  const asked = readRequest(argv, env)
  const { target, keys, out } = asked
  const write = writerOf(asked, env, streams)
  const paint = painter(takesColour(streams.out, env))
  const how = { given: asked.given, funds: fundsKey(target, keys) }
  const seen = await lookAtTarget(target, how, env)
  write(seenLines(target, seen, paint))
  const ask = asked.isAgreed ? undefined : streams.ask
  const document = await chooseDocument(asked, seen.look, { ask, write, paint })
  const written = resolveWritten(document, env)
  await save(out, `${JSON.stringify(document, undefined, 2)}\n`)
  write([
    '',
    `Wrote ${out}. What could not be seen, and what it would add:`,
    ...gapLines(gapsOf(written, worth)),
    '',
    ...(document.environment === 'production' ? [PRODUCTION] : []),
    `Next: npm run verify -- --target ${out}${wayOptions(target)}; npm run try -- OPERATION --target ${out} shows one answer and its selectors.`,
  ])
  return 0
}

/** What the command line and the environment ask for. */
type Request = {
  readonly target: Target
  readonly keys: readonly NamedKey[]
  readonly credentials: TargetFile['credentials']
  /** Paths by operation. */
  readonly given: LookOptions['given']
  readonly named: NamedProducts
  /** The file to write. */
  readonly out: string
  /** Whether nothing is to be asked. */
  readonly isAgreed: boolean
}

/** Throws the usage error of what does not fit together. */
function readRequest(argv: readonly string[], env: NodeJS.ProcessEnv): Request {
  const { target: flags, values, words } = readCommandLine(INIT_PAGE, argv, env)
  requireTarget(flags, env, 'init', words)
  if (flags.target !== undefined)
    throw usageError(
      '--target was given, a file that is to be written',
      'Say --base-url URL --out FILE.',
    )
  const keys = namedKeys(values.key ?? [], env)
  const { hazards: _told, ...target } = resolveTarget({
    flags,
    env: withFullKey(env, keys),
    cwd: process.cwd(),
  })
  if (!target.credentials.full)
    throw usageError(
      'there is no key of role full',
      'Set ORDERING_KEY to a key of the target, or say --key full=VARIABLE.',
    )
  const given = pairs('--path', values.path ?? [], Object.keys(OPERATIONS))
  requireKnownVariables(given)
  const named = pairs('--product', values.product ?? [], VISIBLE_ABILITIES) as NamedProducts
  const out =
    values.out ?? `${new URL(target.baseUrl).hostname.replaceAll(/[^\w.-]/g, '_')}.target.json`
  const credentials = credentialsOf(target, keys)
  requireFitting(target, credentials, env)
  return { target, keys, credentials, given, named, out, isAgreed: values.yes === true }
}

type Write = (lines: readonly string[]) => void

/** Writes lines without any secret in them; nothing for none. */
function writerOf(
  { target, keys }: Request,
  env: NodeJS.ProcessEnv,
  { out }: CommandStreams,
): Write {
  const redactor = new Redactor()
  for (const { secret, env: name } of keys) redactor.addSecret(secret, name)
  for (const secret of proxySecrets(target.baseUrl, env))
    redactor.addSecret(secret, 'password of the proxy')
  watchedAccounts(target, redactor)
  return (lines) => void (lines.length > 0 && out.write(redactor.text(`${lines.join('\n')}\n`)))
}

type Seen = { readonly look: Look; readonly requests: number; readonly seconds: number }

function seenLines({ baseUrl }: Target, { look, requests, seconds }: Seen, paint: Paint): string[] {
  return [
    `${baseUrl}: ${requests} requests in ${seconds.toFixed(1)} s, nothing bought`,
    '',
    ...proposalLines(look, paint),
    ...look.notes.map((note) => `${paint('gray', 'note  ')}  ${note}`),
    ...(look.items.length > 0 ? [''] : []),
  ]
}

type Talk = {
  readonly ask: CommandStreams['ask']
  readonly write: Write
  readonly paint: Paint
}

/** Asks what is to be chosen, and makes the target file of it. */
async function chooseDocument(
  { target, credentials, named, out }: Request,
  look: Look,
  { ask, write, paint }: Talk,
): Promise<ReturnType<typeof documentOf>> {
  const products = await chooseProducts(look, named, ask)
  for (const [ability, { label }] of Object.entries(products))
    write([`product  ${ability} = ${label}`])
  const fitting = fittingPaths(await confirm(look.proposals, ask), products)
  write(fitting.notes.map((note) => `${paint('gray', 'note  ')}  ${note}`))
  return documentOf(target, look, {
    schema: path
      .relative(path.dirname(path.resolve(out)), SCHEMA)
      .split(path.sep)
      .join('/'),
    environment: await chooseEnvironment(target, ask),
    proposals: fitting.proposals,
    products,
    credentials,
  })
}

async function lookAtTarget(
  target: Target,
  how: LookOptions,
  env: NodeJS.ProcessEnv,
): Promise<Seen> {
  const clock = new RealClock()
  const transport = openTransport(
    target,
    { connectTimeoutMs: 3_000, responseTimeoutMs: 8_000 },
    env,
  )
  const keyring = keyringOf(target.credentials)
  const signal = AbortSignal.timeout(SECONDS_MAX * 1000)
  const asker = new Asker({ target, keyring, transport, clock, requestsMax: REQUESTS_MAX, signal })
  const startedMs = clock.nowMs()
  try {
    const look = await lookAt(asker, how)
    requireInterface(target, look, asker)
    return {
      look,
      requests: asker.exchanges.length,
      seconds: (clock.nowMs() - startedMs) / 1000,
    }
  } finally {
    await transport.close()
  }
}

function requireInterface(
  { baseUrl }: Target,
  { notes, answered }: Look,
  { exchanges }: Asker,
): void {
  const answers = exchanges.flatMap(({ response }) => (response ? [response.body] : []))
  // Whoami may answer to keys that may do nothing from here.
  const isTaken = [...answered].some((operation) => operation !== 'whoami')
  if (isTaken && answers.some(looksLikeEnvelope)) return
  const verifyStep = `See why: npm run verify -- --base-url ${baseUrl}. ${plural(exchanges.length, 'request')} sent; nothing was bought or written.`
  if (answers.some(looksLikeEnvelope))
    throw new HarnessError(
      'E_ENVIRONMENT_KEY',
      `${baseUrl} gives no usable answer to the key (${notes.join('; ')})`,
      verifyStep,
    )
  const [first] = exchanges
  const silence = first?.error ?? { code: '', message: 'nothing could be sent' }
  throw answers.length === 0
    ? new HarnessError(
        'E_ENVIRONMENT_UNREACHABLE',
        unreachable(silence, baseUrl).message,
        `${unreachable(silence, baseUrl).nextStep} ${verifyStep}`,
      )
    : new HarnessError(
        'E_ENVIRONMENT_STRANGER',
        `nothing at ${baseUrl} answers as this interface (GET ${first?.request.url}: HTTP ${first?.response?.status}, ${oneLine(first?.response?.body || 'no body', 80)})`,
        `${strangerStep(first, baseUrl)} ${verifyStep}`,
      )
}

/** Keys that contradict one another are reported before anything is sent. */
function requireFitting(
  { baseUrl }: Target,
  credentials: TargetFile['credentials'],
  env: NodeJS.ProcessEnv,
): void {
  resolveDocument({ name: 'keys', baseUrl, credentials }, { name: 'keys', env })
}

/** What the file does not hold, and every later command needs as well. */
function wayOptions({ network }: Pick<Target, 'network'>): string {
  const { clientCertFile, clientKeyFile, family } = network ?? {}
  const certificate =
    clientCertFile === undefined
      ? ''
      : ` --client-cert ${clientCertFile} --client-key ${clientKeyFile}`
  return certificate + (family === undefined ? '' : ` --ipv${family}`)
}

/** What we write has to pass what we read. */
function resolveWritten(document: object, env: NodeJS.ProcessEnv): Target {
  try {
    return resolveDocument(document, {
      name: 'written',
      env,
      flags: { allowMissingCredentials: true },
    })
  } catch (cause) {
    throw new HarnessError(
      'E_HARNESS',
      `the target file that was made is not valid: ${(cause as Error).message}`,
      'Report it with this text; write the file by hand meanwhile (targets/README.md).',
      { cause },
    )
  }
}

async function save(out: string, text: string): Promise<void> {
  try {
    await writeFile(out, text, { flag: 'wx' })
  } catch (cause) {
    throw usageError(
      (cause as NodeJS.ErrnoException).code === 'EEXIST'
        ? `${out} exists already`
        : `the target file could not be written to ${out}: ${(cause as Error).message}`,
      'Name a file that is not there yet with --out FILE.',
    )
  }
}

function pairs(
  option: string,
  texts: readonly string[],
  names: readonly string[],
): Record<string, string> {
  const entries = texts.map((text) => {
    const at = text.indexOf('=')
    const name = at < 0 ? text : text.slice(0, at)
    if (at < 0 || !names.includes(name))
      throw usageError(
        `${option} was "${text}"`,
        didYouMean(name, names, `Write ${option} NAME=VALUE with a name of ${names.join(', ')}.`),
      )
    return [name, text.slice(at + 1)] as const
  })
  return Object.fromEntries(entries)
}
