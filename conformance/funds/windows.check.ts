import { type Exchange, check } from '../engine/kit.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import {
  betweenRefusals,
  freshWindows,
  startWithFreshWindows,
  RETURN_429_UNPACED,
} from '../steps/rate-limits/between-refusals.ts'

export const apart = check({
  id: 'funds.separate-endpoints',
  title: 'the spent window of the balance does not refuse the ledger',
  requirements: ['RATE-11'],
  needs: {
    capabilities: ['funds'],
    roles: ['funds'],
    operations: ['getBalance', 'getLedger'],
    windows: [{ bucket: 'default', role: 'funds', operation: 'getBalance' }],
    waits: [freshWindows('default')],
  },
  run: async (context) => {
    await startWithFreshWindows(context, ['default'])
    const funds = context.api.as('funds')
    const read = (operation: 'getBalance' | 'getLedger'): Promise<Exchange> =>
      funds.send(operation, {}, RETURN_429_UNPACED)
    const spent = await betweenRefusals(
      context,
      'default',
      () => read('getBalance'),
      [() => read('getLedger')],
      { operation: 'getBalance' },
    )
    expectCounter(context, 'RATE-11', spent, 'separate')
  },
})
