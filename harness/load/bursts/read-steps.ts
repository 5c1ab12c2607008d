import type { OperationName } from '../../../contract/operations.ts'
import type { ReadStep } from '../../../load/protocol/open-model.ts'
import type { Target } from '../../target-file/target.ts'

/** Name, any member, name at any depth, member in brackets: what JSONPath selectors of answers are made of. */
const TOKEN =
  /\.\.(?<deep>[\p{L}_][\p{L}\p{N}_-]*)|\.(?<name>[\p{L}_][\p{L}\p{N}_-]*)|(?<every>\.\*|\[\*\])|\[(?<index>\d+)\]|\[(?:'(?<single>[^'\\]+)'|"(?<double>[^"\\]+)")\]/uy

/**
 * The steps of a selector (JSON Pointer or JSONPath), for a generator of load that has no library for them. Undefined where it needs
 * more than steps, such as a filter.
 */
export function readSteps(selector: string): ReadStep[] | undefined {
  if (!selector.startsWith('$')) return selector.split('/').slice(1).map(pointerStep)
  const steps: ReadStep[] = []
  TOKEN.lastIndex = 1
  while (TOKEN.lastIndex < selector.length) {
    const groups = TOKEN.exec(selector)?.groups
    // Where nothing matches, exec has set lastIndex to 0.
    if (!groups) return undefined
    const { deep, every, index } = groups
    if (deep !== undefined) steps.push({ deep })
    else if (every !== undefined) steps.push({ every: true })
    else if (index !== undefined) steps.push(Number(index))
    else steps.push(groups['name'] ?? groups['single'] ?? groups['double'] ?? '')
  }
  return steps
}

function pointerStep(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Where the values of an answer stand, by the names of the target's selectors. What cannot be said in steps is not read. */
export function readsOf<Name extends string>(
  { operations }: Pick<Target, 'operations'>,
  operation: OperationName,
  names: Readonly<Partial<Record<Name, string>>>,
): Partial<Record<Name, readonly ReadStep[]>> {
  const { selectors } = operations[operation]
  const found: Partial<Record<Name, readonly ReadStep[]>> = {}
  for (const [read, name] of Object.entries(names) as [Name, string][]) {
    const selector = selectors[name]
    const steps = selector === undefined ? undefined : readSteps(selector)
    if (steps !== undefined) found[read] = steps
  }
  return found
}
