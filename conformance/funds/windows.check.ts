import { type Exchange, check } from '../engine/kit.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import {
  ATTEMPTS_MAX,
  betweenRefusals,
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
    windows: [
      { bucket: 'default', role: 'funds', operation: 'getBalance' },
      { bucket: 'default', role: 'funds', operation: 'getLedger', units: ATTEMPTS_MAX },
    ],
  },
  movedByOthers: { requirements: ['RATE-11'] },
  run: async (context) => {
    const funds = context.api.as('funds')
    const read = (operation: 'getBalance' | 'getLedger'): Promise<Exchange> =>
      funds.send(operation, {}, RETURN_429_UNPACED)
    const spent = await betweenRefusals(context, {
      bucket: 'default',
      spend: () => read('getBalance'),
      probes: [() => read('getLedger')],
      operation: 'getBalance',
    })
    expectCounter(context, 'RATE-11', spent, 'separate')
  },
})
