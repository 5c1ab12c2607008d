import type { ProductAbility } from '../../contract/capabilities.ts'
import { selectOne } from '../../harness/target-file/select.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import { renderTemplate } from '../../harness/target-file/template.ts'
import type { CallOptions, Caller, CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { isAccepted, untested } from '../engine/kit.ts'

/** What every check of the validation operation needs. */
export const VALIDATES_TOP_UPS = {
  capabilities: ['dtu-validation'],
  roles: ['full'],
  products: ['dtu'],
  operations: ['validateDtu'],
} as const satisfies Needs

/** Validates one top-up, with an amount in place of the product's own, and where it is given a reference. */
export function validate(
  context: CheckContext,
  product: ProductAbility,
  amount: { readonly amount?: Scalar; readonly referenceId?: string },
  { caller = 'full', ...options }: CallOptions & { readonly caller?: Caller } = {},
): Promise<Exchange> {
  const { target, api, reference } = context
  const template = target.operations.validateDtu.body
  if (template === undefined)
    untested('the target file gives no body template operations.validateDtu.body')
  const variables = {
    referenceId: reference(),
    quantity: 1,
    ...target.products[product]?.variables,
    ...amount,
  }
  const body = renderTemplate(template, variables)
  return api.as(caller).send('validateDtu', { body }, options)
}

/** What the target says besides its status, where the target file tells how it says so. */
export function statedValidity({ target }: CheckContext, exchange: Exchange): unknown {
  const selector = target.operations.validateDtu.selectors['valid']
  return selector === undefined ? undefined : selectOne(selector, exchange.json)
}

/** Undefined for a success that may or may not mean valid. */
export function isFoundValid(context: CheckContext, exchange: Exchange): boolean | undefined {
  if (!isAccepted(exchange)) return false
  const stated = statedValidity(context, exchange)
  return typeof stated === 'boolean' ? stated : undefined
}
