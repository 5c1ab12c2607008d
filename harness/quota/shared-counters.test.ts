/** How checks that use the same counter share it (harness/quota/counter.ts). */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import { ledgerOn, listing } from '../../test/support/listing-ledger.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { QuotaLedger } from './ledger.ts'

const LISTING = { bucket: 'orders.list', partition: 'account main' } as const
const FILTERED = { bucket: 'orders.filtered', partition: 'account main' } as const

describe('requests that are set aside', () => {
  it('wait for nobody, and others use the rest', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    using _held = await ledger.hold('a.polls', [{ key: LISTING, units: 1 }])
    await ledger.admit(listing())
    const second = ledger.admit(listing())
    expect(second).toBeInstanceOf(Promise)
    expect(ledger.admit(listing({ check: 'a.polls' }))).toBeUndefined()
    await second
    expect(clock.nowMs()).toBe(60_100)
    // What was set aside is there again in the next window.
    expect(ledger.admit(listing({ check: 'a.polls' }))).toBeUndefined()
  })

  it('are found although others wait for the same window', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    await ledger.admit(listing())
    await ledger.admit(listing())
    const order: string[] = []
    const single = ledger.admit(listing())?.then(() => order.push('single'))
    const setAside = async (): Promise<void> => {
      using _held = await ledger.hold('a.lists', [{ key: LISTING, units: 2 }])
      await ledger.admit(listing({ check: 'a.lists' }))
      order.push('set aside')
    }
    await Promise.all([single, setAside()])
    expect(order).toEqual(['set aside', 'single'])
  })

  it('are there only once a window has passed, where the account was used before', async () => {
    const clock = new VirtualClock()
    const limit = { count: 2, windowSeconds: 60 }
    const ledger = new QuotaLedger(clock, () => limit, { isUsed: true })
    const spends = await ledger.hold('a.spends', [{ key: FILTERED }])
    expect(clock.nowMs()).toBe(0)
    spends[Symbol.dispose]()
    using _held = await ledger.hold('a.looks', [{ key: LISTING, units: 1 }])
    expect(clock.nowMs()).toBe(60_100)
  })

  it('are there again before a check is carried out once more', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    using _held = await ledger.hold('a.looks', [{ key: LISTING, units: 1 }])
    await ledger.refilled('a.looks')
    expect(clock.nowMs()).toBe(0)
    await ledger.admit(listing({ check: 'a.looks' }))
    await ledger.refilled('a.looks')
    expect(clock.nowMs()).toBe(60_100)
  })

  it('do not keep a check that holds another counter from sending', async () => {
    const ledger = ledgerOn(new VirtualClock())
    using _aside = await ledger.hold('a.lists', [{ key: LISTING, units: 2 }])
    using _alone = await ledger.hold('a.spends', [{ key: FILTERED }])
    expect(ledger.admit(listing({ check: 'a.spends' }))).toBeUndefined()
    expect(ledger.admit(listing())).toBeInstanceOf(Promise)
  })
})

describe('a spent window', () => {
  it('is shared by checks that look while it is spent, before one that wants a window unused', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const order: string[] = []
    const look = async (check: string, units?: number): Promise<void> => {
      using _held = await ledger.hold(check, [{ key: LISTING, units }])
      for (let sent = 0; sent < 3; sent++) await ledger.admit(listing({ check, unpaced: true }))
      order.push(`${check} at ${clock.nowMs()}`)
    }
    await Promise.all([look('a.looks'), look('b.unused', Infinity), look('c.looks')])
    expect(order).toEqual(['a.looks at 0', 'c.looks at 0', 'b.unused at 60100'])
  })

  it('is left unused to a check that waited first for that, and found spent afterwards', async () => {
    const clock = new VirtualClock()
    const limit = { count: 2, windowSeconds: 60 }
    const ledger = new QuotaLedger(clock, () => limit, { isUsed: true })
    const order: string[] = []
    const look = async (check: string, units?: number): Promise<void> => {
      using _held = await ledger.hold(check, [{ key: LISTING, units }])
      for (let sent = 0; sent < 3; sent++) await ledger.admit(listing({ check, unpaced: true }))
      order.push(`${check} at ${clock.nowMs()}`)
    }
    await Promise.all([look('a.unused', Infinity), look('b.looks')])
    expect(order).toEqual(['a.unused at 60100', 'b.looks at 60100'])
  })

  it('goes to the check that has waited longest, of those that have all else', async () => {
    const ledger = ledgerOn(new VirtualClock())
    const order: string[] = []
    const hold = async (
      check: string,
      ...keys: readonly (typeof LISTING | typeof FILTERED)[]
    ): Promise<void> => {
      using _held = await ledger.hold(
        check,
        keys.map((key) => ({ key })),
      )
      order.push(check)
    }
    const first = await ledger.hold('first', [{ key: FILTERED }])
    const both = hold('both', LISTING, FILTERED)
    first[Symbol.dispose]()
    await Promise.all([both, hold('listing', LISTING)])
    expect(order).toEqual(['both', 'listing'])
  })

  it('does not count what was refused for its key', async () => {
    const ledger = ledgerOn(new VirtualClock())
    for (let sent = 0; sent < 5; sent++) {
      const call = listing({ role: 'revoked' })
      expect(ledger.admit(call)).toBeUndefined()
      ledger.settle(call, { response: { status: 401 } } as Exchange)
    }
  })
})
