/** How many requirements hang on one thing that a target file can give. */
import type { Need } from '../harness/init/gaps.ts'
import type { Needs } from './engine/check.ts'
import { ALL_CHECKS } from './registry.ts'

export function worthOf(need: Need): number {
  const checks = ALL_CHECKS.filter(({ needs }) => isNeeded(need, needs))
  return new Set(checks.flatMap(({ requirements }) => requirements)).size
}

function isNeeded({ kind, name }: Need, needs: Needs): boolean {
  const named: Readonly<Record<Need['kind'], readonly string[] | undefined>> = {
    path: needs.operations,
    body: needs.orderKinds,
    selector: needs.selectors,
    role: needs.roles,
    product: needs.products,
    capability: needs.capabilities,
  }
  return named[kind]?.includes(name) === true
}
