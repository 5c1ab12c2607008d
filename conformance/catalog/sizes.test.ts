import { expect, test } from 'vitest'
import type { Transport, WireResponse } from '../../harness/client/exchange.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

/** The first has no letter e, which a check searches for. */
const WORDS = ['Fjord', 'Birch', 'Cobalt', 'Dusk', 'Ember', 'Amber', 'Grove', 'Harbor']

/** A right catalog of vouchers alone. It refuses a page of no products. */
function catalogOf(count: number, query: URLSearchParams): { status: number; data: object } {
  const services = Array.from({ length: count }, (_, index) => ({
    id: `svc-${index}`,
    name: `${WORDS[index % WORDS.length]} card ${index}`,
    type: 'voucher',
    items: [{ id: `item-${index}`, currency: 'USD', price: 1, inStock: 5 }],
  }))
  const numberOf = (name: string): number | undefined =>
    query.has(name) ? Number(query.get(name)) : undefined
  const [limit, offset] = [numberOf('limit'), numberOf('offset')]
  const type = query.get('type') ?? 'voucher'
  if ((limit ?? 1) < 1 || (offset ?? 0) < 0 || !['voucher', 'direct_topup', 'esim'].includes(type))
    return { status: 422, data: {} }
  const search = (query.get('search') ?? '').toLowerCase()
  const found =
    type === 'voucher' ? services.filter(({ name }) => name.toLowerCase().includes(search)) : []
  if (limit === undefined && offset === undefined) return { status: 200, data: { services: found } }
  const start = offset ?? 0
  const page = found.slice(start, start + (limit ?? 20))
  return { status: 200, data: { services: page, total: found.length } }
}

function listing(transport: Transport, count: number): Transport {
  let answers = 0
  return {
    ...transport,
    send: async (request, ...rest): Promise<WireResponse> => {
      const answer = await transport.send(request, ...rest)
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== '/api/v1/services' || answer.status !== 200) return answer
      const { status, data } = catalogOf(count, searchParams)
      const envelope = {
        data,
        status: 'SUCCESS',
        statusCode: 0,
        statusMessage: '',
        traceId: `t${answers++}`,
      }
      return { ...answer, status, body: JSON.stringify(envelope) }
    },
  }
}

/** Nothing of the target file tells what to search for. */
function unsearched(target: Target): Target {
  const { voucher, ...products } = target.products
  const { search: _none, ...plain } = voucher ?? {
    variables: {},
    currency: 'USD',
    unitPrice: '1.00',
  }
  return { ...target, products: { ...products, voucher: plain } }
}

const PAGES = /^catalog\.(?:page|paging|total)/

test.each([1, 2, 30, 1600])(
  'pages of a catalog of %s products are decided, or do not apply',
  async (count) => {
    const { target } = embedInProcess({ faults: [], windowSeconds: 60, clock: new VirtualClock() })
    const { outcomes } = await virtualRun({
      windowSeconds: 60,
      target: unsearched(target),
      network: (transport) => listing(transport, count),
      checks: ALL_CHECKS.filter(({ id }) => PAGES.test(id)),
      invariants: [],
    })
    expect(outcomes.length).toBeGreaterThan(3)
    const open = outcomes.filter(({ check }) => !['pass', 'inapplicable'].includes(check.verdict))
    expect(
      open.map(({ check }) => `${check.verdict} ${check.id}: ${check.reason ?? check.observed}`),
    ).toEqual([])
    const paging = outcomes.find(({ check }) => check.id === 'catalog.paging-is-complete')
    expect(paging?.check.verdict).toBe(count === 1 ? 'inapplicable' : 'pass')
  },
)
