import { needData } from '../steps/cart.ts'
import { type CheckContext, type Exchange, check, show, untested } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { dataOf, isUsd } from '../steps/orders.ts'
import { strangeIdLike } from '../steps/reading.ts'
import {
  ask,
  itemsIn,
  lookedUpOf,
  LOOKS_UP,
  lookupsOf,
  pairOf,
  soldPairs,
} from '../steps/lookup.ts'
import { looksLikeAnItem } from '../steps/catalog-listing.ts'

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
    await expectSameItem(context, exchange)
    await aside(() => askForStrangers(context))
    for (const pair of soldPairs(context, 'getItem').slice(1)) {
      const other = needData(await ask(context, 'getItem', { pair }))
      context.expect('LOOK-08').that(`data of the single item of ${show(pair)} is one too`, {
        holds: looksLikeAnItem(dataOf(other)),
        expected: 'an object with id, currency, price and inStock at data',
        observed: show(dataOf(other)),
        exchanges: [other],
      })
    }
  },
})

/** Which error answers an item that is not there is not shown. Whatever it is, the rules of all answers hold for it. */
async function askForStrangers(context: CheckContext): Promise<void> {
  const pair = pairOf(context, lookedUpOf(context), 'getItem') ?? {}
  for (const [name, value] of Object.entries(pair))
    await ask(context, 'getItem', { pair: { ...pair, [name]: strangeIdLike(String(value)) } })
}

export const esimCurrency = check({
  id: 'lookup.esim-currency',
  title: 'eSIM items are looked up in USD',
  requirements: ['CAT-15'],
  needs: {
    capabilities: ['item-lookup', 'esim'],
    roles: ['full'],
    products: ['esim'],
  },
  run: async (context) => {
    const seen: { readonly exchange: Exchange; readonly currency: unknown }[] = []
    for (const { operation, pair } of lookupsOf(context, 'esim')) {
      const exchange = needData(await ask(context, operation, { pair }))
      seen.push(...itemsIn(operation, exchange).map(({ currency }) => ({ exchange, currency })))
    }
    const told = seen.filter(({ currency }) => typeof currency === 'string')
    if (told.length === 0) untested('no lookup of the product "esim" has an item with a currency')
    for (const { exchange, currency } of told)
      context.expect('CAT-15').that('an eSIM item is priced in USD', {
        holds: isUsd(currency),
        expected: 'the currency USD',
        observed: show(currency),
        exchanges: [exchange],
      })
  },
})

/** Two operations that tell the same item, where the target has both. */
async function expectSameItem(context: CheckContext, single: Exchange): Promise<void> {
  if (context.target.operations.lookupItems.path === undefined) return
  const [known, ...others] = itemsIn('lookupItems', await ask(context, 'lookupItems'))
  if (!known || others.length > 0) return
  context.expect('LOOK-08').that('the single item is the one that was asked for', {
    holds: dataOf(single)['id'] === known['id'],
    expected: `id ${show(known['id'])}, as the item lookup gives it`,
    observed: `id ${show(dataOf(single)['id'])}`,
    exchanges: [single],
  })
}
