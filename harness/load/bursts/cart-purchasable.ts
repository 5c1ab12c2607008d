import { lacksPath, type Lacks } from '../shared/lacks.ts'
import { renderCart, type CartLine } from '../../client/bodies.ts'
import type { Micros } from '../../money.ts'
import type { Target } from '../../target-file/target.ts'
import { templateVariables } from '../../target-file/template.ts'
import { purchasableOf, type Purchasable } from './burst-plan.ts'

/** A checkout of these positions as one purchase, or why the target cannot have it. */
export function cartPurchasableOf(target: Target, lines: readonly CartLine[]): Purchasable | Lacks {
  if (!target.capabilities.includes('cart')) return { lacks: 'the capability cart is not declared' }
  if (target.operations.createCart.path === undefined) return lacksPath('createCart')
  let unit: Micros = 0n
  let currency = ''
  for (const { product, quantity = 1 } of lines) {
    const purchasable = purchasableOf(target, product)
    if ('lacks' in purchasable) return purchasable
    if (currency !== '' && purchasable.currency !== currency)
      return { lacks: `the positions of a cart cost ${currency} and ${purchasable.currency}` }
    unit += BigInt(quantity) * purchasable.unit
    ;({ currency } = purchasable)
  }
  const lacks = lacksOfTemplate(target, lines)
  const [first] = lines
  if (lacks !== undefined || !first) return { lacks: lacks ?? 'a cart has at least one position' }
  return { ability: first.product, kind: 'shop', lines, unit, currency, unitsMax: 1 }
}

function lacksOfTemplate(target: Target, lines: readonly CartLine[]): string | undefined {
  const names = templateVariables(target.operations.createCart.body)
  if (!names.includes('referenceId'))
    return 'operations.createCart.body names no {{referenceId}}, so carts cannot be told apart'
  for (const { product } of lines) {
    const variables = target.products[product]?.variables ?? {}
    const given = [...Object.keys(variables), 'referenceId', 'quantity']
    const lacking = names.filter((name) => !given.includes(name))
    if (lacking.length > 0)
      return `operations.createCart.body names ${lacking.join(', ')}, which the product does not give`
  }
  const rendered = renderCart(target, { referenceId: '', lines })
  return !rendered || rendered.isFixed || rendered.count < 2
    ? 'operations.createCart.body has no list of positions that can be filled in'
    : undefined
}
