/** Flag beats environment beats file beats default; where every value came from is kept. */
import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import type { Operation as FileOperation, TargetFile } from '../../schemas/generated/target.ts'
import { withAdmission } from './admission.ts'
import { currencyCode } from '../money.ts'
import { isLoopback } from '../network/loopback.ts'
import { readBaseUrl } from './base-url.ts'
import { findCredentials } from './credentials.ts'
import {
  DEFAULT_CAPABILITIES,
  DEFAULT_ENVIRONMENT,
  DEFAULT_TIMING,
  defaultOperation,
} from './defaults.ts'
import {
  misspeltVariables,
  readKeyVariables,
  readSettings,
  TARGET_VARIABLES,
  variable,
  type Environment,
  type Setting,
  type Settings,
  type TargetFlags,
} from './options.ts'
import { proxyHazards, readNetwork } from './network.ts'
import { throwProblems, type TargetProblem } from './problems.ts'
import { brokenRules } from './rules.ts'
import { loadTargetFile, type LoadedFile } from './target-file.ts'
import type { Origin, Product, Target, TargetOperation } from './target.ts'
import { windowSelectors } from './windows-pattern.ts'

export type ResolveOptions = {
  readonly flags: TargetFlags
  readonly env: Environment
  /** What a relative `--target` is taken from. */
  readonly cwd: string
}

/** A target, with what could void a verdict about it. */
export type ResolvedTarget = Target & { readonly hazards: readonly string[] }

type Origins = Record<string, Origin>

const NO_FILE: LoadedFile = { file: {}, place: () => 'target', lines: {}, problems: [] }

/** Whether flags or environment name a target at all; without one, the caller starts the embedded service. */
export function isTargetNamed({ flags, env }: Pick<ResolveOptions, 'flags' | 'env'>): boolean {
  const given = [
    flags.target,
    flags.baseUrl,
    ...[TARGET_VARIABLES.target, TARGET_VARIABLES.baseUrl].map((name) => variable(env, name)),
  ]
  return given.some((value) => value !== undefined)
}

/** The value that wins, noting its origin. */
function picking(origins: Origins) {
  return <T>(
    name: string,
    setting: Setting<T> | undefined,
    ofFile: T | undefined,
    byDefault: T,
  ): T => {
    origins[name] = setting?.origin ?? (ofFile === undefined ? 'default' : 'file')
    return setting?.value ?? ofFile ?? byDefault
  }
}

function replayAfter(
  { replayAfter: setting }: Settings,
  { replayAfterSeconds: ofFile }: Partial<TargetFile>,
  origins: Origins,
): Pick<Target, 'replayAfterSeconds'> {
  if (setting === undefined && ofFile === undefined) return {}
  const replayAfterSeconds = picking(origins)('replayAfterSeconds', setting, ofFile, 0)
  return { replayAfterSeconds }
}

type Named = { readonly value: string; readonly origin: Origin; readonly place: string }

function namedBaseUrl(settings: Settings, loaded: LoadedFile): Named | undefined {
  if (settings.baseUrl) return settings.baseUrl
  const value = loaded.file.baseUrl
  return value === undefined
    ? undefined
    : { value, origin: 'file', place: loaded.place('/baseUrl') }
}

function resolveBaseUrl(
  settings: Settings,
  loaded: LoadedFile,
  origins: Origins,
  problems: TargetProblem[],
): string | undefined {
  const named = namedBaseUrl(settings, loaded)
  if (named === undefined) {
    if (loaded.problems.length === 0) problems.push(noBaseUrl(settings, loaded))
    return undefined
  }
  origins['baseUrl'] = named.origin
  const read = readBaseUrl(
    named.value,
    named.origin === 'file' ? 'E_TARGET_FILE_INVALID' : 'E_USAGE',
  )
  if ('url' in read) return read.url
  problems.push({ ...read.problem, place: named.place })
  return undefined
}

