/** What flags and environment variables say about the target. */
import type { ParseArgsOptionsConfig } from 'node:util'
import { CAPABILITIES, ROLES, type Capability, type Role } from '../../contract/capabilities.ts'
import { nearest, didYouMean } from '../nearest.ts'
import type { TargetProblem } from './problems.ts'
import { quoteSafely } from './secrets.ts'
import type { Target } from './target.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What the command line says about the target. */
export type TargetFlags = {
  /** Path of the target file. */
  readonly target?: string | undefined
  readonly baseUrl?: string | undefined
  readonly name?: string | undefined
  readonly environment?: string | undefined
  readonly timing?: string | undefined
  /** Each entry may name several, separated by commas. */
  readonly capabilities?: readonly string[] | undefined
  readonly allowMissingCredentials?: boolean | undefined
  /** PEM files of a certificate that the harness shows, and of its key. */
  readonly clientCert?: string | undefined
  readonly clientKey?: string | undefined
  /** Only addresses of this family. */
  readonly ipv4?: boolean | undefined
  readonly ipv6?: boolean | undefined
}

/** For `parseArgs`; `targetFlags` reads its values. */
export const TARGET_OPTIONS = {
  target: { type: 'string' },
  'base-url': { type: 'string' },
  name: { type: 'string' },
  environment: { type: 'string' },
  timing: { type: 'string' },
  capability: { type: 'string', multiple: true },
  'allow-missing-credentials': { type: 'boolean' },
  'client-cert': { type: 'string' },
  'client-key': { type: 'string' },
  ipv4: { type: 'boolean' },
  ipv6: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

type OptionValues = {
  readonly [name in keyof typeof TARGET_OPTIONS]?: string | boolean | string[] | undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function targetFlags(values: OptionValues): TargetFlags {
  const { capability } = values
  return {
    target: text(values.target),
    baseUrl: text(values['base-url']),
    name: text(values.name),
    environment: text(values.environment),
    timing: text(values.timing),
    capabilities: Array.isArray(capability) ? capability : undefined,
    allowMissingCredentials: values['allow-missing-credentials'] === true,
    clientCert: text(values['client-cert']),
    clientKey: text(values['client-key']),
    ipv4: values.ipv4 === true,
    ipv6: values.ipv6 === true,
  }
}

/** Environment variables other than keys, and the setting that each gives. */
export const TARGET_VARIABLES = {
  target: 'ORDERING_TARGET',
  baseUrl: 'ORDERING_BASE_URL',
  name: 'ORDERING_NAME',
  environment: 'ORDERING_ENVIRONMENT',
  timing: 'ORDERING_TIMING',
  capabilities: 'ORDERING_CAPABILITIES',
  clientCert: 'ORDERING_CLIENT_CERT',
  clientKey: 'ORDERING_CLIENT_KEY',
} as const

/** The variable that gives the token of a control side which asks for one. */
export const CONTROL_TOKEN_VARIABLE = 'ORDERING_CONTROL_TOKEN'

/** The variable that gives the key of role full where only one key is at hand. */
export const KEY_VARIABLE = 'ORDERING_KEY'

const KEY_PREFIX = `${KEY_VARIABLE}_`
const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** `ORDERING_KEY_BLOCKED_UNSCOPED` for the role `blocked-unscoped`. A key that no target names has none; this says what it is. */
export function keyVariable(role: Role | 'none' | 'invented'): string {
  return KEY_PREFIX + role.toUpperCase().replaceAll('-', '_')
}

/** A variable's value; empty counts as unset. */
export function variable(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  return value === '' ? undefined : value
}

/** One setting, with where it was given. */
export type Setting<T> = {
  readonly value: T
  readonly origin: 'flag' | 'environment'
  readonly place: string
}

/** Settings given by flag or environment; a flag wins. */
export type Settings = {
  readonly target?: Setting<string>
  readonly baseUrl?: Setting<string>
  readonly name?: Setting<string>
  readonly environment?: Setting<Target['environment']>
  readonly timing?: Setting<Target['timing']>
  readonly capabilities?: Setting<readonly Capability[]>
}

function textSetting(
  flag: string | undefined,
  flagName: string,
  env: Environment,
  name: string,
): Setting<string> | undefined {
  if (flag !== undefined) return { value: flag, origin: 'flag', place: flagName }
  const value = variable(env, name)
  return value === undefined ? undefined : { value, origin: 'environment', place: name }
}

function oneOf<T extends string>(
  setting: Setting<string> | undefined,
  allowed: readonly T[],
  problems: TargetProblem[],
): Setting<T> | undefined {
  if (setting === undefined) return undefined
  const value = allowed.find((each) => each === setting.value)
  if (value !== undefined) return { ...setting, value }
  problems.push({
    code: 'E_USAGE',
    place: setting.place,
    message: `got ${quoteSafely(setting.value)}; expected one of ${allowed.join(', ')}.`,
    fix: didYouMean(setting.value, allowed, 'Choose one of these.'),
  })
  return undefined
}

function capabilitySetting(
  flags: TargetFlags,
  env: Environment,
  problems: TargetProblem[],
): Setting<readonly Capability[]> | undefined {
  const given = flags.capabilities?.length ? flags.capabilities.join(',') : undefined
  const setting = textSetting(given, '--capability', env, TARGET_VARIABLES.capabilities)
  if (setting === undefined) return undefined
  const names = setting.value.split(',').map((name) => name.trim())
  const known = names.flatMap(
    (name) => oneOf({ ...setting, value: name }, CAPABILITIES, problems) ?? [],
  )
  return { ...setting, value: known.map((each) => each.value) }
}

function present<T extends object>(settings: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Reads and checks what flags and environment say; what is wrong goes into `problems`. */
export function readSettings(
  flags: TargetFlags,
  env: Environment,
  problems: TargetProblem[],
): Settings {
  const names = TARGET_VARIABLES
  const environment = textSetting(flags.environment, '--environment', env, names.environment)
  const timing = textSetting(flags.timing, '--timing', env, names.timing)
  const settings = {
    target: textSetting(flags.target, '--target', env, names.target),
    baseUrl: textSetting(flags.baseUrl, '--base-url', env, names.baseUrl),
    name: textSetting(flags.name, '--name', env, names.name),
    environment: oneOf(environment, ['sandbox', 'production'] as const, problems),
    timing: oneOf(timing, ['strict', 'partner'] as const, problems),
    capabilities: capabilitySetting(flags, env, problems),
  }
  for (const setting of [settings.target, settings.baseUrl, settings.name])
    if (setting?.value.trim() === '')
      problems.push({
        code: 'E_USAGE',
        place: setting.place,
        message: 'got an empty text.',
        fix: `Give ${setting.place} a value or leave it out.`,
      })
  return present(settings) as Settings
}

/** A key that an environment variable gives by its name alone. */
export type GivenKey = { readonly role: Role; readonly env: string; readonly secret: string }

/** Keys in ORDERING_KEY and ORDERING_KEY_<ROLE>. */
export function readKeyVariables(env: Environment, problems: TargetProblem[]): readonly GivenKey[] {
  const keys = ROLE_NAMES.flatMap((role): GivenKey[] => {
    const secret = variable(env, keyVariable(role))
    return secret === undefined ? [] : [{ role, env: keyVariable(role), secret }]
  })
  const plain = variable(env, KEY_VARIABLE)
  if (plain === undefined) return keys
  const full = keys.find((key) => key.role === 'full')
  if (full === undefined) return [{ role: 'full', env: KEY_VARIABLE, secret: plain }, ...keys]
  if (full.secret !== plain)
    problems.push({
      code: 'E_USAGE',
      place: KEY_VARIABLE,
      message: `${KEY_VARIABLE} and ${full.env} both give the key of role "full", and they differ.`,
      fix: 'Unset one of them.',
    })
  return keys
}

/** Variables that look as if they were meant for us but are none of ours, with the name that was probably meant. */
export function misspeltVariables(env: Environment): readonly string[] {
  const known = [
    ...Object.values(TARGET_VARIABLES),
    KEY_VARIABLE,
    CONTROL_TOKEN_VARIABLE,
    ...ROLE_NAMES.map((role) => keyVariable(role)),
  ]
  return Object.keys(env)
    .filter((name) => name.startsWith('ORDERING_') && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(
        name.slice('ORDERING_'.length),
        known.map((each) => each.slice('ORDERING_'.length)),
      )
      return meant === undefined
        ? []
        : [`${name} is not read; ORDERING_${meant} is. Was that meant?`]
    })
}
