import type { readPage } from '../command-line.ts'
import { usageError } from '../errors.ts'
import { WORKLOADS, type WorkloadChoice } from '../load/open-model/workloads.ts'
import { parseDuration, parseLoadGoals } from '../load/shared/goals.ts'
import { LOAD_OPERATIONS } from '../load/open-model/operation-figures.ts'
import { outputProblem } from '../load/k6/k6-outputs.ts'
import { parseMarks, type Marks } from '../load/k6/marks.ts'
import { readStages } from '../load/open-model/stages-file.ts'
import type { Mix } from '../load/open-model/plan.ts'
import { didYouMean } from '../nearest.ts'
import { USUAL, type RUN_PAGE } from './pages.ts'

export type LoadOptions = {
  readonly workload: WorkloadChoice
  /** Texts for k6's own --out. */
  readonly outputs: readonly string[]
  readonly marks: Marks
  /** A process on this machine, to be watched. */
  readonly watchPid?: number
}

type Values = ReturnType<typeof readPage<typeof RUN_PAGE>>['values']

const SECONDS_MAX = 24 * 3600
const RATE_MAX = 10_000

/** Throws E_USAGE with what was given and what is understood. */
export function loadOptions(values: Values): LoadOptions {
  const { workload = USUAL.workload, seconds, rate, out = [] } = values
  const known = WORKLOADS.find((each) => each === workload)
  if (!known)
    throw usageError(
      `--workload was "${workload}"`,
      didYouMean(workload, [...WORKLOADS], `Choose from ${WORKLOADS.join(', ')}.`),
    )
  for (const output of out) {
    const problem = outputProblem(output)
    if (problem !== undefined)
      throw usageError(`--out was "${output}": ${problem.message}`, problem.nextStep)
  }
  return {
    workload: {
      workload: known,
      ...(seconds === undefined ? {} : { seconds: numberOf('--seconds', seconds, SECONDS_MAX) }),
      ...(rate === undefined ? {} : { requestsPerSecond: numberOf('--rate', rate, RATE_MAX) }),
      ...stagesOf(values),
      ...thinkTime(values['think-time']),
      ...mixOf(values.mix),
      ...(values.goal && { goals: parseLoadGoals(values.goal, LOAD_OPERATIONS) }),
    },
    outputs: out,
    marks: parseMarks(values),
    ...watchPid(values['watch-pid']),
  }
}

/** Stages say how many and for how long; only stress goes with them, for it permits more than the windows admit. */
function stagesOf({ stages, workload, seconds, rate }: Values): Pick<WorkloadChoice, 'stages'> {
  if (stages === undefined) return {}
  if (seconds !== undefined || rate !== undefined || (workload ?? 'stress') !== 'stress')
    throw usageError(
      '--stages was given with --workload, --seconds or --rate',
      'The stages say how many requests and for how long. Only --workload stress goes with them: it lets them ask for more than the windows admit.',
    )
  return { stages: readStages(stages) }
}

/** Clients by the words of the command line. */
const MIX_KINDS = { browse: 'browse', buy: 'buyer', checkout: 'shopper' } as const

/** `browse=7,buy=2,checkout=1`: a whole number for each kind. */
function mixOf(text: string | undefined): Pick<WorkloadChoice, 'mix'> {
  if (text === undefined) return {}
  const mix = text.split(',').map((part) => {
    const [, name = '', weight = ''] = /^\s*([a-z]+)=([1-9]\d{0,2})\s*$/.exec(part) ?? []
    return { kind: Object.entries(MIX_KINDS).find(([each]) => each === name)?.[1], weight }
  })
  const kinds = mix.flatMap(({ kind, weight }) =>
    kind === undefined ? [] : [{ kind, weight: Number(weight) }],
  )
  if (mix.length === 1 && kinds[0]?.kind === 'browse')
    throw usageError('--mix has clients that browse alone', 'Say --scenario browse instead.')
  if (kinds.length === mix.length && new Set(kinds.map(({ kind }) => kind)).size === mix.length)
    return { mix: kinds }
  throw usageError(
    `--mix was "${text}", shares of ${Object.keys(MIX_KINDS).join(', ')} were expected`,
    'Write for example --mix browse=7,buy=2,checkout=1.',
  )
}

/** A mix as --mix takes it. */
export function mixText(mix: Mix): string {
  const named = mix.map(({ kind, weight }) => {
    const [name] = Object.entries(MIX_KINDS).find(([, each]) => each === kind) ?? [kind]
    return `${name}=${weight}`
  })
  return named.join(',')
}

const THINK_MS = { min: 10, max: 60_000 } as const

function thinkTime(text: string | undefined): Pick<WorkloadChoice, 'thinkSeconds'> {
  if (text === undefined) return {}
  const milliseconds = parseDuration(text) ?? 0
  if (milliseconds >= THINK_MS.min && milliseconds <= THINK_MS.max)
    return { thinkSeconds: milliseconds / 1000 }
  throw usageError(
    `--think-time was "${text}", a time from ${THINK_MS.min}ms to ${THINK_MS.max / 1000}s was expected`,
    'Write for example --think-time 500ms.',
  )
}

function watchPid(text: string | undefined): Pick<LoadOptions, 'watchPid'> {
  if (text === undefined) return {}
  if (/^[1-9]\d{0,8}$/.test(text)) return { watchPid: Number(text) }
  throw usageError(
    `--watch-pid was "${text}", the id of a process was expected`,
    'Write for example --watch-pid 4711.',
  )
}

function numberOf(flag: string, text: string, max: number): number {
  const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= max) return value
  throw usageError(`${flag} was "${text}", a number above 0 and up to ${max} was expected`)
}
