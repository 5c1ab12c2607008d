import { expect, test } from 'vitest'
import type { FaultName } from '../../reference/faults/faults.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import { targetOf } from '../../harness/test-server/embedded.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

const SERVICE = targetOf('http://in-process.invalid', 'http://control.in-process.invalid', {
  faults: [],
  windowSeconds: 2,
})

type Ids = { readonly serviceId: string; readonly itemId: string }
type Coding = (ids: Ids) => string

/** Every item that the target sells, by its code. */
function codesOf(coding: Coding): ReadonlyMap<string, Ids> {
  const sold = Object.values(SERVICE.products).map(({ variables }) => variables as Ids)
  return new Map(
    sold.map(({ serviceId, itemId }) => [coding({ serviceId, itemId }), { serviceId, itemId }]),
  )
}

/** A target whose lookups ask by one code in the place of two ids. */
function askingBy(coding: Coding): typeof SERVICE {
  const products = Object.entries(SERVICE.products).map(([ability, product]) => [
    ability,
    { ...product, variables: { ...product.variables, code: coding(product.variables as Ids) } },
  ])
  const lookupItems = { ...SERVICE.operations.lookupItems, body: { items: [{ code: '{{code}}' }] } }
  return {
    ...SERVICE,
    products: Object.fromEntries(products) as typeof SERVICE.products,
    operations: { ...SERVICE.operations, lookupItems },
  }
}

/** The service in this process takes ids: the codes are replaced on the way. */
function replacing(codes: ReadonlyMap<string, Ids>): (transport: Transport) => Transport {
  return (transport) => ({
    ...transport,
    send: (request, hooks, signal) => {
      if (!request.url.endsWith('/items/lookup')) return transport.send(request, hooks, signal)
      const { items } = JSON.parse(request.body ?? '') as { items: readonly { code: string }[] }
      const body = JSON.stringify({
        items: items.map(({ code }) => codes.get(code) ?? idsIn(code)),
      })
      return transport.send({ ...request, body }, hooks, signal)
    },
  })
}

/** Of a code that no item has. */
function idsIn(code: string): Ids {
  const [serviceId = '', itemId = ''] = code.split('/')
  return { serviceId, itemId }
}

const both: Coding = ({ serviceId, itemId }) => `${serviceId}/${itemId}`
const opaque: Coding = (ids) => Buffer.from(both(ids)).toString('hex')

test.each<{
  readonly asks: string
  readonly coding: Coding
  readonly faults: readonly FaultName[]
  readonly verdict: string
}>([
  { asks: 'service/item', coding: both, faults: [], verdict: 'pass' },
  { asks: 'service/item', coding: both, faults: ['lookup-answers-first-pair'], verdict: 'fail' },
  { asks: 'service/item', coding: both, faults: ['lookup-omits-missing'], verdict: 'fail' },
  { asks: 'an opaque code', coding: opaque, faults: [], verdict: 'untested' },
])('a lookup by $asks, with $faults, is judged: $verdict', async ({ coding, faults, verdict }) => {
  const { outcomes } = await virtualRun({
    target: askingBy(coding),
    faults,
    network: replacing(codesOf(coding)),
    checks: ALL_CHECKS.filter(({ id }) => id === 'lookup.pairs'),
    invariants: [],
  })
  expect(outcomes.map(({ check }) => [check.id, check.verdict])).toEqual([
    ['lookup.pairs', verdict],
  ])
})
