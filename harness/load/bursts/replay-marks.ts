import { STATUS_CODE } from '../../../contract/wire.ts'

/** Numbers with a meaning of their own. */
const TAKEN: ReadonlySet<number> = new Set([
  STATUS_CODE.limitReached,
  STATUS_CODE.apiKeyLimitExceeded,
  STATUS_CODE.providerUnavailable,
])

/**
 * The number of a replay: one for all of them, without another meaning, and not that of a purchase sent once. If the target file states
 * one, that one.
 */
export function judgeReplayMarks(
  replays: readonly (number | undefined)[],
  firsts: readonly (number | undefined)[],
  stated: number | undefined,
): { readonly holds: boolean; readonly observed: string } {
  const codes = new Set(replays)
  const firstCodes = new Set(firsts)
  const isWrong = [...codes].some(
    (code) => code === undefined || TAKEN.has(code) || firstCodes.has(code),
  )
  const shown = [...codes].map((code) => code ?? 'none').join(', ')
  const firstShown = [...firstCodes].map((code) => code ?? 'none').join(', ') || 'unknown'
  return {
    holds: codes.size === 1 && !isWrong && (stated === undefined || codes.has(stated)),
    observed: `${replays.length} replays had statusCode ${shown}, first successes ${firstShown}`,
  }
}
