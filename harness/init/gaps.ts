/** What could not be seen, by name, with what it would add. Pure. */
import {
  ABILITY_MEANINGS,
  ROLES,
  type Capability,
  type ProductAbility,
  type Role,
} from '../../contract/capabilities.ts'
import { BUCKETS } from '../../contract/limits.ts'
import { OPERATIONS, partOf, type OperationName } from '../../contract/operations.ts'
import { SELECTORS } from '../target-file/selectors.ts'
import { ORDER_KINDS, type OrderKind, type Target } from '../target-file/target.ts'
import { isVisible } from './products.ts'

/** Something that checks need of a target file. */
export type Need =
  | { readonly kind: 'path'; readonly name: OperationName }
  | { readonly kind: 'body'; readonly name: OrderKind }
  | { readonly kind: 'selector'; readonly name: `${OperationName}.${string}` }
  | { readonly kind: 'role'; readonly name: Role }
  | { readonly kind: 'product'; readonly name: ProductAbility }
  | { readonly kind: 'capability'; readonly name: Capability }

/** How many requirements the checks that need it decide. */
export type Worth = (need: Need) => number

export type Gap = {
  readonly what: string
  readonly how: string
  readonly worth: number
  /** The capability that it is a part of: if that is not declared, it alone is reported. */
  readonly of?: Capability | undefined
}

const PART_OF: Readonly<Record<string, Capability>> = {
  funds: 'funds',
  capped: 'transaction-limit',
  blocked: 'allowlist',
  allowed: 'allowlist',
  'blocked-unscoped': 'allowlist',
  'voucher-async': 'async',
  'dtu-timeout': 'dtu-check',
  'dtu-slow': 'dtu-check',
  'esim-raw': 'esim',
  shop: 'shop',
  dtu: 'dtu',
  'dtu-check': 'dtu-check',
  esim: 'esim',
}

const LISTED_CAPABILITIES: Readonly<Partial<Record<Capability, string>>> = {
  'item-lookup': 'items can be looked up: give paths and body of lookupItems and getItem',
  cart: 'carts can be bought: give operations.createCart.body',
  'dtu-check': 'top-ups can be checked: give operations.createOrder.bodies.dtu-check',
  'dtu-validation': 'top-ups can be validated: give operations.validateDtu.body',
  funds: 'balances can be read: give the paths of getBalance and getLedger',
  async: 'orders complete later: give products.voucher-async',
  unhide:
    'codes are revealed with unhide=true: npm run try -- getOrders --set orderId=ID --set unhide=true shows it, and spends the budget of that order',
  'transaction-limit': 'keys have a spend cap: give a key of role capped',
  allowlist: 'keys have an allowlist: give keys of role blocked and allowed',
  'platform-gift': 'the gift feature is on: give products.platform-gift and its body',
}

export function gapsOf(target: Target, worth: Worth): Gap[] {
  const gap = (need: Need, what: string, how: string): Gap => ({
    what,
    how,
    worth: worth(need),
    ...(need.kind !== 'capability' && { of: capabilityOf(need) }),
  })
  const { operations, credentials, products, capabilities } = target
  const names = Object.keys(OPERATIONS) as OperationName[]
  const paths = names
    .filter((name) => operations[name].path === undefined)
    .map((name) =>
      gap(
        { kind: 'path', name },
        `operations.${name}.path`,
        'the interface shows none; --path or the file',
      ),
    )
  const bodies = ORDER_KINDS.filter(
    (kind) => operations.createOrder.bodies[kind] === undefined,
  ).map((name) =>
    gap(
      { kind: 'body', name },
      `operations.createOrder.bodies.${name}`,
      'the body of such an order, with {{referenceId}} and the variables of products',
    ),
  )
  const selectors = names
    .filter((name) => operations[name].path !== undefined)
    .flatMap((name) =>
      missingSelectors(target, name).map((selector) =>
        gap(
          { kind: 'selector', name: `${name}.${selector}` },
          `operations.${name}.selectors.${selector}`,
          SELECTORS[name][selector]?.meaning ?? '',
        ),
      ),
    )
  const roles = (Object.keys(ROLES) as Role[])
    .filter((name) => !credentials[name])
    .map((name) => gap({ kind: 'role', name }, `credentials.${name}`, ROLES[name]))
  // Nothing but the file can tell the cap of a key, and what is used of it.
  const isOpen = credentials.capped !== undefined && !credentials.capped.transactionLimit
  const caps = isOpen
    ? [
        gap(
          { kind: 'role', name: 'capped' },
          'credentials.capped.transactionLimit',
          'the cap of the key: { "currency": "USD", "limit": "500.00", "used": "0" }',
        ),
      ]
    : []
  const purchasables = (Object.entries(ABILITY_MEANINGS) as [ProductAbility, string][])
    .filter(([name]) => !products[name] && !isVisible(name))
    .map(([name, what]) => gap({ kind: 'product', name }, `products.${name}`, what))
  const parts = (Object.entries(LISTED_CAPABILITIES) as [Capability, string][])
    .filter(([name]) => !capabilities.includes(name))
    .map(([name, what]) => gap({ kind: 'capability', name }, `capabilities: ${name}`, `if ${what}`))
  return [...paths, ...bodies, ...selectors, ...roles, ...caps, ...purchasables, ...parts]
    .filter(({ worth: count, of }) => count > 0 && (of === undefined || capabilities.includes(of)))
    .toSorted((a, b) => b.worth - a.worth)
}

/** Windows of single endpoints are reported by few services: their absence is no gap. */
function missingSelectors({ operations }: Target, name: OperationName): string[] {
  const given = operations[name].selectors
  const all = Object.keys(SELECTORS[name]).filter((selector) => given[selector] === undefined)
  if (name !== 'rateLimits') return all
  return all.filter((selector) => BUCKETS.some((bucket) => selector === `${bucket}.count`))
}

function capabilityOf({ kind, name }: Need): Capability | undefined {
  if (kind === 'path') return partOf(name)
  return name === 'platform-gift' ? name : PART_OF[name]
}
