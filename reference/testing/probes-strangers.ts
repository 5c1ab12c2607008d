/** What a service that nobody here wrote got wrong in one mode or another, without any check turning red. */
import { ORDERS, itemsOf, laterOrder, orderIdOf, shopOrder, topUpOrder } from './kit.ts'
import type { Probe } from './probes.ts'

const LONG = 'r'.repeat(40)

export const STRANGER_PROBES: Readonly<Record<string, Probe>> = {
  'unhide by another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post(ORDERS, shopOrder('a'))
    return itemsOf(await two.get(`${ORDERS}?referenceId=a&unhide=true`)).length
  },
  'cancelled order, read': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a', 'bundle-gone'))
    clock.advance(2_000)
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a`)).length
  },
  'long references alike': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, shopOrder(`${LONG}a`))
    return orderIdOf(first) === orderIdOf(await caller.post(ORDERS, shopOrder(`${LONG}b`)))
  },
  'reference of another kind': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, shopOrder('a'))
    return orderIdOf(first) === orderIdOf(await caller.post(ORDERS, topUpOrder('a')))
  },
  'replay a second later': async ({ peer, clock }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, shopOrder('a'))
    clock.advance(1_000)
    const again = await caller.post(ORDERS, shopOrder('a'))
    return again.body.data?.['createdAt'] === first.body.data?.['createdAt']
  },
  'charge of an invalid order': async ({ service, peer }) => {
    const caller = peer({ transactionLimit: '10.00' })
    await caller.post(ORDERS, shopOrder('a', -1))
    return service.control.keyFacts(caller.key).transactionUsed
  },
  'charge of a check that succeeds': async ({ service, peer }) => {
    const caller = peer({ transactionLimit: '10.00' })
    await caller.post(ORDERS, topUpOrder('a', { checkOnly: true }))
    return service.control.keyFacts(caller.key).transactionUsed
  },
}