function noBaseUrl(settings: Settings, loaded: LoadedFile): TargetProblem {
  const hasFile = settings.target !== undefined
  return {
    code: hasFile ? 'E_TARGET_FILE_INVALID' : 'E_USAGE',
    place: hasFile ? loaded.place('') : 'target',
    message: 'no base URL is given.',
    fix: hasFile
      ? 'Add "baseUrl" to the file, or pass --base-url URL.'
      : 'Pass --base-url URL or --target FILE.',
  }
}

function resolveControl(
  loaded: LoadedFile,
  problems: TargetProblem[],
): { baseUrl: string } | undefined {
  const text = loaded.file.control?.baseUrl
  if (text === undefined) return undefined
  const read = readBaseUrl(text, 'E_TARGET_FILE_INVALID')
  if ('url' in read) return { baseUrl: read.url }
  problems.push({ ...read.problem, place: loaded.place('/control/baseUrl') })
  return undefined
}

/** One operation as the file describes it over its defaults. */
function resolveOperation(
  name: OperationName,
  described: FileOperation | undefined,
  origins: Origins,
): TargetOperation {
  const base = defaultOperation(name)
  const { windows, ...rest } = described ?? {}
  const ofFile = { ...windowSelectors(windows), ...rest.selectors }
  const note = (member: string, isOfFile: boolean): void => {
    origins[`operations.${name}.${member}`] = isOfFile ? 'file' : 'default'
  }
  const merged: TargetOperation = {
    ...base,
    ...rest,
    query: described?.query ?? base.query,
    bodies: described?.bodies ?? base.bodies,
    selectors: { ...base.selectors, ...ofFile },
  }
  if (merged.path !== undefined) note('path', described?.path !== undefined)
  if (merged.body !== undefined) note('body', described?.body !== undefined)
  for (const kind of Object.keys(merged.bodies)) note(`bodies.${kind}`, true)
  for (const parameter of Object.keys(merged.query)) note(`query.${parameter}`, true)
  for (const selector of Object.keys(merged.selectors))
    note(`selectors.${selector}`, ofFile[selector] !== undefined)
  return merged
}

function resolveOperations(file: Partial<TargetFile>, origins: Origins): Target['operations'] {
  const names = Object.keys(OPERATIONS) as OperationName[]
  return Object.fromEntries(
    names.map((name) => [name, resolveOperation(name, file.operations?.[name], origins)]),
  ) as Target['operations']
}

function resolveProducts(file: Partial<TargetFile>, origins: Origins): Target['products'] {
  const products = Object.entries(file.products ?? {}).map(
    ([ability, product]): [string, Product] => {
      origins[`products.${ability}`] = 'file'
      const currency = currencyCode(product.currency)
      const variables = product.variables ?? {}
      return [ability, { ...product, variables, ...(currency !== undefined && { currency }) }]
    },
  )
  return Object.fromEntries(products)
}

/** Marks the entries of a section that only a file can give. */
function noteFile(section: string, values: object | undefined, origins: Origins): void {
  for (const name of Object.keys(values ?? {})) origins[`${section}.${name}`] = 'file'
}

/** What an ability is bought for; its product is never used without the capability. */
const ABILITY_CAPABILITY: Readonly<Partial<Record<ProductAbility, Capability>>> = {
  voucher: 'shop',
  'voucher-async': 'async',
  'voucher-long': 'long-orders',
  dtu: 'dtu',
  quantity: 'quantity-items',
  esim: 'esim',
  'platform-gift': 'platform-gift',
}

function idleProducts(target: Target): string[] {
  return (Object.keys(target.products) as ProductAbility[]).flatMap((ability) => {
    const capability = ABILITY_CAPABILITY[ability]
    if (capability === undefined || target.capabilities.includes(capability)) return []
    return [
      `the product "${ability}" is never used: the target does not declare the capability "${capability}".`,
    ]
  })
}

function overruled(settings: Settings, loaded: LoadedFile): string[] {
  const ofFile = loaded.file.baseUrl
  if (settings.baseUrl === undefined || ofFile === undefined || settings.baseUrl.value === ofFile)
    return []
  return [
    `${settings.baseUrl.place} takes the place of the base URL of the target file; the keys are those of the file.`,
  ]
}

