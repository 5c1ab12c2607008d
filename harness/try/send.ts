/** Builds the one request that is tried, and sends it. */
import { randomUUID } from 'node:crypto'
import { PRODUCT_ABILITIES, type ProductAbility, type Role } from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import type { Api } from '../client/api.ts'
import type { Exchange } from '../client/exchange.ts'
import { type HarnessError, usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { KIND_PRODUCTS } from '../target-file/rules.ts'
import type { OrderKind, Scalar, Target } from '../target-file/target.ts'
import { pathVariables, renderTemplate, templateVariables } from '../target-file/template.ts'

export type Wanted = {
  readonly operation: OperationName
  readonly role: Role
  readonly product?: ProductAbility | undefined
  readonly kind?: OrderKind | undefined
  readonly set: Readonly<Record<string, string>>
}

/** Whether the request may create an order, on this service or on a wrong one. */
export function mayBuy({ operation }: Wanted): boolean {
  return operation === 'createOrder' || operation === 'createCart'
}

export function kindOf({ kind, product = 'voucher' }: Wanted): OrderKind {
  const kinds = Object.keys(KIND_PRODUCTS) as OrderKind[]
  return kind ?? kinds.find((each) => KIND_PRODUCTS[each].includes(product)) ?? 'shop'
}

/** Throws E_USAGE where the file does not say enough for the request. */
export function requireSendable(target: Target, wanted: Wanted): void {
  const { operation, role } = wanted
  const { path, body, bodies } = target.operations[operation]
  if (!target.credentials[role])
    throw lacking(
      `there is no key of role "${role}"`,
      `Set its variable, or choose from ${Object.keys(target.credentials).join(', ') || 'none'} with --role.`,
    )
  if (path === undefined)
    throw lacking(
      `the path of ${operation} is not known`,
      `Give operations.${operation}.path in the target file; npm run init looks for it.`,
    )
  if (operation === 'createOrder' && bodies[kindOf(wanted)] === undefined)
    throw lacking(
      `there is no body for orders of kind ${kindOf(wanted)}`,
      `Give operations.createOrder.bodies.${kindOf(wanted)} in the target file, or choose with --kind from ${Object.keys(bodies).join(', ') || 'none'}.`,
    )
  if (OPERATIONS[operation].method === 'POST' && operation !== 'createOrder' && body === undefined)
    throw lacking(
      `there is no body for ${operation}`,
      `Give operations.${operation}.body in the target file.`,
    )
  productOf(target, wanted)
}

/** The product that fills the templates; undefined where none is needed. */
export function productOf(target: Target, wanted: Wanted): ProductAbility | undefined {
  const needed = neededVariables(target, wanted).filter((name) => wanted.set[name] === undefined)
  const abilities = PRODUCT_ABILITIES.filter((each) => target.products[each])
  if (wanted.product !== undefined) {
    if (abilities.includes(wanted.product)) return wanted.product
    throw lacking(
      `the target file has no product "${wanted.product}"`,
      didYouMean(wanted.product, abilities, `Choose from ${abilities.join(', ') || 'none'}.`),
    )
  }
  const fits = (ability: ProductAbility): boolean =>
    needed.every((name) => target.products[ability]?.variables[name] !== undefined)
  const found = abilities.find(fits)
  if (found || (needed.length === 0 && !mayBuy(wanted))) return found
  throw lacking(
    `no product of the target file gives ${needed.join(', ') || 'what is to be bought'}`,
    'Give products in the target file, or --set NAME=VALUE.',
  )
}

const GIVEN = new Set(['referenceId', 'quantity', 'amount', 'orderId', 'quoteToken'])

function neededVariables(target: Target, wanted: Wanted): string[] {
  const { path = '', body, bodies, query } = target.operations[wanted.operation]
  const template = wanted.operation === 'createOrder' ? bodies[kindOf(wanted)] : body
  const names = [...pathVariables(path), ...templateVariables([template, query])]
  return names.filter((name) => !GIVEN.has(name))
}

export async function sendOne(target: Target, wanted: Wanted, api: Api): Promise<Exchange> {
  const { operation, set } = wanted
  const caller = api.as(wanted.role)
  const product = productOf(target, wanted)
  const referenceId = set['referenceId'] ?? `try-${randomUUID()}`
  const throttled = { throttled: 'return' } as const
  if (operation === 'createOrder') {
    const kind = kindOf(wanted)
    const isTopUp = kind === 'dtu' || kind === 'dtu-check'
    const more = Object.keys(set).length > 0 ? { variables: set } : {}
    const order = { product: product ?? 'voucher', kind, referenceId, ...more } as const
    return caller.createOrder(isTopUp ? { ...order, amount: 1 } : order, throttled)
  }
  if (operation === 'createCart')
    return caller.createCart({ referenceId, lines: [{ product: product ?? 'voucher' }] }, throttled)
  if (operation === 'getOrders' || operation === 'listServices') {
    const isUnhide = set['unhide'] === 'true'
    const query = isUnhide ? { ...set, unhide: true } : set
    return operation === 'getOrders'
      ? caller.getOrders(query, throttled)
      : caller.listServices(query, throttled)
  }
  const variables: Record<string, Scalar> = {
    quantity: 1,
    amount: 1,
    ...(product === undefined ? {} : target.products[product]?.variables),
    ...set,
    referenceId,
  }
  const template = target.operations[operation].body
  const body = template === undefined ? undefined : renderTemplate(template, variables)
  return caller.send(operation, { variables, body }, throttled)
}

function lacking(message: string, nextStep: string): HarnessError {
  return usageError(message, `${nextStep} Nothing was sent.`)
}
