/** What flags and environment variables say about the target. */
import { CAPABILITIES, ROLES, type Capability, type Role } from '../../contract/capabilities.ts'
import { flag, text, texts } from '../help-page.ts'
import { nearest, didYouMean } from '../nearest.ts'
import type { TargetProblem } from './problems.ts'
import { quoteSafely } from './secrets.ts'
import { WAIT_SECONDS_MAX, type Target } from './target.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What the command line says about the target. */
export type TargetFlags = {
  /** Path of the target file. */
  readonly target?: string | undefined
  readonly baseUrl?: string | undefined
  readonly name?: string | undefined
  readonly environment?: string | undefined
  readonly timing?: string | undefined
  readonly replayAfter?: string | undefined
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

/** Environment variables other than keys, and the setting that each gives. */
export const TARGET_VARIABLES = {
  target: 'ORDERING_TARGET',
  baseUrl: 'ORDERING_BASE_URL',
  name: 'ORDERING_NAME',
  environment: 'ORDERING_ENVIRONMENT',
  timing: 'ORDERING_TIMING',
  replayAfter: 'ORDERING_REPLAY_AFTER',
  capabilities: 'ORDERING_CAPABILITIES',
  clientCert: 'ORDERING_CLIENT_CERT',
  clientKey: 'ORDERING_CLIENT_KEY',
} as const

/** The variable that gives the key of role full where only one key is at hand. */
export const KEY_VARIABLE = 'ORDERING_KEY'

/** The options of the target; `targetFlags` reads their values. */
export const TARGET_OPTIONS = {
  target: text(
    'FILE',
    `the target file, which says what the harness has to know (targets/README.md); variable ${TARGET_VARIABLES.target}`,
  ),
  'base-url': text('URL', `its address, without /api/v1; variable ${TARGET_VARIABLES.baseUrl}`),
  name: text('NAME', `the target's name in reports; variable ${TARGET_VARIABLES.name}`, 'its host'),
  environment: text(
    'KIND',
    `sandbox: purchases and load are permitted; production: only with the options under Permission. Not given: this machine (loopback) is a sandbox, any other is production; variable ${TARGET_VARIABLES.environment}`,
  ),
  timing: text(
    'KIND',
    `tolerance for late answers and clocks: strict 50 ms, partner 250 ms; variable ${TARGET_VARIABLES.timing}`,
    'partner',
  ),
  'replay-after': text(
    'SECONDS',
    `how long checks of late replays wait before they send a purchase again, at most ${WAIT_SECONDS_MAX}; variable ${TARGET_VARIABLES.replayAfter}`,
    'one window',
  ),
  capability: texts(
    'A,B',
    `optional parts that the target has, such as platform-gift; variable ${TARGET_VARIABLES.capabilities}`,
  ),
  'allow-missing-credentials': flag(
    'go on without keys whose variables are not set; their checks are untested',
  ),
  'client-cert': text(
    'FILE',
    `a client certificate (PEM); variable ${TARGET_VARIABLES.clientCert}`,
  ),
  'client-key': text('FILE', `its key, PEM; variable ${TARGET_VARIABLES.clientKey}`),
  ipv4: flag('only addresses of IPv4'),
  ipv6: flag('only addresses of IPv6'),
} as const

export const TARGET = {
  title: 'Target',
  about: `If a value is set in several places, the first of these wins: option, variable, target file, default.
Keys come from variables: ${KEY_VARIABLE} is the key with all scopes; ${KEY_VARIABLE}_<ROLE> are those of other roles.
HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS hold for checks and k6 alike; loopback is never proxied.`,
  options: TARGET_OPTIONS,
} as const

type OptionValues = {
  readonly [name in keyof typeof TARGET_OPTIONS]?: string | boolean | string[] | undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function targetFlags(values: OptionValues): TargetFlags {
  const { capability } = values
  return {
    target: textOf(values.target),
    baseUrl: textOf(values['base-url']),
    name: textOf(values.name),
    environment: textOf(values.environment),
    timing: textOf(values.timing),
    replayAfter: textOf(values['replay-after']),
    capabilities: Array.isArray(capability) ? capability : undefined,
    allowMissingCredentials: values['allow-missing-credentials'] === true,
    clientCert: textOf(values['client-cert']),
    clientKey: textOf(values['client-key']),
    ipv4: values.ipv4 === true,
    ipv6: values.ipv6 === true,
  }
}

/** The variable that gives the token of a control side which asks for one. */
export const CONTROL_TOKEN_VARIABLE = 'ORDERING_CONTROL_TOKEN'

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
  readonly replayAfter?: Setting<number>
  readonly capabilities?: Setting<readonly Capability[]>
}

/** A text that an option gives, or a variable. */
type Given = {
  readonly flag: string | undefined
  readonly option: `--${string}`
  readonly variable: string
}

function textSetting(env: Environment, given: Given): Setting<string> | undefined {
  const { flag, option, variable: name } = given
  if (flag !== undefined) return { value: flag, origin: 'flag', place: option }
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

function secondsOf(
  setting: Setting<string> | undefined,
  problems: TargetProblem[],
): Setting<number> | undefined {
  if (setting === undefined) return undefined
  const value = /^\d{1,3}$/.test(setting.value) ? Number(setting.value) : 0
  if (value >= 1 && value <= WAIT_SECONDS_MAX) return { ...setting, value }
  problems.push({
    code: 'E_USAGE',
    place: setting.place,
    message: `got ${quoteSafely(setting.value)}; expected whole seconds from 1 to ${WAIT_SECONDS_MAX}.`,
    fix: 'Write 301 for a little more than five minutes.',
  })
  return undefined
}

function capabilitySetting(
  flags: TargetFlags,
  env: Environment,
  problems: TargetProblem[],
): Setting<readonly Capability[]> | undefined {
  const given = flags.capabilities?.length ? flags.capabilities.join(',') : undefined
  const setting = textSetting(env, {
    flag: given,
    option: '--capability',
    variable: TARGET_VARIABLES.capabilities,
  })
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
  const read = (
    name: Exclude<keyof Settings, 'capabilities'>,
    option: Given['option'],
  ): Setting<string> | undefined =>
    textSetting(env, { flag: flags[name], option, variable: TARGET_VARIABLES[name] })
  const settings = {
    target: read('target', '--target'),
    baseUrl: read('baseUrl', '--base-url'),
    name: read('name', '--name'),
    environment: oneOf(
      read('environment', '--environment'),
      ['sandbox', 'production'] as const,
      problems,
    ),
    timing: oneOf(read('timing', '--timing'), ['strict', 'partner'] as const, problems),
    replayAfter: secondsOf(read('replayAfter', '--replay-after'), problems),
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
