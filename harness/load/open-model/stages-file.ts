/** Stages of a file, in the shape of k6's own (ramping-arrival-rate): `[{ "duration": "30s", "target": 20 }, …]`. */
import { readFileSync } from 'node:fs'
import type { RateStage } from '../../../load/protocol/open-model.ts'
import { HarnessError } from '../../errors.ts'
import { describeValue } from '../../schema/describe-value.ts'
import type { RequestStages } from './workloads.ts'

const STAGES_MAX = 100
const SECONDS_MAX = 24 * 3600
/** Requests per second. */
const TARGET_MAX = 10_000

const EXAMPLE =
  'Write a list of stages, for example [{ "duration": "30s", "target": 20 }, { "duration": "2m", "target": 20 }]: each goes evenly from the target before it, at first 0, to its own, in requests per second. A duration of "0s" jumps.'

/** Reads and checks the file. Throws E_USAGE. */
export function readStages(file: string): RequestStages {
  return { file, stages: stagesIn(textOf(file), file) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new HarnessError(
      'E_USAGE',
      `--stages ${file} cannot be read: ${(cause as Error).message}`,
      'Name a file of JSON that is there.',
      { cause },
    )
  }
}

function stagesIn(text: string, file: string): readonly RateStage[] {
  const listed = parsed(text, file)
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > STAGES_MAX)
    throw bad(
      file,
      `a list of 1 to ${STAGES_MAX} stages was expected, got ${describeValue(listed)}`,
    )
  const stages: RateStage[] = []
  let fromPerSecond = 0
  for (const [index, stage] of listed.entries()) {
    const { seconds, toPerSecond } = stageOf(stage, `stage ${index + 1}`, file)
    // A stage without length only sets where the next one begins.
    if (seconds > 0) stages.push({ seconds, fromPerSecond, toPerSecond })
    fromPerSecond = toPerSecond
  }
  const seconds = stages.reduce((sum, each) => sum + each.seconds, 0)
  if (seconds > SECONDS_MAX)
    throw bad(file, `they last ${seconds} s, at most ${SECONDS_MAX} are possible`)
  if (!stages.some(({ fromPerSecond: from, toPerSecond: to }) => from + to > 0))
    throw bad(file, 'no stage has both a length and a rate above 0')
  return stages
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bad(file, `it is no JSON: ${(cause as Error).message}`)
  }
}

function stageOf(
  stage: unknown,
  where: string,
  file: string,
): Pick<RateStage, 'seconds' | 'toPerSecond'> {
  const { duration, target, ...others } = Object(stage) as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw bad(
      file,
      `${where} has ${JSON.stringify(unknown)}, only duration and target were expected`,
    )
  const seconds = typeof duration === 'string' ? secondsOfDuration(duration) : undefined
  if (seconds === undefined)
    throw bad(
      file,
      `${where} has the duration ${JSON.stringify(duration) ?? 'none'}, a text such as "30s" or "1m30s" was expected`,
    )
  if (typeof target !== 'number' || !(target >= 0 && target <= TARGET_MAX))
    throw bad(
      file,
      `${where} has the target ${JSON.stringify(target) ?? 'none'}, a number from 0 to ${TARGET_MAX} was expected`,
    )
  return { seconds, toPerSecond: target }
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 }

/** `1h`, `2m`, `1m30s`, `500ms`, as k6 writes them. */
function secondsOfDuration(text: string): number | undefined {
  if (!/^(?:\d{1,7}(?:\.\d{1,3})?(?:h|ms|m|s))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)]
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 0),
    0,
  )
}

function bad(file: string, message: string): HarnessError {
  return new HarnessError('E_USAGE', `--stages ${file}: ${message}`, EXAMPLE)
}
