import { HarnessError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import type { Selectable, SelectableCheck } from './conformance.ts'
import {
  belongsTo,
  includesLoad,
  READ_ONLY_REQUESTS,
  withinRequests,
  type Profile,
} from './profiles.ts'

export type Selection = {
  readonly checks: readonly string[]
  readonly scenarios: readonly string[]
  /** Checks that the profile leaves out, since all of them together would send too many requests. */
  readonly leftOut?: readonly string[]
  /** Ids that were asked for, of checks that were merged into another one, and that one. */
  readonly merged?: readonly (readonly [former: string, id: string])[]
  /** Most requests that the checks may send. */
  readonly requestsMax?: number
}

/** What the caller asked for. */
export type Wanted = {
  readonly profile: Profile
  /** Check ids, areas, requirement ids or scenario names. */
  readonly only: readonly string[]
  readonly scenarios: readonly string[]
  /** Whether scenarios that are for load alone belong to what is done unless asked otherwise. */
  readonly loadOnly?: boolean
  /** Load is permitted: the profile read-only then takes as many requests as it likes. */
  readonly allowLoad?: boolean
}

/**
 * Resolves a profile and selectors. A selector that matches nothing is an error: it would turn a misspelt run green.
 */
export function select(
  allChecks: readonly SelectableCheck[],
  allScenarios: readonly Selectable[],
  wanted: Wanted,
): Selection {
  const { profile, allowLoad = false } = wanted
  const selection = selectAll(allChecks, allScenarios, wanted)
  if (profile !== 'read-only' || allowLoad) return selection
  const chosen = allChecks.filter(({ id }) => selection.checks.includes(id))
  const checks = withinRequests(chosen, READ_ONLY_REQUESTS.planned).map(idOf)
  const leftOut = selection.checks.filter((id) => !checks.includes(id))
  if (checks.length === 0) throw tooMany(leftOut)
  return { ...selection, checks, leftOut, requestsMax: READ_ONLY_REQUESTS.max }
}

function tooMany(ids: readonly string[]): HarnessError {
  return new HarnessError(
    'E_SELECTION_EMPTY',
    `the profile read-only takes fewer than 100 requests, and ${ids.slice(0, 3).join(', ')} would take more`,
    'Add --allow-load, or choose another profile.',
  )
}

function selectAll(
  allChecks: readonly SelectableCheck[],
  allScenarios: readonly Selectable[],
  { profile, only, scenarios: names, loadOnly = false }: Wanted,
): Selection {
  const checks = allChecks.filter((each) => belongsTo(profile, each))
  const isNamed = ({ id }: Selectable): boolean => names.includes(id) || only.includes(id)
  const scenarios = includesLoad(profile)
    ? allScenarios.filter((each) => loadOnly || each.loadOnly !== true || isNamed(each))
    : []
  if (only.length === 0 && names.length === 0)
    return {
      checks: checks.map(idOf),
      scenarios: scenarios.map(idOf),
    }
  const everything = [...checks, ...scenarios]
  for (const selector of only) {
    if (everything.some((each) => matches(each, selector))) continue
    const isOutside = [...allChecks, ...allScenarios].some((each) => matches(each, selector))
    throw isOutside
      ? outside(selector, profile)
      : unmatched(selector, [...everything, ...allScenarios])
  }
  for (const name of names)
    if (!scenarios.some(({ id }) => id === name)) throw unmatched(name, allScenarios)
  const isWanted = (each: Selectable): boolean => only.some((selector) => matches(each, selector))
  const merged = checks.flatMap(({ id, formerIds = [] }) =>
    formerIds.filter((former) => only.includes(former)).map((former) => [former, id] as const),
  )
  return {
    ...(merged.length > 0 && { merged }),
    checks: checks.filter(isWanted).map(idOf),
    scenarios: scenarios.filter((each) => isWanted(each) || names.includes(each.id)).map(idOf),
  }
}

function matches({ id, formerIds = [], requirements }: Selectable, selector: string): boolean {
  return (
    id === selector ||
    formerIds.includes(selector) ||
    id.startsWith(`${selector}.`) ||
    requirements.includes(selector.toUpperCase())
  )
}

/** A scenario has no area: its name stands for itself. */
function areaOf(id: string): string {
  return id.split('.')[0] ?? id
}

function idOf({ id }: Selectable): string {
  return id
}

function outside(selector: string, profile: Profile): HarnessError {
  return new HarnessError(
    'E_SELECTION_EMPTY',
    `the profile ${profile} leaves out all that "${selector}" matches, so nothing would be verified`,
    'Leave --profile out, or choose one that includes it.',
  )
}

function unmatched(selector: string, known: readonly Selectable[]): HarnessError {
  const words = known.flatMap(({ id, requirements }) => [id, areaOf(id), ...requirements])
  return new HarnessError(
    'E_SELECTION_EMPTY',
    `"${selector}" matches no check, area, requirement or scenario, so nothing would be verified`,
    didYouMean(selector, [...new Set(words)], 'Run with --list to see what there is.'),
  )
}
