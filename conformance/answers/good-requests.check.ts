import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, isObject, needWhole, queryOf } from '../engine/kit.ts'
import { ask, elementsOf, LOOKS_UP } from '../steps/lookup.ts'
import { BUYS_VOUCHERS, itemsOf } from '../steps/orders.ts'
import { buyFinished } from '../steps/unhide/orders.ts'

/**
 * Other checks take an answer to a good request for granted and are untested without it. Here it is judged: an operation that fails
 * outright is a failure of the target, not a lack of the run.
 */
type GoodRequest = {
  readonly id: string
  readonly formerIds?: readonly string[]
  readonly title: string
  readonly needs: Needs
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** What the answer must have besides success, in words. */
  readonly expected: string
  /** One request for each requirement, in their order. */
  readonly send: (context: CheckContext) => Promise<readonly Exchange[]>
  readonly has?: (exchange: Exchange) => boolean
  /** A good answer without success: what is not there may be an error (OPEN-72). */
  readonly findsNothing?: (exchange: Exchange, context: CheckContext) => boolean
}

function answered(request: GoodRequest): ReturnType<typeof check> {
  const { id, formerIds = [], title, needs, requirements, expected, send } = request
  const { has = () => true, findsNothing = () => false } = request
  return check({
    id: `answers.${id}`,
    formerIds,
    title,
    requirements,
    needs,
    run: async (context) => {
      const exchanges = await send(context)
      for (const [index, requirement] of requirements.entries()) {
        const exchange = exchanges[index]
        if (!exchange) throw new Error(`answers.${id} sends too few requests`)
        needWhole(exchange)
        context.expect(requirement).that('a good request is answered with what was asked for', {
          holds: (isAccepted(exchange) && has(exchange)) || findsNothing(exchange, context),
          expected,
          exchanges: [exchange],
        })
      }
    },
  })
}

const FULL = { roles: ['full'] } as const satisfies Needs
const CATALOG = { ...FULL, capabilities: ['catalog'] } as const satisfies Needs

const WITH_DATA = { expected: 'success, with data', has: hasData } as const

export const wholeCatalog = answered({
  id: 'services',
  title: 'the services are listed without any parameter',
  requirements: ['CAT-01'],
  needs: CATALOG,
  ...WITH_DATA,
  send: async ({ api }) => [await api.as('full').listServices()],
})

export const catalogByType = answered({
  id: 'services-by-type',
  title: 'the services are listed by type',
  requirements: ['CAT-03', 'CAT-04'],
  needs: CATALOG,
  ...WITH_DATA,
  send: async ({ api }) => [
    await api.as('full').listServices({ type: 'voucher' }),
    await api.as('full').listServices({ type: 'direct_topup' }),
  ],
  findsNothing: (exchange, { target }) => is404(exchange) && !target.capabilities.includes('dtu'),
})

export const catalogOfEsims = answered({
  id: 'services-esim',
  title: 'the services are listed by the type esim',
  requirements: ['CAT-05'],
  needs: { ...FULL, capabilities: ['catalog', 'esim'] },
  ...WITH_DATA,
  send: async ({ api }) => [await api.as('full').listServices({ type: 'esim' })],
})

const NO_NAME = 'no service has this name'

export const catalogSearch = answered({
  id: 'services-search',
  title: 'the services are searched',
  requirements: ['CAT-06', 'CAT-07'],
  needs: CATALOG,
  ...WITH_DATA,
  // Whether so short a text as a letter may be refused is not shown.
  send: async ({ api, target }) => [
    await api.as('full').listServices({ search: target.products.voucher?.search ?? NO_NAME }),
    await api.as('full').listServices({ search: NO_NAME }),
  ],
  findsNothing: (exchange) => is404(exchange) && queryOf(exchange).get('search') === NO_NAME,
})

export const listing = answered({
  id: 'orders',
  title: 'the orders are listed without a filter',
  requirements: ['GET-01'],
  needs: { ...FULL, capabilities: ['shop'] },
  expected: 'success, with a list at data.page.items',
  send: async ({ api }) => [await api.as('full').getOrders()],
  has: (exchange) => itemsOf(exchange) !== undefined,
})

export const clearReading = answered({
  id: 'unhide',
  title: 'a finished order is read with unhide=true for the first time',
  requirements: ['UNHIDE-01'],
  needs: {
    ...BUYS_VOUCHERS,
    ...FULL,
    capabilities: ['shop', 'unhide'],
    purchases: 1,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  expected: 'success, with the order at data.page.items',
  send: async (context) => {
    const { orderId } = await buyFinished(context, 'voucher', 'SUCCESS')
    return [await context.api.as('full').getOrders({ orderId, unhide: true })]
  },
  has: (exchange) => itemsOf(exchange)?.length === 1,
})

export const lookup = answered({
  id: 'lookup',
  formerIds: ['lookup.items'],
  title: 'items are looked up',
  requirements: ['LOOK-01'],
  needs: LOOKS_UP,
  expected: 'success, with a list at data.items',
  send: async (context) => [await ask(context, 'lookupItems')],
  has: (exchange) => elementsOf(exchange) !== undefined,
})

export const item = answered({
  id: 'item',
  title: 'a single item is given',
  requirements: ['LOOK-08'],
  needs: { ...LOOKS_UP, operations: ['getItem'] },
  ...WITH_DATA,
  send: async (context) => [await ask(context, 'getItem')],
})

function is404({ response }: Exchange): boolean {
  return response?.status === 404
}

function hasData({ json }: Exchange): boolean {
  const data = isObject(json) ? json['data'] : undefined
  return isObject(data) || Array.isArray(data)
}
