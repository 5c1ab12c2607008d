import type { CheckDefinition, Needs } from './check.ts'

/**
 * The order in which checks start that share accounts, for they get counters in that order. Those that want an unused window come first,
 * then those that look at a spent one. Then come those that drive one through several windows, and those that want some requests of it.
 * They take turns on a capped key in that order too: who waits with it comes before those whose reads wait for others anyway.
 */
export function startOrder(
  checks: readonly CheckDefinition[],
  { fresh }: { readonly fresh: boolean },
): readonly CheckDefinition[] {
  return fresh ? checks : checks.toSorted((a, b) => turn(a.needs) - turn(b.needs))
}

function turn({ windows = [], waits, drainsCap, isAlone, roles = [] }: Needs): number {
  if (drainsCap !== undefined || isAlone) return 6
  if (windows.length === 0) return waits !== undefined && roles.includes('capped') ? 5 : 6
  if (windows.every(({ units }) => typeof units === 'number')) return 4
  if (waits !== undefined) return 3
  if (windows.every(({ units }) => units === 'all')) return 0
  // It spends what another wanted unused, so it comes right after that.
  return windows.some(({ units }) => units === 'all') ? 1 : 2
}
