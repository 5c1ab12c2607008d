import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'
import { isAsSealed } from '../record/digest.ts'
import { readRecord } from '../record/read.ts'

export type BaselineWanted = {
  /** Selected load scenarios. */
  readonly scenarios: readonly string[]
  readonly workload: string
  readonly harnessVersion: string
  /** Whether figures of load have to be compared. */
  readonly isRegressionBounded?: boolean
}

/**
 * Reads the record of an earlier run to compare with. Throws E_BASELINE where it is none, or an edited or a partial one. Figures of load
 * are measured by a run that passed alone, with the same scenarios and workload; checks are compared with whatever was decided before.
 * Sends nothing.
 */
export async function readBaseline(path: string, wanted: BaselineWanted): Promise<RunRecord> {
  const record = await readRecord(path).catch((error: unknown) => {
    throw refused(error instanceof HarnessError ? error.message : String(error))
  })
  const reason = whyNone(record, wanted)
  if (reason !== undefined) throw refused(`${path}: ${reason}`)
  return record
}

function whyNone(record: RunRecord, wanted: BaselineWanted): string | undefined {
  const { partial, exitCode, verdict, environment } = record
  if (partial) return 'the run was interrupted'
  if (wanted.scenarios.length === 0) return whyNoChecks(record, wanted)
  if (exitCode !== 0)
    return `the run ended with ${verdict} (exit ${exitCode}: ${record.exitReason})`
  const contradiction = contradictionIn(record)
  if (contradiction !== undefined) return `it says that the run passed, and ${contradiction}`
  if (majorOf(environment.harness) !== majorOf(wanted.harnessVersion))
    return `it was measured by version ${environment.harness} of the harness, this is ${wanted.harnessVersion}`
  return wanted.scenarios.map((scenario) => whyNoScenario(record, scenario, wanted)).find(Boolean)
}

function whyNoChecks(
  record: RunRecord,
  { isRegressionBounded }: BaselineWanted,
): string | undefined {
  if (isAsSealed(record) === false) return 'it was changed after it was written'
  return isRegressionBounded === true
    ? 'this run carries out no load scenario whose figures could be compared'
    : undefined
}

/** What no run writes that passed: such a file was edited. */
function contradictionIn(record: RunRecord): string | undefined {
  const { verdict, problems, requirements, checks, load } = record
  if (isAsSealed(record) === false) return 'that it was changed after it was written'
  if (verdict !== 'pass' && verdict !== 'warn') return `that its verdict is ${verdict}`
  const [problem] = problems
  if (problem) return `that something went wrong (${problem.code})`
  const results = [
    ...requirements,
    ...checks,
    ...load.map((each) => ({ ...each, id: each.scenario })),
  ]
  const red = results.find((each) => each.verdict === 'fail')
  if (red) return `that ${red.id} failed`
  const odd = load.find(
    ({ repeats }) => repeats && repeats.every((each) => each.verdict !== 'pass'),
  )
  return odd && `that no repeat of ${odd.scenario} passed`
}

function whyNoScenario(
  { load }: RunRecord,
  scenario: string,
  { workload }: BaselineWanted,
): string | undefined {
  const result = load.find((each) => each.scenario === scenario)
  if (result === undefined)
    return `it holds no ${scenario}, but ${load.map((each) => each.scenario).join(', ') || 'no load scenario at all'}`
  if (result.verdict !== 'pass')
    return `its ${scenario} ended with ${result.verdict}: ${result.reason}`
  if (result.workload !== undefined && result.workload !== workload)
    return `its ${scenario} ran with the workload ${result.workload}, not ${workload}`
  return undefined
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}

type Setting = Pick<RunRecord['target'], 'name' | 'baseUrl' | 'kind' | 'environment' | 'timing'> & {
  readonly limits: Readonly<
    Record<string, { readonly count: number; readonly windowSeconds: number }>
  >
}

/** Throws E_BASELINE where the run measures another target, or other limits. An embedded service or a container is on another port every time. */
export function requireSameSetting({ target: before }: RunRecord, now: Setting): void {
  const names = ['name', 'kind', 'environment', 'timing', 'baseUrl'] as const
  for (const name of names) {
    if (name === 'baseUrl' && now.kind !== 'url') continue
    if (before[name] !== now[name])
      throw refused(`the ${name} of its target is ${before[name]}, not ${now[name]}`)
  }
  const buckets = new Set([...Object.keys(before.limits), ...Object.keys(now.limits)])
  for (const bucket of buckets) {
    const [was, is] = [before.limits[bucket], now.limits[bucket]].map(limitText)
    if (was !== is) throw refused(`its limit of ${bucket} is ${was}, not ${is}`)
  }
}

function limitText(limit: Setting['limits'][string] | undefined): string {
  return limit === undefined ? 'unknown' : `${limit.count} per ${limit.windowSeconds} s`
}

/** What makes figures differ although the target is the same; undefined where nothing is known to. */
export function otherMachine(
  { environment: before }: RunRecord,
  now: Pick<RunRecord['environment'], 'platform' | 'cpus'>,
): string | undefined {
  const text = ({ platform, cpus }: typeof now): string => `${platform}, ${cpus} CPUs`
  return text(before) === text(now)
    ? undefined
    : `The baseline was measured from another kind of machine (${text(before)}; this is ${text(now)}).`
}

function refused(message: string): HarnessError {
  return new HarnessError(
    'E_BASELINE',
    `It cannot be the baseline: ${message}.`,
    'Take the run.json of a run that passed, of the same target, limits, scenarios and workload, or measure a new one with --repeats.',
  )
}
