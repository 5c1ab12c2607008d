import { expect, test } from 'vitest'
import type { VariantName } from '../../reference/base/variants.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import { controlAccounts } from '../accounts/control-accounts.ts'
import type { Transport } from '../client/exchange.ts'
import type { Target } from '../target-file/target.ts'
import { readCatalogPrices, type CatalogPrices } from './catalog-prices.ts'
import { introduce } from './introduce.ts'

/** What the catalog of the reference service asks, held against a target that is changed. */
async function pricesOf(
  change: (target: Target) => Target,
  variants: readonly VariantName[] = [],
  network = (transport: Transport): Transport => transport,
): Promise<CatalogPrices> {
  const clock = new VirtualClock()
  const { target, transport, maker } = embedInProcess({
    faults: [],
    windowSeconds: 2,
    clock,
    service: { variants },
  })
  const accounts = controlAccounts(maker, 'USD')
  const changed = change(target)
  const api = await introduce({
    target: changed,
    accounts,
    transport: network(transport),
    clock,
  })
  return readCatalogPrices(api, changed, ['voucher', 'quantity', 'esim', 'dtu'])
}

const voucherAt =
  (unitPrice: string) =>
  (target: Target): Target => ({
    ...target,
    products: {
      ...target.products,
      voucher: {
        ...target.products.voucher,
        variables: target.products.voucher?.variables ?? {},
        unitPrice,
      },
    },
  })

test('a file that is right raises no hazard; units of a quantity item are priced by its unitPrice', async () => {
  const { prices, hazards } = await pricesOf((target) => target)
  expect(hazards).toEqual([])
  expect(prices.map(({ product, micros, per }) => [product, Number(micros), per])).toEqual([
    ['voucher', 1_000_000, 'unit'],
    ['quantity', 20_000, 'unit'],
    ['esim', 4_500_000, 'unit'],
    ['dtu', 1_000_000, 'order'],
  ])
})

test.each(['currencies-lower-case', 'item-currencies-numeric'] as const)(
  'another spelling of the currency is no other currency: %s',
  async (variant) => {
    const { prices, hazards } = await pricesOf((target) => target, [variant])
    expect(hazards).toEqual([])
    expect(new Set(prices.map(({ currency }) => currency))).toEqual(new Set(['USD']))
  },
)

test('a price of the file that is too low is told with both prices', async () => {
  const { hazards } = await pricesOf(voucherAt('0.01'))
  expect(hazards).toEqual([
    'The catalog asks USD 1.00 for the product voucher, the target file states 0.01: the higher price is reckoned with. Correct products.voucher.unitPrice.',
  ])
})

test('without a selector of items each is looked up', async () => {
  const { prices } = await pricesOf((target) => ({
    ...target,
    operations: {
      ...target.operations,
      listServices: { ...target.operations.listServices, selectors: {} },
    },
  }))
  expect(prices.map(({ product }) => product)).toEqual(['voucher', 'quantity', 'esim', 'dtu'])
})

const inEuro = (transport: Transport): Transport => ({
  ...transport,
  send: async (...request) => {
    const answer = await transport.send(...request)
    return { ...answer, body: answer.body.replaceAll('"currency":"USD"', '"currency":"EUR"') }
  },
})
const statedInEuro = (target: Target): Target => ({
  ...target,
  products: {
    ...target.products,
    quantity: {
      ...target.products.quantity,
      variables: target.products.quantity?.variables ?? {},
      currency: 'EUR',
      unitPrice: '0.01',
    },
  },
})

test('the unitPrice of an item in another currency is in USD, so it is no price of an order', async () => {
  const { prices, hazards } = await pricesOf(statedInEuro, [], inEuro)
  expect(prices.map(({ product }) => product)).not.toContain('quantity')
  expect(hazards.filter((hazard) => hazard.includes('quantity'))).toEqual([])
})
