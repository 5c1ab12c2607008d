import { type CheckContext, check, isAccepted, needSuccess, untested } from '../engine/kit.ts'
import { ask, LOOKS_UP, LOOKUPS, type Lookup } from '../steps/lookup.ts'

const NEEDS = { ...LOOKS_UP, operations: [] } as const

/** Those of the two operations whose path the target file gives. */
function operationsOf({ target }: CheckContext): readonly Lookup[] {
  const known = LOOKUPS.filter((operation) => target.operations[operation].path !== undefined)
  if (known.length === 0) untested('no path operations.lookupItems.path or operations.getItem.path')
  return known
}

export const browserLooksUp = check({
  id: 'lookup.scopes-suffice',
  title: 'product:read alone is enough to look items up',
  requirements: ['SCOPE-08'],
  needs: { ...NEEDS, roles: ['full', 'browser'] },
  run: async (context) => {
    for (const operation of operationsOf(context)) {
      const full = needSuccess(await ask(context, operation))
      const exchange = await ask(context, operation, { role: 'browser' })
      const prices = [full, exchange].map(({ json }) => countOfPrices(json))
      context.expect('SCOPE-08').that(`${operation} answers a key with product:read alone`, {
        holds: isAccepted(exchange) && prices[0] === prices[1],
        expected: `a success with ${prices[0]} prices, as for a key that has more scopes`,
        exchanges: [full, exchange],
      })
    }
  },
})

/** How many members of the name `price` an answer has. */
function countOfPrices(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [name, child]) => sum + (name === 'price' ? 1 : countOfPrices(child)),
    0,
  )
}
