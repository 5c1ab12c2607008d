import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CATALOG } from '../catalog/catalog.ts'
import type { ServiceOptions } from '../service.ts'
import { ORDERS, bench } from '../../test/reference/kit.ts'
import type { Reply } from '../../test/reference/kit.ts'

const VOUCHERS = CATALOG.filter((service) => service.type === 'voucher')
const items = VOUCHERS.flatMap(({ id, items: sold }) => sold.map((item) => [id, item.id] as const))

const order = fc.record({
  item: fc.constantFrom(...items),
  quantity: fc.integer({ min: 1, max: 40 }),
  referenceId: fc.stringMatching(/^[\w.:-]{1,64}$/),
  waitMs: fc.integer({ min: 0, max: 40_000_000_000 }),
})
type Wanted = typeof order extends fc.Arbitrary<infer T> ? T : never

async function bought(wanted: readonly Wanted[], options: ServiceOptions): Promise<Reply[]> {
  const { clock, peer } = bench(options)
  const caller = peer()
  const replies: Reply[] = []
  for (const { item, quantity, referenceId, waitMs } of wanted) {
    clock.advance(waitMs)
    const [serviceId, itemId] = item
    const body = { ordersType: 'shop', referenceId, serviceId, itemId, quantity }
    replies.push(await caller.post(ORDERS, body))
  }
  return replies
}

test.each([0, 5])(
  'a usual order is written as presenting it gives, with a quote that takes %i ms',
  async (quoteLatencyMs) => {
    const run = fc.asyncProperty(
      fc.array(order, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      async (wanted, seed) => {
        const options = { seed, quoteLatencyMs }
        // A fault that none of these requests meets leads past everything that is written in advance.
        const presented = await bought(wanted, { ...options, faults: ['whoami-other-address'] })
        expect(await bought(wanted, options)).toEqual(presented)
      },
    )
    await fc.assert(run, { numRuns: 60 })
  },
)
