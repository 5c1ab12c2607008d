import { expect, test } from 'vitest'
import type { FaultName } from './faults.ts'
import { SHAPE_FAULTS, type ShapeFault, type ShapeFaultName } from './shape.ts'
import { ORDERS, bench, esimOrder, shopOrder, topUpOrder } from '../../test/reference/kit.ts'
import type { Bench } from '../../test/reference/kit.ts'

/** Every kind of answer once, so that each fault finds what it distorts. */
async function answersOf({ peer, clock }: Bench): Promise<unknown[]> {
  const caller = peer()
  const quote = await caller.post('/api/v1/platform-gifts/quotes', {
    editionId: 'edition-lantern',
    recipientRegion: 'EU',
  })
  const url = 'https://platform.example/somebody'
  const gift = {
    ordersType: 'platform-gift',
    referenceId: 'gift',
    // Tokens are signed anew by every service: what follows must not depend on the one that was distorted.
    quoteToken: quote.body.data?.['quoteToken'] ?? '',
    gifts: [{ recipient_region: 'EU', invite_url: url, profile_url: url }],
  }
  const lookup = { items: [{ serviceId: 'svc-arcade', itemId: 'arcade-1' }] }
  const position = { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }
  const replies = [
    await caller.get('/nowhere'),
    await caller.post(ORDERS, {}),
    await caller.get('/api/v1/services'),
    await caller.post('/api/v1/items/lookup', lookup),
    await caller.post(ORDERS, shopOrder('shop')),
    await caller.post(ORDERS, topUpOrder('dtu')),
    await caller.post(ORDERS, esimOrder('esim')),
    await caller.post('/carts', { referenceId: 'cart', positions: [position] }),
  ]
  await caller.post(ORDERS, gift)
  clock.advance(2_000)
  for (const referenceId of ['shop', 'dtu', 'esim', 'gift'])
    replies.push(await caller.get(`${ORDERS}?referenceId=${referenceId}`))
  const token = typeof quote.body.data?.['quoteToken']
  const bodies = replies.map((reply) => JSON.parse(reply.text) as unknown)
  return [{ ...quote.body, data: { ...quote.body.data, quoteToken: token } }, ...bodies]
}

function observe(faults: readonly FaultName[]): Promise<unknown[]> {
  return answersOf(bench({ faults, platformGift: 'enabled' }))
}

/** Paths of all leaves and empty containers, with stars for the places in arrays below the list of answers. */
function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, JSON.stringify(value)]]
  const step = (name: string): string => (Array.isArray(value) ? '*' : name)
  return entries.flatMap(([name, inner]) =>
    leaves(inner, path === '' ? step(name) : `${path}.${step(name)}`),
  )
}

function differences(clean: unknown, faulty: unknown): string[] {
  const [before, after] = [leaves(clean, ''), leaves(faulty, '')].map((all) =>
    all.map(([path, value]) => `${path}=${value}`),
  )
  const [was, is] = [new Set(before), new Set(after)]
  return [...was.symmetricDifference(is)].map((leaf) => leaf.slice(0, leaf.indexOf('=')))
}

test.each(Object.entries<ShapeFault>(SHAPE_FAULTS))(
  '%s changes the property that it names and nothing else',
  async (name, { path }) => {
    const [clean, faulty] = [await observe([]), await observe([name as ShapeFaultName])]
    const changed = clean.flatMap((answer, index) => differences(answer, faulty[index]))
    const named = path.join('.')
    // Removing the token keeps the gift from being ordered: the story cannot go on as before.
    const unrelated = changed.filter((at) => at !== named && !at.startsWith(`${named}.`))
    if (name !== 'shape-quote-token') expect(unrelated).toEqual([])
    expect(changed).not.toEqual([])
  },
)
