import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import { exchangeWith } from '../../test/support/exchanges.ts'
import { codesSeen } from './deliveries-seen.ts'

function delivery(pin: string): object {
  return { status: 'SUCCESS', result: { vouchers: [{ pin }] } }
}

function purchase(orderId: string, pin: string): Exchange {
  return exchangeWith({ operation: 'createOrder', json: { data: { orderId, ...delivery(pin) } } })
}

/** A service may name the order of a listed item as it likes. */
function reading(...items: readonly object[]): Exchange {
  const request = { url: 'http://service.example/api/v1/orders?referenceId=r&unhide=true' }
  return exchangeWith({ operation: 'getOrders', request, json: { data: { page: { items } } } })
}

const NUMBERS = '$.data.page.items[*].number'

test('the order of an item is found by the selector of the target file', () => {
  const item = { number: '7', ...delivery('KLMNOPQRST2345') }
  const history = [purchase('7', 'ABCDEFGHIJ6789'), reading(item)]
  expect(codesSeen(history, NUMBERS).map(({ by }) => by)).toEqual(['purchase', 'reveal'])
  expect(codesSeen([...history], undefined).map(({ by }) => by)).toEqual(['purchase'])
})

test('what a selector finds that is no order of the run counts for none', () => {
  const items = ['KLMNOPQRST2345', 'UVWXYZABCD9876'].map((pin) => ({
    number: 'r',
    ...delivery(pin),
  }))
  const history = [purchase('7', 'ABCDEFGHIJ6789'), reading(...items)]
  expect(codesSeen(history, NUMBERS).map(({ by }) => by)).toEqual(['purchase'])
})
