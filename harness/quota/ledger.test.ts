import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { Exchange } from '../client/exchange.ts'
import { ledgerOn, listing } from '../../test/support/listing-ledger.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { QuotaLedger } from './ledger.ts'

describe('QuotaLedger', () => {
  it('never lets more than the budget into any stretch of one window, however many wait', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const admittedMs: number[] = []
    await Promise.all(
      Array.from({ length: 7 }, async () => {
        await ledger.admit(listing())
        admittedMs.push(clock.nowMs())
      }),
    )
    for (const [index, ms] of admittedMs.entries()) {
      const third = admittedMs[index + 2]
      if (third !== undefined) expect(third - ms).toBeGreaterThan(60_000)
    }
    expect(ledger.spent()).toMatchObject([
      { bucket: 'orders.list', partition: 'account main', spent: 7 },
    ])
    expect(ledger.spent()[0]?.waitedSeconds).toBeGreaterThan(180)
  })

  it('counts accounts, buckets and orders apart', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    for (const call of [
      listing(),
      listing(),
      listing({ account: 'other' }),
      listing({ filtered: true, order: 'a' }),
      listing({ unhide: true, order: 'a' }),
      listing({ unhide: true, order: 'b' }),
      listing({ operation: 'createOrder', checkOnly: true }),
    ])
      await ledger.admit(call)
    expect(clock.nowMs()).toBe(0)
    expect(ledger.spent().map(({ bucket, partition }) => `${bucket} ${partition}`)).toEqual([
      'orders.list account main',
      'orders.list account other',
      'orders.filtered account main',
      'orders.unhide.admission account main order a',
      'orders.unhide.admission account main order b',
      'default account main createOrder',
      'orders.check account main',
    ])
  })

  it('counts an unhide read of another key as a masked one too, for it is to find no order', async () => {
    const ledger = ledgerOn(new VirtualClock())
    await ledger.admit(listing({ role: 'sibling', unhide: true, filtered: true, order: 'a' }))
    expect(ledger.spent().map(({ bucket }) => bucket)).toEqual([
      'orders.unhide.admission',
      'orders.filtered',
    ])
  })

  it.each([
    [true, 1],
    [false, 0],
  ])(
    'counts an unhide read of an announced order as a masked one if it finds nothing: %s',
    async (isNothing, spent) => {
      const ledger = ledgerOn(new VirtualClock())
      const call = listing({
        unhide: true,
        filtered: true,
        order: 'a',
        awaitedUntilMs: 700,
      })
      await ledger.admit(call)
      const json = { data: { page: { items: isNothing ? [] : [{}] } } }
      ledger.settle(call, { response: { status: 200, headers: [] }, json } as unknown as Exchange)
      expect(ledger.spentLately({ bucket: 'orders.filtered', partition: 'account main' })).toBe(
        spent,
      )
    },
  )

  it('holds up the unhide read of an announced order until it is there, where the window of masked reads is full', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const read = { filtered: true, unpaced: true, order: 'a' } as const
    const early = { ...read, unhide: true, awaitedUntilMs: 700 }
    await ledger.admit(listing(early))
    expect(clock.nowMs()).toBe(0)
    for (let sent = 0; sent < 1_000; sent++) await ledger.admit(listing(read))
    await ledger.admit(listing(early))
    expect(clock.nowMs()).toBe(700)
  })

  it('lets no unhide read into a window of all reads that is full, though its own budget may be exceeded', async () => {
    const clock = new VirtualClock()
    const limits = { ...DEFAULT_LIMITS, default: { count: 2, windowSeconds: 60 } }
    const ledger = new QuotaLedger(clock, (bucket) => limits[bucket], { isUsed: true })
    const read = { unhide: true, unpaced: true } as const
    for (const order of ['a', 'b']) await ledger.admit(listing({ ...read, order }))
    expect(clock.nowMs()).toBe(0)
    await ledger.admit(listing({ ...read, order: 'c' }))
    expect(clock.nowMs()).toBeGreaterThan(60_000)
  })

  it('lets the holder of a counter exceed it, and makes everybody else wait until it is released', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const key = { bucket: 'orders.list', partition: 'account main' } as const
    const held = await ledger.hold('a.probe', [{ key }])
    for (let sent = 0; sent < 5; sent++) await ledger.admit(listing({ check: 'a.probe' }))
    expect(clock.nowMs()).toBe(0)
    let admitted = false
    const other = ledger.admit(listing({ check: 'another.check' }))?.then(() => (admitted = true))
    await clock.sleep(500)
    expect(admitted).toBe(false)
    held[Symbol.dispose]()
    await other
    expect(clock.nowMs()).toBeGreaterThan(60_000)
  })

  it('gives counters to one holder at a time, all or none', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const a = { bucket: 'orders.list', partition: 'account main' } as const
    const b = { bucket: 'orders.filtered', partition: 'account main' } as const
    const order: string[] = []
    const hold = async (name: string, keys: readonly (typeof a | typeof b)[]): Promise<void> => {
      using held = await ledger.hold(
        name,
        keys.map((key) => ({ key })),
      )
      order.push(`${name} has it ${held ? 'alone' : ''}`)
      await clock.sleep(1_000)
      order.push(`${name} ends`)
    }
    await Promise.all([hold('first', [a, b]), hold('second', [b, a])])
    expect(order).toEqual([
      'first has it alone',
      'first ends',
      'second has it alone',
      'second ends',
    ])
  })

  it('lets a holder of another counter send before the next check holds this one', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const a = { bucket: 'orders.list', partition: 'account main' } as const
    const b = { bucket: 'orders.filtered', partition: 'account main' } as const
    const order: string[] = []
    const first = await ledger.hold('first', [{ key: b }])
    const holdAfterwards = async (): Promise<void> => {
      using held = await ledger.hold('second', [{ key: b }])
      order.push(held ? 'second holds' : '')
      await clock.sleep(1_000)
    }
    const second = holdAfterwards()
    using _holder = await ledger.hold('holder', [{ key: a }])
    const filtered = listing({ check: 'holder', filtered: true })
    const admitted = ledger.admit(filtered)?.then(() => order.push('holder is admitted'))
    await clock.sleep(1_000)
    expect(order).toEqual([])
    first[Symbol.dispose]()
    await admitted
    await second
    expect(order).toEqual(['holder is admitted', 'second holds'])
  })

  it('ends a wait when the run is interrupted', async () => {
    const clock = new VirtualClock()
    const ledger = ledgerOn(clock)
    const stop = new AbortController()
    await ledger.admit(listing())
    await ledger.admit(listing())
    const waiting = ledger.admit(listing(), stop.signal)
    const held = await ledger.hold('a.probe', [
      { key: { bucket: 'orders.filtered', partition: 'account main' } },
    ])
    const reading = ledger.admit(listing({ filtered: true, order: 'a' }), stop.signal)
    const holding = ledger.hold(
      'b.probe',
      [{ key: { bucket: 'orders.filtered', partition: 'account main' } }],
      stop.signal,
    )
    stop.abort(new Error('interrupted'))
    for (const each of [waiting, reading, holding])
      await expect(each).rejects.toThrow('interrupted')
    held[Symbol.dispose]()
  })

  it('keeps its pace over many more units than a window has', async () => {
    const clock = new VirtualClock()
    const ledger = new QuotaLedger(clock, () => ({ count: 1000, windowSeconds: 60 }))
    const spentMs: number[] = []
    for (let unit = 0; unit < 5000; unit++) {
      await ledger.admit(listing())
      spentMs.push(clock.nowMs())
    }
    expect(spentMs.filter((_, unit) => unit % 1000 === 0)).toEqual([
      0, 60_100, 120_200, 180_300, 240_400,
    ])
    expect(spentMs.filter((_, unit) => unit % 1000 === 999)).toEqual([
      0, 60_100, 120_200, 180_300, 240_400,
    ])
    expect(ledger.spent()[0]?.spent).toBe(5000)
  })

  it('counts refusals', async () => {
    const ledger = ledgerOn(new VirtualClock())
    const call = listing()
    await ledger.admit(call)
    ledger.settle(call, { response: { status: 429 } } as Exchange)
    expect(ledger.spent()[0]?.throttled).toBe(1)
  })

  it('takes the wait that a refused read asks for to be that of its bucket, not of a window that all reads may have', async () => {
    const ledger = ledgerOn(new VirtualClock())
    const call = listing({ unhide: true, order: 'a' })
    await ledger.admit(call)
    const response = { status: 429, headers: [['retry-after', '600']] }
    ledger.settle(call, { response } as unknown as Exchange)
    expect(ledger.promisedSeconds({ bucket: 'orders.unhide.admission' })).toBe(600)
    expect(ledger.promisedSeconds({ bucket: 'default', operation: 'getOrders' })).toBe(0)
  })
})
