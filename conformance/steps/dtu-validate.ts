import type { ProductAbility } from '../../contract/capabilities.ts'
import { amountOf } from '../../harness/client/bodies.ts'
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

/** Who validates what. Default: one top-up of the product "dtu", under a reference of its own. */
type Validation = CallOptions & {
  readonly caller?: Caller
  readonly product?: ProductAbility
  readonly amount?: Scalar
  readonly referenceId?: string
}

export function validate(
  { target, api, reference }: CheckContext,
  {
    caller = 'full',
    product = 'dtu',
    amount,
    referenceId = reference(),
    ...options
  }: Validation = {},
): Promise<Exchange> {
  const template = target.operations.validateDtu.body
  if (template === undefined)
    untested('the target file gives no body template operations.validateDtu.body')
  const variables = {
    quantity: 1,
    ...amountOf(target, product),
    ...target.products[product]?.variables,
    ...(amount !== undefined && { amount }),
    referenceId,
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
