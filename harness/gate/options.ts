import { readPage } from '../command-line.ts'
import { usageError } from '../errors.ts'
import { parseMoney, type Micros } from '../money.ts'
import { didYouMean } from '../nearest.ts'
import { targetFlags, type TargetFlags } from '../target-file/options.ts'
import { baselineOptions, type BaselineOptions } from '../baseline/options.ts'
import { loadOptions, type LoadOptions } from './load-options.ts'
import { RUN_PAGE, USUAL } from './pages.ts'
import { parseUnderLoad, type UnderLoadChoice } from '../load/under-load/workload.ts'
import { isProfile, PROFILES, type Profile } from './profiles.ts'

type OptionGroups = LoadOptions & BaselineOptions

/** The command line of a run, understood but not yet held against a target. */
export type RunOptions = OptionGroups & {
  readonly command: 'gate' | 'conformance' | 'load'
  /** What the command line says about the target. */
  readonly target: TargetFlags
  /** A container image to start and judge in the place of a target that runs already. */
  readonly image?: string
  readonly profile: Profile
  readonly only: readonly string[]
  readonly lastFailed: boolean
  /** A list of known failures, YAML or JSON. */
  readonly knownFailuresFile?: string
  readonly scenarios: readonly string[]
  readonly faults: readonly string[]
  readonly windowSeconds: number
  readonly reportsDir: string
  /** Where this run is written, in the place of a directory of its own under `reportsDir`. */
  readonly runDir?: string
  /** The verdict as JSON on standard output, in the place of words. */
  readonly json: boolean
  /** What the run is about, as the caller names it: service, commit, build. */
  readonly labels: Readonly<Record<string, string>>
  readonly floor: number
  readonly allowPurchases: boolean
  readonly ordersMax?: number
  readonly spendMax?: { readonly currency: string; readonly micros: Micros }
  readonly allowLoad: boolean
  readonly requestsMax: number
  /** Whether it was said, so that it holds on loopback too. */
  readonly requestsMaxStated: boolean
  /** Longest that the run may take by its plan, and the load in fact. */
  readonly secondsMax?: number
  readonly load: boolean
  /** What other accounts do while the checks run. */
  readonly underLoad?: UnderLoadChoice
  /** k6 processes that share each load scenario. */
  readonly instances: number
  /** Where to lay the load scenarios out instead of carrying them out. */
  readonly prepareDir?: string
  /** Where a prepared run lies, with its evidence, to be judged. */
  readonly judgeDir?: string
  /** Where to write the keys of a prepared run. */
  readonly keysFile?: string
  /** By how much the clocks of the machines of a prepared run differ at most. */
  readonly clockSkewMs: number
  readonly list: boolean
  readonly showOrigins: boolean
}

const INSTANCES_MAX = 64

/** Reads a command line. Throws E_USAGE with what was given and what is understood. */
export function parseRunOptions(
  command: RunOptions['command'],
  argv: readonly string[],
): RunOptions {
  const { values } = readPage(RUN_PAGE, argv)
  const ordersMax = wholeNumber('--max-orders', values['max-orders'], 1)
  const spendMax = money(values['max-spend'])
  const secondsMax = wholeNumber('--max-seconds', values['max-seconds'], 1)
  const allowPurchases = values['allow-purchases'] ?? false
  if (allowPurchases && (ordersMax === undefined || !spendMax))
    throw usageError(
      '--allow-purchases was given without --max-orders N and --max-spend CUR:AMOUNT',
      'State how many orders and how much money the run may spend, for example --max-orders 40 --max-spend USD:25.00.',
    )
  return {
    command,
    target: targetFlags(values),
    ...(values.image === undefined ? {} : { image: imageName(values.image) }),
    profile: profileOf(values.profile),
    only: split('--only', values.only),
    lastFailed: values['last-failed'] ?? false,
    ...(values['known-failures'] === undefined
      ? {}
      : { knownFailuresFile: values['known-failures'] }),
    scenarios: split('--scenario', values.scenario),
    faults: split('--fault', values.fault),
    windowSeconds:
      wholeNumber('--window-seconds', values['window-seconds'], 1) ?? USUAL.windowSeconds,
    reportsDir: values.reports ?? USUAL.reportsDir,
    ...(values['run-dir'] === undefined ? {} : { runDir: directory(values['run-dir']) }),
    labels: labelsOf(values.label),
    json: values.json ?? false,
    floor: percent(values.floor),
    allowPurchases,
    ...(ordersMax === undefined ? {} : { ordersMax }),
    ...(spendMax ? { spendMax } : {}),
    ...(secondsMax === undefined ? {} : { secondsMax }),
    allowLoad: values['allow-load'] ?? false,
    requestsMax: wholeNumber('--max-requests', values['max-requests'], 1) ?? USUAL.requestsMax,
    requestsMaxStated: values['max-requests'] !== undefined,
    load: !(values['no-load'] ?? false) && command !== 'conformance',
    ...underLoadOf(command, values['under-load']),
    ...loadOptions(values),
    ...baselineOptions(values),
    ...distribution(command, values),
    list: values.list ?? false,
    showOrigins: values['show-origins'] ?? false,
  }
}

