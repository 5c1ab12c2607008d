import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'
import { recordsIn } from '../record/runs.ts'
import { isTargetNamed, resolveTarget } from '../target-file/resolve.ts'
import type { RunOptions } from './options.ts'

const RED = ['fail', 'error', 'inconclusive']
const DECIDED = ['pass', 'warn', 'fail']

type Options = Pick<RunOptions, 'reportsDir' | 'target' | 'image' | 'faults'>

/**
 * Ids of the checks and scenarios that were red, or blocked by what was, in the newest run of the same target that decided anything:
 * a run that never reached it, or one of another server, says nothing of what was red here.
 */
export function lastFailed(
  options: Options,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const isSame = sameTarget(options, env)
  const record = recordsIn(options.reportsDir).find(
    (each) => isSame(each.target) && hasDecided(each),
  )
  if (!record)
    throw new HarnessError(
      'E_SELECTION_EMPTY',
      `there is no run of this target under ${options.reportsDir} that decided anything, so --last-failed selects nothing`,
      'Run everything once, or name the directory with --reports.',
    )
  const red = [
    ...record.checks
      .filter(({ verdict, blockedBy }) => RED.includes(verdict) || blockedBy !== undefined)
      .map(({ id }) => id),
    ...record.load.filter(({ verdict }) => RED.includes(verdict)).map(({ scenario }) => scenario),
  ]
  if (red.length > 0) return red
  throw new HarnessError(
    'E_SELECTION_EMPTY',
    `nothing was red in the last run of this target (${record.runId}), so --last-failed selects nothing`,
    'Run everything, without --last-failed.',
  )
}

function hasDecided({ checks, load }: RunRecord): boolean {
  return [...checks, ...load].some(({ verdict }) => DECIDED.includes(verdict))
}

/** An embedded service or a container is on another port every time. */
function sameTarget(
  { target: flags, image, faults }: Options,
  env: Readonly<Record<string, string | undefined>>,
): (target: RunRecord['target']) => boolean {
  const hasFaults = (each: RunRecord['target']): boolean =>
    each.faults.toSorted().join() === faults.toSorted().join()
  if (image !== undefined) return ({ kind }) => kind === 'image'
  if (!isTargetNamed({ flags, env })) return (each) => each.kind === 'embedded' && hasFaults(each)
  const { name, baseUrl } = resolveTarget({ flags, env, cwd: process.cwd() })
  return (each) => each.kind === 'url' && each.name === name && each.baseUrl === baseUrl
}
