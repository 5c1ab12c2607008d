/** Builds the one request that is tried, and sends it. */
import { isPurchase } from '../../contract/operations.ts'
import { randomUUID } from 'node:crypto'
import { PRODUCT_ABILITIES, type ProductAbility, type Role } from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import type { Api } from '../client/api.ts'
import type { Exchange } from '../client/exchange.ts'
import { type HarnessError, usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { KIND_PRODUCTS } from '../target-file/rules.ts'
import { ORDER_KINDS, type OrderKind, type Scalar, type Target } from '../target-file/target.ts'
import { pathVariables, renderTemplate, templateVariables } from '../target-file/template.ts'

export type Wanted = {
  readonly operation: OperationName
  readonly role: Role
  readonly product?: ProductAbility | undefined
  readonly kind?: OrderKind | undefined
  readonly set: Readonly<Record<string, Scalar>>
}

/** Whether the request may create an order, on this service or on a wrong one. */
export function mayBuy({ operation }: Wanted): boolean {
  return isPurchase(operation)
}

export function kindOf({ kind, product = 'voucher' }: Wanted): OrderKind {
  return kind ?? ORDER_KINDS.find((each) => KIND_PRODUCTS[each].includes(product)) ?? 'shop'
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
  requireKnownSettings(target, wanted)
  productOf(target, wanted)
}

/** What else a position holds comes from its product. */
const CART_SETTINGS: readonly string[] = ['referenceId', 'quantity']

/** A misspelt name would be sent nowhere. Readings of lists take any name, as a query parameter. */
function requireKnownSettings(target: Target, wanted: Wanted): void {
  const { operation, set } = wanted
  if (operation === 'getOrders' || operation === 'listServices') return
  const known = operation === 'createCart' ? CART_SETTINGS : templateNames(target, wanted)
  const foreign = Object.keys(set).find((name) => !known.includes(name))
  if (foreign === undefined) return
  throw lacking(
    `--set ${foreign} is no variable of ${operation}`,
    didYouMean(foreign, known, `Choose from ${known.join(', ') || 'none'}.`),
  )
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
  return templateNames(target, wanted).filter((name) => !GIVEN.has(name))
}

function templateNames(target: Target, wanted: Wanted): string[] {
  const { path = '', body, bodies, query } = target.operations[wanted.operation]
  const template = wanted.operation === 'createOrder' ? bodies[kindOf(wanted)] : body
  return [...pathVariables(path), ...templateVariables([template, query])]
}

/** Whether a top-up is sent with an amount of 1, which neither the product nor the command line says. */
export function isAmountAssumed(target: Target, wanted: Wanted): boolean {
  const kind = kindOf(wanted)
  const isTopUp = kind === 'dtu' || kind === 'dtu-check'
  if (wanted.operation !== 'createOrder' || !isTopUp) return false
  return (wanted.set['amount'] ?? ownOf(target, wanted)['amount']) === undefined
}

/** How many pieces or units one request buys; undefined where that is not a number. */
export function unitsOf(target: Target, wanted: Wanted): number | undefined {
  const kind = kindOf(wanted)
  const isTopUp = wanted.operation === 'createOrder' && kind === 'dtu'
  const name = isTopUp ? 'amount' : 'quantity'
  const units = Number(wanted.set[name] ?? (isTopUp ? ownOf(target, wanted)[name] : undefined) ?? 1)
  return units > 0 && Number.isFinite(units) ? units : undefined
}

function ownOf(target: Target, wanted: Wanted): Readonly<Record<string, Scalar>> {
  const product = productOf(target, wanted)
  return (product && target.products[product]?.variables) ?? {}
}

export async function sendOne(target: Target, wanted: Wanted, api: Api): Promise<Exchange> {
  const { operation } = wanted
  const caller = api.as(wanted.role)
  const product = productOf(target, wanted)
  const own = ownOf(target, wanted)
  const set = likeThose(wanted.set, own)
  const referenceId = String(set['referenceId'] ?? `try-${randomUUID()}`)
  const throttled = { throttled: 'return' } as const
  if (operation === 'createOrder') {
    const kind = kindOf(wanted)
    const more = Object.keys(set).length > 0 ? { variables: set } : {}
    const order = { product: product ?? 'voucher', kind, referenceId, ...more } as const
    const isAssumed = isAmountAssumed(target, wanted)
    return caller.createOrder(isAssumed ? { ...order, amount: 1 } : order, throttled)
  }
  if (operation === 'createCart') {
    const line = { product: product ?? 'voucher', quantity: Number(set['quantity'] ?? 1) }
    return caller.createCart({ referenceId, lines: [line] }, throttled)
  }
  if (operation === 'getOrders' || operation === 'listServices') {
    const query = Object.fromEntries(
      Object.entries(set).map(([name, value]) => [name, value ?? 'null']),
    )
    return operation === 'getOrders'
      ? caller.getOrders(query, throttled)
      : caller.listServices(query, throttled)
  }
  const variables: Record<string, Scalar> = {
    quantity: 1,
    amount: 1,
    ...own,
    ...set,
    referenceId,
  }
  const template = target.operations[operation].body
  const body = template === undefined ? undefined : renderTemplate(template, variables)
  return caller.send(operation, { variables, body }, throttled)
}

/** Where the product's own value is a text, what is set in its place is one. */
function likeThose(
  set: Wanted['set'],
  own: Readonly<Record<string, Scalar>>,
): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(set).map(([name, value]) => [
      name,
      typeof own[name] === 'string' ? String(value) : value,
    ]),
  )
}

function lacking(message: string, nextStep: string): HarnessError {
  return usageError(message, `${nextStep} Nothing was sent.`)
}