type Values = ReturnType<typeof readPage<typeof RUN_PAGE>>['values']

/** Load beside the checks: the command load has none. */
function underLoadOf(
  command: RunOptions['command'],
  text: string | undefined,
): Pick<RunOptions, 'underLoad'> {
  if (text === undefined) return {}
  if (command === 'load')
    throw usageError(
      '--under-load was given to load, which carries out no checks',
      'Say npm run gate -- --under-load WORKLOAD, or npm run conformance -- --under-load WORKLOAD.',
    )
  return { underLoad: parseUnderLoad(text) }
}

/** Load that other machines carry out, or several processes. */
function distribution(
  command: RunOptions['command'],
  values: Values,
): Pick<RunOptions, 'instances' | 'prepareDir' | 'judgeDir' | 'keysFile' | 'clockSkewMs'> {
  const { prepare, judge, 'keys-file': keysFile } = values
  if (command !== 'load' && (prepare !== undefined || judge !== undefined))
    throw usageError(
      '--prepare or --judge was given without load',
      'Say npm run load -- --prepare DIR.',
    )
  if (prepare !== undefined && judge !== undefined)
    throw usageError('--prepare and --judge were given together', 'Prepare, carry out, then judge.')
  if ((prepare ?? judge) !== undefined && (values.repeats ?? values.baseline) !== undefined)
    throw usageError(
      '--repeats or --baseline was given with --prepare or --judge',
      'Compare runs that this command carries out itself.',
    )
  if (keysFile !== undefined && prepare === undefined)
    throw usageError('--keys-file was given without --prepare')
  if ([prepare, judge, keysFile].includes(''))
    throw usageError('--prepare, --judge or --keys-file was given without a name')
  const instances = wholeNumber('--instances', values.instances, 1) ?? USUAL.instances
  if (instances > INSTANCES_MAX)
    throw usageError(`--instances was ${instances}, at most ${INSTANCES_MAX} are possible`)
  return {
    instances,
    ...(prepare === undefined ? {} : { prepareDir: prepare }),
    ...(judge === undefined ? {} : { judgeDir: judge }),
    ...(keysFile === undefined ? {} : { keysFile }),
    clockSkewMs: wholeNumber('--clock-skew-ms', values['clock-skew-ms'], 0) ?? USUAL.clockSkewMs,
  }
}

function profileOf(text: string | undefined): Profile {
  if (text === undefined) return USUAL.profile
  if (isProfile(text)) return text
  const names = Object.keys(PROFILES)
  throw usageError(
    `--profile was "${text}"`,
    didYouMean(text, names, `Choose from ${names.join(', ')}.`),
  )
}

function wholeNumber(flag: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) < min)
    throw usageError(`${flag} was "${text}", a whole number of ${min} or more was expected`)
  return Number(text)
}

function percent(text: string | undefined): number {
  if (text === undefined) return USUAL.floorPercent / 100
  const value = /^\d{1,3}(\.\d{1,3})?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (!(value >= 1 && value <= 100))
    throw usageError(
      `--floor was "${text}", a percentage from 1 to 100 was expected`,
      'Write 90 for ninety per cent.',
    )
  return value / 100
}

function money(text: string | undefined): RunOptions['spendMax'] {
  if (text === undefined) return undefined
  const match = /^([A-Z]{3}):(.+)$/.exec(text)
  const micros = parseMoney(match?.[2])
  if (!match?.[1] || micros === undefined || micros < 0n)
    throw usageError(`--max-spend was "${text}", CUR:AMOUNT such as USD:25.00 was expected`)
  return { currency: match[1], micros }
}

function imageName(text: string): string {
  if (text.trim() === '') throw usageError('--image was given without a name')
  return text.trim()
}

function directory(text: string): string {
  if (text.trim() === '') throw usageError('--run-dir was given without a name')
  return text
}

const LABELS_MAX = 20
const LABEL_CHARACTERS_MAX = 200

function labelsOf(values: readonly string[] | undefined): Record<string, string> {
  const labels = split('--label', values).map((text) => {
    const match = /^([\w.-]{1,40})=(.*)$/.exec(text)
    const [, name, value = ''] = match ?? []
    if (name === undefined || value.length > LABEL_CHARACTERS_MAX)
      throw usageError(
        `--label was "${text.slice(0, LABEL_CHARACTERS_MAX)}", NAME=VALUE was expected`,
        'Write --label service=orders,commit=4f2a91c.',
      )
    return [name, value] as const
  })
  if (labels.length > LABELS_MAX)
    throw usageError(`${labels.length} labels were given, at most ${LABELS_MAX} are kept`)
  return Object.fromEntries(labels)
}

/** An empty list is refused: a variable of a CI job that is not set would otherwise select everything. */
function split(flag: string, values: readonly string[] | undefined): string[] {
  const words = (values ?? []).map((value) => value.split(',').map((word) => word.trim()))
  if (words.some((each) => each.every((word) => word === '')))
    throw usageError(`${flag} was given without a name`)
  return words.flat().filter((word) => word !== '')
}
