import { expect, test } from 'vitest'
import type { Transport } from '../../../harness/client/exchange.ts'
import type { Product, Target } from '../../../harness/target-file/target.ts'
import { embedInProcess } from '../../../test/support/in-process.ts'
import { VirtualClock } from '../../../test/support/virtual-clock.ts'
import { virtualRun } from '../../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../../registry.ts'

const OF_USD = ['esim', 'esim-raw', 'platform-gift']

/** The service sells all but eSIMs and gifts in EUR. A unitPrice stays in USD. */
function inEuro(transport: Transport): Transport {
  return {
    ...transport,
    send: async (request, ...rest) => {
      const answer = await transport.send(request, ...rest)
      const isOfUsd = OF_USD.some((kind) => request.body?.includes(`"${kind}"`))
      const body = answer.body.replaceAll('"currency":"USD"', '"currency":"EUR"')
      return isOfUsd ? answer : { ...answer, body }
    },
  }
}

/** The same at a rate of exchange at which no eSIM fits the cap. */
function withDearEsims(transport: Transport): Transport {
  const euro = inEuro(transport)
  return {
    ...euro,
    send: async (request, ...rest) => {
      const answer = await euro.send(request, ...rest)
      return request.body?.includes('"esim"') ? { ...answer, status: 409 } : answer
    },
  }
}

function soldInEuro(target: Target): Target {
  const products = Object.entries<Product>(target.products)
  const stated = products.map(([ability, product]) => [
    ability,
    OF_USD.includes(ability) ? product : { ...product, currency: 'EUR' },
  ])
  return { ...target, products: Object.fromEntries(stated) as Target['products'] }
}

async function soldSo(id: string, network = inEuro): Promise<string[]> {
  const service = { platformGift: 'enabled' } as const
  const { target } = embedInProcess({
    faults: [],
    windowSeconds: 2,
    clock: new VirtualClock(),
    service,
  })
  const { outcomes } = await virtualRun({
    service,
    target: soldInEuro(target),
    network,
    checks: ALL_CHECKS.filter((check) => check.id === id),
    invariants: [],
  })
  return outcomes.map(({ check: { verdict, reason } }) =>
    reason === undefined ? verdict : `${verdict}: ${reason}`,
  )
}

const CASES = {
  'orders.quantity-price': 'such orders are priced in EUR and unitPrice is in USD',
  'esim.cap': 'the purchase is in USD, the cap of the key in EUR',
  'platform-gift.cap': 'the purchase is in USD, the cap of the key in EUR',
  'transaction-limit.exact-esim': 'an eSIM costs USD, and the cap is in EUR',
  'transaction-limit.concurrent-esims': 'eSIMs cost USD, and the cap is in EUR',
  'transaction-limit.concurrent-gifts': 'gifts cost USD, and the cap is in EUR',
}

test.each(Object.entries(CASES))(
  '%s does not apply to a shop that sells in EUR',
  async (id, reason) => {
    expect(await soldSo(id)).toEqual([`inapplicable: ${reason}: how the two compare is not shown`])
  },
)

test('esim.cap does not apply either where no eSIM fits a cap in EUR', async () => {
  const reason = `${CASES['esim.cap']}: how the two compare is not shown`
  expect(await soldSo('esim.cap', withDearEsims)).toEqual([`inapplicable: ${reason}`])
})

test('a cap that is one cent short is not made in EUR', async () => {
  const reason = 'inapplicable: the cap is in EUR: only of USD is a cent known'
  expect(await soldSo('transaction-limit.one-cent-short')).toEqual([reason])
})

test.each(['nothing-by-invalid', 'nothing-by-media-type', 'nothing-by-throttled'])(
  'transaction-limit.%s is decided by what is sold in EUR',
  async (name) => {
    expect(await soldSo(`transaction-limit.${name}`)).toEqual(['pass'])
  },
)