function unencrypted(baseUrl: string): string[] {
  if (!baseUrl.startsWith('http:') || isLoopback(baseUrl)) return []
  return ['the base URL is plain http: the keys cross the network unencrypted.']
}

function readFile(settings: Settings, cwd: string, problems: TargetProblem[]): LoadedFile {
  if (settings.target === undefined) return NO_FILE
  const loaded = loadTargetFile(settings.target.value, cwd)
  problems.push(...loaded.problems)
  for (const { pointer, what, message, fix } of brokenRules(loaded.file))
    problems.push({
      code: 'E_TARGET_FILE_INVALID',
      place: loaded.place(pointer, what),
      message,
      fix,
    })
  return loaded
}

/**
 * Resolves the target from flags, environment, file and defaults; sends nothing. Throws one HarnessError (exit 2) that names
 * every problem with its place and fix: E_TARGET_SECRET, E_TARGET_FILE_UNREADABLE, E_USAGE, E_TARGET_FILE_INVALID or
 * E_TARGET_ENV_MISSING, the first of these that holds.
 */
export function resolveTarget({ flags, env, cwd }: ResolveOptions): ResolvedTarget {
  const problems: TargetProblem[] = []
  const origins: Origins = {}
  const settings = readSettings(flags, env, problems)
  const loaded = readFile(settings, cwd, problems)
  const { file } = loaded
  const baseUrl = resolveBaseUrl(settings, loaded, origins, problems)
  const control = resolveControl(loaded, problems)
  const network =
    baseUrl === undefined ? undefined : readNetwork({ flags, env, cwd, baseUrl }, problems)
  const found = findCredentials(
    {
      file,
      place: loaded.place,
      given: readKeyVariables(env, problems),
      env,
      allowMissing: flags.allowMissingCredentials === true,
    },
    loaded.problems.length === 0,
  )
  throwProblems([...problems, ...found.problems])
  if (baseUrl === undefined) throw new Error('a target without a base URL passed its checks')
  const pick = picking(origins)
  const capabilities = pick(
    'capabilities',
    settings.capabilities,
    file.capabilities,
    DEFAULT_CAPABILITIES,
  )
  const target: Target = {
    name: pick('name', settings.name, file.name, new URL(baseUrl).host),
    kind: 'url',
    baseUrl,
    environment: pick('environment', settings.environment, file.environment, DEFAULT_ENVIRONMENT),
    timing: pick('timing', settings.timing, file.timing, DEFAULT_TIMING),
    ...(file.referenceForm !== undefined && { referenceForm: file.referenceForm }),
    ...replayAfter(settings, file, origins),
    capabilities: [...new Set<Capability>(['base', ...capabilities])],
    credentials: found.credentials,
    ...(found.moreKeys.length > 0 && { moreKeys: found.moreKeys }),
    products: resolveProducts(file, origins),
    limits: withAdmission(file.limits ?? {}),
    operations: resolveOperations(file, origins),
    answers: file.answers ?? {},
    ...(control === undefined ? {} : { control }),
    ...(network === undefined ? {} : { network }),
    ...(settings.target && { places: { file: settings.target.value, lines: loaded.lines } }),
    origins,
    faults: [],
  }
  Object.assign(origins, found.origins)
  noteFile('limits', target.limits, origins)
  noteFile('answers', file.answers, origins)
  if (control !== undefined) origins['control'] = 'file'
  for (const name of Object.keys(network ?? {})) origins[`network.${name}`] = 'flag'
  if (network?.clientCertFile !== undefined)
    for (const [flag, name] of [
      ['clientCert', 'clientCertFile'],
      ['clientKey', 'clientKeyFile'],
    ] as const)
      if (flags[flag] === undefined) origins[`network.${name}`] = 'environment'
  const hazards = [
    ...overruled(settings, loaded),
    ...unencrypted(baseUrl),
    ...proxyHazards(baseUrl, env),
    ...found.hazards,
    ...idleProducts(target),
    ...misspeltVariables(env),
  ]
  return { ...target, hazards }
}
