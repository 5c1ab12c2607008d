import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { goalsFor, mixFor } from '../load/open-model/draft.ts'
import { isOpenModelName, type OpenModelName } from '../load/open-model/scenarios.ts'
import type { WorkloadChoice } from '../load/open-model/workloads.ts'
import { loadGoalText } from '../load/shared/goals.ts'
import { mixText } from './load-options.ts'
import type { RunOptions } from './options.ts'
import { USUAL } from './pages.ts'

/** What a repeat command needs besides the selector to meet the same target again. Never a key: those come from the environment. */
export function sameTarget({
  target,
  image,
  faults,
  windowSeconds,
}: Omit<RunOptions, 'command'>): string {
  const flags: Flags = [
    ['--target', target.target],
    ['--base-url', target.baseUrl],
    ['--timing', target.timing],
    ['--replay-after', target.replayAfter],
    ['--image', image],
    ['--fault', faults.length > 0 ? faults.join(',') : undefined],
    ['--window-seconds', windowSeconds === USUAL.windowSeconds ? undefined : String(windowSeconds)],
  ]
  return textOf(flags)
}

/** Options that shape a scenario of load. The value of a header may be a secret, so that only its name is given. */
export function loadFlags(
  { scenario, repeats }: Pick<LoadResult, 'scenario' | 'repeats'>,
  { workload: choice, marks, outputs, instances }: Omit<RunOptions, 'command'>,
): string {
  const all: Flags = [
    ...(isOpenModelName(scenario) ? openModelFlags(scenario, choice) : []),
    ['--instances', instances === 1 ? undefined : String(instances)],
    ['--repeats', repeats === undefined ? undefined : String(repeats.length)],
    ...outputs.map((output): Flag => ['--out', output]),
    ...marks.tags.map((tag): Flag => ['--tag', tag]),
    ...Object.keys(marks.headers).map((name): Flag => ['--header', `${name}: …`]),
  ]
  return textOf(all)
}

function openModelFlags(scenario: OpenModelName, choice: WorkloadChoice): Flags {
  const { workload, seconds, requestsPerSecond, stages, thinkSeconds, mix } = choice
  return [
    ['--workload', stages && workload === 'smoke' ? undefined : workload],
    ['--seconds', seconds?.toString()],
    ['--rate', requestsPerSecond?.toString()],
    ['--stages', stages?.file],
    ['--think-time', thinkSeconds === undefined ? undefined : `${1000 * thinkSeconds}ms`],
    ['--mix', mix && scenario === 'mixed' ? mixText(mix) : undefined],
    ...goalsFor(mixFor(scenario, choice), choice.goals).map((goal): Flag => [
      '--goal',
      loadGoalText(goal),
    ]),
  ]
}

type Flag = readonly [flag: string, value: string | undefined]
type Flags = readonly Flag[]

function textOf(flags: Flags): string {
  return flags
    .flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quote(value)}`]))
    .join('')
}

function quote(value: string): string {
  return /^[\w./:@,=%-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}
