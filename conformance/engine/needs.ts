import type { Verdict } from '../../schemas/generated/run-record.ts'
import type { CheckDefinition, Needs } from '../check.ts'
import type { Session } from './session.ts'

type Lack = {
  readonly verdict: Extract<Verdict, 'untested' | 'inapplicable'>
  readonly reason: string
}

/** What the target lacks of a check's needs; undefined when nothing. */
export function lackOf(definition: CheckDefinition, session: Session): Lack | undefined {
  const { needs } = definition
  const { target } = session.options
  const undeclared = needs.capabilities?.filter((each) => !target.capabilities.includes(each)) ?? []
  if (undeclared.length > 0)
    return {
      verdict: 'inapplicable',
      reason: `the target does not declare ${undeclared.join(', ')}`,
    }
  const missing = [
    ...missingRoles(needs, session),
    ...missingDescription(needs, session),
    ...missingPermission(needs, session),
  ]
  return missing.length === 0 ? undefined : { verdict: 'untested', reason: missing.join('; ') }
}

function missingRoles({ roles = [] }: Needs, session: Session): string[] {
  const known = session.options.accounts.roles
  return roles
    .filter((role) => !known.includes(role))
    .map((role) => `no credential for role "${role}"`)
}

function missingDescription(needs: Needs, { options: { target } }: Session): string[] {
  const { products = [], orderKinds = [], operations = [], selectors = [] } = needs
  return [
    ...products
      .filter((ability) => !target.products[ability])
      .map((ability) => `no product "${ability}"`),
    ...orderKinds
      .filter((kind) => target.operations.createOrder.bodies[kind] === undefined)
      .map((kind) => `no body template operations.createOrder.bodies.${kind}`),
    ...operations
      .filter((operation) => target.operations[operation].path === undefined)
      .map((operation) => `no path operations.${operation}.path`),
    ...selectors.filter((each) => !hasSelector(target, each)).map((each) => `no selector ${each}`),
  ]
}

function hasSelector(target: Session['options']['target'], text: string): boolean {
  const [operation = '', ...name] = text.split('.')
  const operations: Readonly<Record<string, { selectors: Readonly<Record<string, string>> }>> =
    target.operations
  return operations[operation]?.selectors[name.join('.')] !== undefined
}

function missingPermission({ purchases = 0 }: Needs, { options }: Session): string[] {
  if (purchases === 0 || options.permission) return []
  return [
    `it creates ${purchases} orders, which --allow-purchases --max-orders N --max-spend CUR:AMOUNT would permit`,
  ]
}
