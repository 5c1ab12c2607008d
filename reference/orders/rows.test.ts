import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyFieldsOf } from '../auth/accounts.ts'
import type { ApiKey } from '../auth/accounts.ts'
import { Identifiers } from '../identifiers.ts'
import { Order } from './order.ts'
import type { OrderLine, Purchase } from './order.ts'
import { References } from './references.ts'
import { OrderRows } from './rows.ts'

const identifiers = new Identifiers(1)
const key = { id: 'key-1', ...keyFieldsOf({ scopes: [] }) } as unknown as ApiKey
const line: OrderLine = {
  ordersType: 'shop',
  quantity: 1,
  priceMinor: 100,
  currency: 'USD',
  delivery: { asynchronous: false, outcome: 'SUCCESS' },
}

function orderOf(serial: number, referenceId = `reference-${serial}`): Order {
  const moments = { createdAtWallMs: serial * 10, readyAtMs: serial + 0.5 }
  return new Order(identifiers, { serial, line, key, referenceId, ...moments })
}

function purchaseOf(orders: readonly Order[], kind: Purchase['kind'] = 'order'): Purchase {
  const referenceId = orders[0]?.referenceId ?? ''
  return { kind, referenceId, key, orders, canonicalPayload: undefined, requestText: undefined }
}

test('orders come back as they were kept, whatever is dropped and passed over between them', () => {
  const step = fc.record({
    pushes: fc.nat({ max: 90 }),
    gap: fc.constantFrom(0, 0, 1, 3, 200),
    shifts: fc.nat({ max: 90 }),
  })
  const run = fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
    const rows = new OrderRows(identifiers)
    let model: Order[] = []
    let serial = 0
    for (const { pushes, gap, shifts } of steps) {
      serial += gap
      for (let push = 0; push < pushes; push++) {
        const order = orderOf(++serial)
        rows.push(order)
        model.push(order)
      }
      for (let shift = 0; shift < shifts; shift++) {
        expect(rows.oldest()).toEqual(model[shift])
        rows.shift()
      }
      const dropped = model.slice(0, shifts)
      model = model.slice(shifts)
      expect(rows.size).toBe(model.length)
      expect([...rows]).toEqual(model)
      for (const order of dropped) expect(rows.at(order.serial)).toBeUndefined()
      for (const order of model) expect(rows.at(order.serial)).toEqual(order)
      expect([rows.at(serial + 1), rows.at(-1), rows.at(Number.NaN)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    }
  })
  fc.assert(run, { numRuns: 50 })
})

const references = fc.constantFrom('a', 'b', 'c', 'd', 'e')

test.each([
  ['references of different hashes', undefined],
  ['references of one hash', (): number => 7],
])('%s find what was bought under them last', (_name, hash) => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('buy' as const), referenceId: references }),
    fc.record({ act: fc.constant('check out' as const), referenceId: references }),
    fc.record({ act: fc.constant('forget' as const), referenceId: references }),
  )
  const run = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const rows = new OrderRows(identifiers)
    const bought = new References(rows, hash)
    const model = new Map<string, Purchase>()
    for (const [index, { act, referenceId }] of steps.entries()) {
      if (act === 'forget') {
        bought.forget(referenceId)
        model.delete(referenceId)
      } else {
        const order = orderOf(index + 1, referenceId)
        const purchase = purchaseOf([order], act === 'buy' ? 'order' : 'checkout')
        rows.push(order)
        bought.set(purchase)
        model.set(referenceId, purchase)
      }
      for (const each of ['a', 'b', 'c', 'd', 'e', 'f'])
        expect(bought.find(each)).toEqual(model.get(each))
    }
  })
  fc.assert(run)
})
