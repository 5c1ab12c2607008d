import type { Exchange } from '../../harness/client/exchange.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { selectOne } from '../../harness/target/select.ts'
import { check, type CheckContext } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { replayOfSameOrder } from '../idempotency/steps.ts'
import { buy, BUYS_VOUCHERS } from '../orders/steps.ts'
import { priceOf } from '../transaction-limit/buyer.ts'

const REPLAYS = 2

type Reading = { readonly balance: Micros; readonly exchange: Exchange }

async function readBalance({ api, target }: CheckContext): Promise<Reading> {
  const exchange = needSuccess(await api.as('funds').send('getBalance', {}))
  const selector = target.operations.getBalance.selectors['balance'] ?? ''
  const value = selectOne(selector, exchange.json)
  const isAmount = typeof value === 'number' || typeof value === 'string'
  const balance = isAmount ? parseMoney(String(value)) : undefined
  if (balance === undefined) untested(`no balance can be read: ${showAnswer(exchange)}`)
  return { balance, exchange }
}

export const replayTakesNothing = check({
  id: 'funds.replay-not-debited',
  title: 'a replay takes nothing from the balance',
  requirements: ['IDEM-09'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'funds'],
    roles: ['full', 'funds'],
    operations: ['getBalance'],
    selectors: ['getBalance.balance'],
    purchases: 1 + REPLAYS,
  },
  run: async (context) => {
    if (!context.isFresh) untested('other checks spend the balance of this account')
    const before = await readBalance(context)
    const bought = await buy(context)
    const paid = await readBalance(context)
    const price = priceOf(context, bought.exchange)
    if (before.balance - paid.balance !== price)
      untested(`the balance did not fall by the price of ${formatMoney(price)} at once`)
    const replays: Exchange[] = []
    for (let count = 0; count < REPLAYS; count++)
      replays.push(await replayOfSameOrder(context, bought))
    const after = await readBalance(context)
    context.expect('IDEM-09').that(`${REPLAYS} replays leave the balance as it was`, {
      holds: after.balance === paid.balance,
      expected: `a balance of ${formatMoney(paid.balance)}`,
      observed: formatMoney(after.balance),
      exchanges: [bought.exchange, paid.exchange, ...replays, after.exchange],
    })
  },
})
