import { expect, test } from 'vitest'
import { VirtualClock } from '../../../test/support/virtual-clock.ts'
import { embedInProcess } from '../../../test/support/in-process.ts'
import type { Scalar } from '../../target-file/target.ts'
import { purchasableOf, planBursts } from './burst-plan.ts'

const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock: new VirtualClock() })

/** Amounts of one and of two units of a top-up whose product says this of its amount. */
function amountsOf(own: Scalar | undefined): unknown[] {
  const { dtu } = target.products
  if (!dtu) throw new Error('the embedded target sells no top-ups')
  const { amount: _none, ...variables } = dtu.variables
  const product = {
    ...dtu,
    variables: own === undefined ? variables : { ...variables, amount: own },
  }
  const changed = { ...target, products: { ...target.products, dtu: product } }
  const purchasable = purchasableOf(changed, 'dtu', { kind: 'dtu', unitsMax: 2 })
  if ('lacks' in purchasable) throw new Error(purchasable.lacks)
  const { products } = planBursts(
    'spend-contention',
    changed,
    { scripts: [], purchasables: [purchasable] },
    [],
  ).file
  return (products[0]?.bodies ?? []).map((body) => (JSON.parse(body) as { amount: unknown }).amount)
}

test('top-ups are bought by the amount of their product, which its price is for, else by the unit', () => {
  expect(amountsOf(undefined)).toEqual([1, 2])
  expect(amountsOf(25)).toEqual([25, 50])
  expect(amountsOf('25.00')).toEqual(['25.00', '25.00'])
})
