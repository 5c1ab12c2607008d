/** Bodies of purchases, rendered from the target's templates. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import { renderEntries, type RenderedEntries } from '../target-file/entries.ts'
import type { OrderKind, Product, Scalar, Target } from '../target-file/target.ts'
import { renderTemplate } from '../target-file/template.ts'

export type OrderRequest = {
  readonly product: ProductAbility
  readonly kind?: OrderKind
  /** Undefined: the property is left out. */
  readonly referenceId?: string | undefined
  readonly quantity?: Scalar
  readonly amount?: Scalar
  /** For the template, over those of the product; undefined: what names the variable is left out. */
  readonly variables?: Readonly<Record<string, Scalar | undefined>>
  /** Merged over the rendered template: a value replaces, undefined removes. */
  readonly overrides?: Readonly<Record<string, unknown>>
}

/** One position of a cart. */
export type CartLine = {
  readonly product: ProductAbility
  /** Its position is rendered from the template of this kind. Default: as the body of the cart has it. */
  readonly kind?: OrderKind
  readonly quantity?: number
  /** Of a top-up. */
  readonly amount?: Scalar
}

export type CartRequest = {
  readonly referenceId: string
  /** What is asked for, position by position. A template that spells its positions out has those instead. */
  readonly lines: readonly CartLine[]
}

export function productOf(target: Target, ability: ProductAbility): Product {
  const product = target.products[ability]
  if (!product)
    throw new Error(`the target has no product "${ability}"; do the check's needs name it?`)
  return product
}

/** The amount of a top-up whose product states none of its own. */
export const AMOUNT_DEFAULT = 1

/** What an order of a top-up has to say of its amount: nothing, where its product does. */
export function amountOf(
  { products }: Pick<Target, 'products'>,
  ability: ProductAbility,
): { readonly amount?: number } {
  const isStated = products[ability]?.variables['amount'] !== undefined
  return isStated ? {} : { amount: AMOUNT_DEFAULT }
}

export function renderOrder(target: Target, order: OrderRequest, kind: OrderKind): unknown {
  const template = target.operations.createOrder.bodies[kind]
  if (template === undefined)
    throw new Error(`the target file gives no body for orders of kind ${kind}`)
  const { referenceId, quantity = 1, amount } = order
  const variables: Record<string, Scalar | undefined> = {
    ...productOf(target, order.product).variables,
    quantity,
    // Left out rather than undefined, so that a product's own amount stands.
    ...(amount === undefined ? {} : { amount }),
    referenceId,
    ...order.variables,
  }
  const body = renderTemplate(template, variables) as Record<string, unknown>
  return { ...body, ...order.overrides }
}

/** The template of a position of another kind than those of the cart's body. */
export function positionTemplate(target: Target, { kind }: CartLine): unknown {
  return kind === undefined ? undefined : target.operations.createCart.bodies[kind]
}

/** The body of a cart; undefined where the positions of its template cannot be told. */
export function renderCart(
  target: Target,
  { referenceId, lines }: CartRequest,
): RenderedEntries | undefined {
  const positions = lines.map(({ product, quantity = 1, amount }) => ({
    ...productOf(target, product).variables,
    quantity,
    ...(amount === undefined ? {} : { amount }),
  }))
  const templates = lines.map((line) => positionTemplate(target, line))
  return renderEntries(target.operations.createCart.body, { referenceId }, positions, templates)
}

/** The product of an order, where nothing of what the target file says of it was changed. */
export function plainProducts({ product, variables, overrides }: OrderRequest): ProductAbility[] {
  return variables === undefined && overrides === undefined ? [product] : []
}

/**
 * How many times `unitPrice` an order costs. Of a top-up that is not sold by units, only its usual amount has a price that the target file
 * states: what another amount costs is a matter of its tariff.
 */
export function unitsOf(
  target: Target,
  { product, quantity = 1, amount }: OrderRequest,
  kind: OrderKind,
): number | undefined {
  if (kind === 'shop' || kind === 'esim') return numberOrNone(quantity)
  if (kind !== 'dtu') return undefined
  if (product === 'quantity') return numberOrNone(amount)
  return amount === (productOf(target, product).variables['amount'] ?? AMOUNT_DEFAULT)
    ? 1
    : undefined
}

function numberOrNone(value: Scalar | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
