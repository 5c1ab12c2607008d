import type { Role } from '../../contract/capabilities.ts'
import { type CheckContext, type Exchange, check, needSuccess } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeProbes, WITHOUT_SCOPE } from '../steps/observed-probes.ts'
import { BUYS_VOUCHERS, findsNothing } from '../steps/orders.ts'

/** Carries the three operations of the base interface out as one role. */
function operationsAs(
  context: CheckContext,
  role: Role,
): Record<'list' | 'read' | 'create', () => Promise<Exchange>> {
  const api = context.api.as(role)
  return {
    list: () => api.listServices({ limit: 1 }),
    read: () => api.getOrders({ referenceId: context.reference() }),
    create: () => api.createOrder({ product: 'voucher', referenceId: context.reference() }),
  }
}

export const scopesThatSuffice = check({
  id: 'auth.scopes-suffice',
  title: 'each scope opens what it is for',
  requirements: ['SCOPE-07', 'SCOPE-09', 'SCOPE-10'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'catalog'],
    roles: ['full', 'browser', 'poller', 'writer'],
    rolesIfKnown: ['unscoped'],
    purchases: 2,
  },
  run: async (context) => {
    const { expect, observe } = context
    expect('SCOPE-07').status(await operationsAs(context, 'browser').list(), 200)
    expect('SCOPE-09').status(await operationsAs(context, 'full').create(), 200, 202)
    const read = await operationsAs(context, 'poller').read()
    // Whether a filter that finds nothing is an error is not shown; only the scope is looked at.
    expect('SCOPE-10').that('a key with orders:read alone may read orders', {
      holds: read.response?.status === 200 || findsNothing(read),
      expected: 'HTTP 200, or 404 for an order that does not exist',
      observed: `HTTP ${read.response?.status ?? 'none'}`,
      exchanges: [read],
    })
    const created = await operationsAs(context, 'writer').create()
    observe(
      'OPEN-60',
      `a key with orders:write alone got HTTP ${created.response?.status ?? 'none'}`,
      [created],
    )
    await aside(() => observeProbes(context, WITHOUT_SCOPE))
  },
})

export const forbiddenForGood = check({
  id: 'auth.forbidden-stays',
  title: 'waiting does not cure a 403',
  requirements: ['ERR-03'],
  needs: {
    capabilities: ['catalog'],
    roles: ['full', 'poller'],
    waits: [{ seconds: 1, reason: 'a second attempt' }],
  },
  run: async (context) => {
    needSuccess(await operationsAs(context, 'full').list())
    const poller = operationsAs(context, 'poller')
    const first = await poller.list()
    await context.wait('a second attempt', 1_000)
    const second = await poller.list()
    context.expect('ERR-03').equal(
      'a call without the scope gets 403 at once and 403 again a second later',
      [first, second].map(({ response }) => response?.status),
      [403, 403],
      [first, second],
    )
  },
})
