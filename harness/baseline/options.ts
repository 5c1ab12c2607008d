import type { ParseArgsOptionsConfig } from 'node:util'
import { usageError } from '../errors.ts'

/** Options of a comparison with an earlier run. */
export const BASELINE_OPTIONS = {
  repeats: { type: 'string' },
  baseline: { type: 'string' },
  'max-regression': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

export type BaselineOptions = {
  /** How often each load scenario is carried out. */
  readonly repeats: number
  /** The run.json to compare with. */
  readonly baselineFile?: string
  readonly regressionPercentMax?: number
}

type Values = Readonly<Partial<Record<keyof typeof BASELINE_OPTIONS, string | undefined>>>

const REPEATS_MAX = 100

/** Throws E_USAGE with what was given and what is understood. */
export function baselineOptions(values: Values): BaselineOptions {
  const { repeats = '1', baseline, 'max-regression': regression } = values
  const percent = regression?.replace(/%$/, '')
  if (!/^\d{1,3}$/.test(repeats) || Number(repeats) < 1 || Number(repeats) > REPEATS_MAX)
    throw usageError(
      `--repeats was "${repeats}", a whole number from 1 to ${REPEATS_MAX} was expected`,
    )
  if (baseline?.trim() === '') throw usageError('--baseline was given without a file')
  if (percent !== undefined && !/^\d{1,3}(\.\d{1,3})?$/.test(percent))
    throw usageError(`--max-regression was "${regression}", per cent such as 10 were expected`)
  if (percent !== undefined && baseline === undefined)
    throw usageError('--max-regression was given without --baseline')
  return {
    repeats: Number(repeats),
    ...(baseline === undefined ? {} : { baselineFile: baseline }),
    ...(percent === undefined ? {} : { regressionPercentMax: Number(percent) }),
  }
}
