/** Sentences about what the run itself did without, or left behind. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { GENTLE_REASON } from '../quota/courtesy.ts'
import type { Selection } from './selection.ts'

/** What was left out for the sake of others who use the target's windows: told once. */
export function gentleHazard(checks: readonly { readonly reason?: string }[]): readonly string[] {
  const open = checks.filter(({ reason }) => reason?.includes(GENTLE_REASON))
  if (open.length === 0) return []
  return [
    `The run stayed below a quarter of each window, so ${open.length} checks that need more were not carried out to their end; --allow-load permits them.`,
  ]
}

/** What a profile does without, since it may not send so much, and which ids of earlier versions select other checks now. */
export function selectionHazards({ leftOut = [], merged = [] }: Selection): readonly string[] {
  const others = merged.map(
    ([former, id]) => `The check ${former} was merged into ${id}, which is selected instead.`,
  )
  if (leftOut.length === 0) return others
  return [
    ...others,
    `The profile read-only takes fewer than 100 requests, so ${leftOut.length} checks that buy nothing were left out; --allow-load permits them.`,
  ]
}

/** Orders of real money that are not done. */
export function unfinishedHazard({
  pending,
  unanswered,
}: NonNullable<RunRecord['purchases']>): readonly string[] {
  if (pending + unanswered === 0) return []
  return [
    `Of the orders that were bought, ${pending} were still in progress when they were last seen, and ${unanswered} were never answered: they count as spent. The record names them.`,
  ]
}

export function floorHazard(floor: number): string[] {
  return floor < 1
    ? [
        `The floor was lowered to ${Math.round(floor * 100)} % of the requirements in scope (--floor).`,
      ]
    : []
}
