import { expect, it } from 'vitest'
import { exchangeWith } from '../../test/support/exchanges.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { Announced, findsNothing } from './announced.ts'
import type { Exchange } from './exchange.ts'

const FOUND = { data: { page: { items: [{ status: 'IN_PROGRESS' }] } } }
const NOTHING = { data: { page: { items: [] } } }

function answer(status: number, json: unknown): Exchange {
  return exchangeWith({
    operation: 'createOrder',
    request: { method: 'POST', body: '{"referenceId":"r1"}' },
    response: { status },
    json,
  })
}

/** Whether an order comes that is found at the given look, and how often was looked. */
async function comes(
  first: Exchange,
  foundAt: number,
  announced = heardOf(202),
): Promise<unknown[]> {
  let looks = 0
  const clock = new VirtualClock()
  const look = (): Promise<Exchange> => {
    looks += 1
    return Promise.resolve(answer(200, looks >= foundAt ? FOUND : NOTHING))
  }
  return [await announced.comes(first, 'o1', { clock, look }), looks]
}

function heardOf(status: number): Announced {
  const announced = new Announced()
  announced.hear(answer(status, { data: { orderId: 'o1' } }))
  return announced
}

it('takes null in place of a list for nothing found', () => {
  expect(findsNothing(answer(200, { data: { page: { items: null } } }))).toBe(true)
  expect(findsNothing(answer(200, { data: { page: {} } }))).toBe(false)
})

it('looks for an order until it is found, within a second', async () => {
  expect(await comes(answer(200, NOTHING), 2, heardOf(200))).toEqual([true, 2])
  expect(await comes(answer(200, NOTHING), 2)).toEqual([true, 2])
  expect(await comes(answer(404, null), 1)).toEqual([true, 1])
  expect(await comes(answer(200, NOTHING), 9)).toEqual([false, 3])
})

it('does not look for what was refused or found, nor twice', async () => {
  expect(await comes(answer(200, NOTHING), 1, heardOf(409))).toEqual([undefined, 0])
  expect(await comes(answer(200, FOUND), 1)).toEqual([undefined, 0])
  const announced = heardOf(202)
  await comes(answer(200, FOUND), 1, announced)
  expect(await comes(answer(200, NOTHING), 1, announced)).toEqual([false, 0])
})

it('looks for all orders that a checkout announced under its reference, and for each alone', async () => {
  const announced = new Announced()
  announced.hear(answer(202, { data: { orders: [{ orderId: 'o1' }, { orderId: 'o2' }] } }))
  const items = [{ status: 'IN_PROGRESS' }, { status: 'IN_PROGRESS' }]
  const clock = new VirtualClock()
  const look = (): Promise<Exchange> => Promise.resolve(answer(200, { data: { page: { items } } }))
  expect(await announced.comes(answer(200, FOUND), 'r1', { clock, look })).toBe(true)
  expect(announced.comes(answer(200, FOUND), 'o1', { clock, look })).toBeUndefined()
})
