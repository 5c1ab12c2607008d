import { needData } from '../cart/steps.ts'
import { check } from '../check.ts'
import { show } from '../engine/describe.ts'
import { dataOf } from '../orders/steps.ts'
import { looksLikeAnItem } from './items.ts'
import { ask, LOOKS_UP } from './steps.ts'

export const singleItem = check({
  id: 'lookup.single-item',
  title: 'the data of the single-item operation is itself a product item',
  requirements: ['LOOK-08'],
  needs: { ...LOOKS_UP, operations: ['getItem'] },
  run: async (context) => {
    const exchange = needData(await ask(context, 'getItem'))
    context.expect('LOOK-08').that('data of the single item is a product item', {
      holds: looksLikeAnItem(dataOf(exchange)),
      expected: 'an object with id, currency, price and inStock at data',
      observed: show(dataOf(exchange)),
      exchanges: [exchange],
    })
  },
})
