import { usageError } from '../errors.ts'

export type BaselineOptions = {
  /** How often each load scenario is carried out. */
  readonly repeats: number
  /** The run.json to compare with. */
  readonly baselineFile?: string
  readonly regressionPercentMax?: number
}

type Values = Readonly<
  Partial<Record<'repeats' | 'baseline' | 'max-regression', string | undefined>>
>

export const REPEATS = { usual: '1', max: 100 } as const

/** Throws E_USAGE with what was given and what is understood. */
export function baselineOptions(values: Values): BaselineOptions {
  const { repeats = REPEATS.usual, baseline, 'max-regression': regression } = values
  const percent = regression?.replace(/%$/, '')
  if (!/^\d{1,3}$/.test(repeats) || Number(repeats) < 1 || Number(repeats) > REPEATS.max)
    throw usageError(
      `--repeats was "${repeats}", a whole number from 1 to ${REPEATS.max} was expected`,
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
