import { fractionalAmount, permittedAmounts, quantityRuleOf } from '../../harness/judge/quantity.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import { itemOf } from '../steps/catalog-listing.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, isOffered, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { findsNothing } from '../steps/orders.ts'
import { needAdmittedKey } from '../steps/dtu-check.ts'
import { statedValidity, validate, VALIDATES_TOP_UPS } from '../steps/dtu-validate.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'

function isValid(context: CheckContext, exchange: Exchange): boolean {
  return isAccepted(exchange) && statedValidity(context, exchange) !== false
}

export const validTopUp = check({
  id: 'dtu-validation.valid',
  title: 'a valid top-up is found valid',
  requirements: ['DTUV-01'],
  needs: VALIDATES_TOP_UPS,
  run: async (context) => {
    const exchange = needAdmittedKey(await validate(context))
    context.expect('DTUV-01').that('the validation of a valid top-up', {
      holds: isValid(context, exchange),
      expected: 'success, and valid',
      exchanges: [exchange],
    })
  },
})

export const leavesNoOrder = check({
  id: 'dtu-validation.no-order',
  title: 'a validation creates no order',
  requirements: ['DTUV-04'],
  // None is wanted; a faulty service would make one.
  needs: {
    ...VALIDATES_TOP_UPS,
    purchases: 2,
    ofKeysOfFile: ({ target }) =>
      templateVariables(target.operations.validateDtu.body).includes('referenceId')
        ? undefined
        : {
            verdict: 'inapplicable',
            reason:
              'a validation names no reference here, and others buy with its account: an order more could be theirs',
          },
  },
  run: async (context) => {
    const { api, isFresh, reference, target } = context
    const references = [reference(), reference()] as const
    const exchanges = [needSuccess(await validate(context, { referenceId: references[0] }))]
    if (isOffered(target, OTHER_KINDS.units.needs)) {
      const { amount = 1 } = await OTHER_KINDS.units.order(context, 'full')
      const units = { product: 'quantity', amount, referenceId: references[1] } as const
      exchanges.push(await validate(context, units))
    }
    const queries = isFresh ? [{}] : references.map((referenceId) => ({ referenceId }))
    for (const query of queries) {
      const found = await api.as('full').getOrders(query)
      if (!findsNothing(found)) needSuccess(found)
      context.expect('DTUV-04').that('an account that has validated top-ups', {
        holds: findsNothing(found),
        expected: 'no order of them',
        exchanges: [...exchanges, found],
      })
    }
  },
})

export const quantities = check({
  id: 'dtu-validation.quantity',
  formerIds: ['integer', 'fraction'].map((what) => `dtu-validation.quantity-${what}`),
  title:
    'an integer number of units within the limits of the item is found valid, and a fraction is not',
  requirements: ['DTUV-02', 'DTUV-03'],
  needs: {
    ...VALIDATES_TOP_UPS,
    capabilities: ['dtu-validation', 'quantity-items', 'catalog'],
    products: ['quantity'],
    selectors: ['listServices.services', 'listServices.items'],
  },
  run: async (context) => {
    const { item } = await itemOf(context, 'quantity')
    const rule = quantityRuleOf(item)
    const exchanges: Exchange[] = []
    for (const amount of permittedAmounts(rule)) {
      exchanges.push(await validate(context, { product: 'quantity', amount }))
      if (exchanges.some((exchange) => isValid(context, exchange))) break
    }
    if (exchanges.length === 0) untested('the limits of the item permit no amount')
    const isFound = context.expect('DTUV-02').that('an integer number of units', {
      holds: exchanges.some((exchange) => isValid(context, exchange)),
      expected: 'success, and valid',
      observed: exchanges.map(showAnswer).join('; then '),
      exchanges,
    })
    if (!isFound) untested('no number of units is found valid')
    await judgeFraction(context, fractionalAmount(rule), exchanges)
  },
})

async function judgeFraction(
  context: CheckContext,
  fraction: number | undefined,
  before: readonly Exchange[],
): Promise<void> {
  if (fraction === undefined) untested('the limits of the item leave no fraction to try')
  const exchange = await validate(context, { product: 'quantity', amount: fraction })
  if (isAccepted(exchange) && typeof statedValidity(context, exchange) !== 'boolean')
    untested(
      'whether this success means valid is not known: the selector validateDtu.valid gives no boolean',
    )
  context.expect('DTUV-03').that(`${fraction} units`, {
    holds: isRefusedForBody(exchange) || (isAccepted(exchange) && !isValid(context, exchange)),
    expected: 'a client error for the body, or found not valid',
    exchanges: [...before, exchange],
  })
}
