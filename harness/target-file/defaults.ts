/** What holds where neither flag, environment nor file says anything: the interface's own words, and caution. */
import type { Capability, Role } from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName, type Operation } from '../../contract/operations.ts'
import { SELECTORS } from './selectors.ts'
import type { Target, TargetOperation } from './target.ts'

/** Only what a target of this interface cannot well be without; everything else is declared. */
export const DEFAULT_CAPABILITIES: readonly Capability[] = [
  'base',
  'catalog',
  'shop',
  'rate-limits',
]

export const DEFAULT_ENVIRONMENT: Target['environment'] = 'production'
export const DEFAULT_TIMING: Target['timing'] = 'partner'

/** Bodies whose fields the interface shows completely. POST /api/v1/orders is not among them. */
const DEFAULT_BODIES: Readonly<Partial<Record<OperationName, unknown>>> = {
  createGiftQuote: { editionId: '{{editionId}}', recipientRegion: '{{recipientRegion}}' },
}

/** Roles that are by definition keys of other accounts. */
const OTHER_ACCOUNTS: Readonly<Partial<Record<Role, string>>> = {
  stranger: 'other',
  background: 'background',
}

export function defaultAccount(role: Role): string {
  return OTHER_ACCOUNTS[role] ?? 'main'
}

function defaultSelectors(operation: OperationName): Record<string, string> {
  const shown: [string, string][] = []
  for (const [name, { byDefault }] of Object.entries(SELECTORS[operation]))
    if (byDefault !== undefined) shown.push([name, byDefault])
  return Object.fromEntries(shown)
}

/** An operation as the interface shows it. */
export function defaultOperation(name: OperationName): TargetOperation {
  const { method, path }: Operation = OPERATIONS[name]
  const body = DEFAULT_BODIES[name]
  return {
    method,
    ...(path === undefined ? {} : { path }),
    query: {},
    ...(body === undefined ? {} : { body }),
    bodies: {},
    selectors: defaultSelectors(name),
  }
}
