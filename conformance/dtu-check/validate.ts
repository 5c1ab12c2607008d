import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Caller, CallOptions } from '../../harness/client/api.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Scalar } from '../../harness/target/target.ts'
import { renderTemplate } from '../../harness/target/template.ts'
import type { CheckContext, Needs } from '../check.ts'
import { untested } from '../engine/undecided.ts'

/** What every check of the validation operation needs. */
export const VALIDATES_TOP_UPS = {
  capabilities: ['dtu-validation'],
  roles: ['full'],
  products: ['dtu'],
  operations: ['validateDtu'],
} as const satisfies Needs

/** Validates one top-up, with an amount in place of the product's own. */
export function validate(
  context: CheckContext,
  product: ProductAbility,
  amount: { readonly amount?: Scalar },
  options: CallOptions = {},
  caller: Caller = 'full',
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
