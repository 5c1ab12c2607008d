import type { CheckDefinition, Needs } from './check.ts'

/**
 * The order in which checks start that share accounts, for they get counters in that order. Those that want an unused window come first,
 * then those that look at a spent one. Then come those that drive one through several windows, and those that want some requests of it.
 */
export function startOrder(
  checks: readonly CheckDefinition[],
  { fresh }: { readonly fresh: boolean },
): readonly CheckDefinition[] {
  return fresh ? checks : checks.toSorted((a, b) => turn(a.needs) - turn(b.needs))
}

function turn({ windows = [], waits, drainsCap, isAlone }: Needs): number {
  if (windows.length === 0 || drainsCap !== undefined || isAlone) return 4
  if (windows.every(({ units }) => typeof units === 'number')) return 3
  if (waits !== undefined) return 2
  return windows.some(({ units }) => units === 'all') ? 0 : 1
}
