import type { Exchange } from '../../harness/client/exchange.ts'
import { formatMoney } from '../../harness/money.ts'
import { check, type CheckDefinition } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { OTHER_KINDS, VOUCHERS, type Kind } from '../idempotency/kinds.ts'
import { READS_THE_BALANCE, readBalance } from './steps.ts'

const REPLAYS = 2

function replayTakesNothing(id: string, kind: Kind): CheckDefinition {
  const { what, needs, orders } = kind
  return check({
    id,
    title: `the replay of ${what} takes nothing from the balance`,
    requirements: ['IDEM-09'],
    needs: {
      ...needs,
      capabilities: [...(needs.capabilities ?? []), ...READS_THE_BALANCE.capabilities],
      roles: READS_THE_BALANCE.roles,
      operations: [...(needs.operations ?? []), ...READS_THE_BALANCE.operations],
      selectors: READS_THE_BALANCE.selectors,
      purchases: orders * (1 + REPLAYS),
    },
    run: async (context) => {
      const before = await readBalance(context)
      const send = await kind.begin(context, 'full')
      const first = needSuccess(await send())
      const paid = await readBalance(context)
      const price = kind.priceOf(context, first)
      if (before.balance - paid.balance !== price)
        untested(`the balance did not fall by the price of ${formatMoney(price)} at once`)
      const replays: Exchange[] = []
      for (let count = 0; count < REPLAYS; count++) replays.push(await send())
      const strange = replays.find((again) => kind.idOf(again) !== kind.idOf(first))
      if (strange || kind.idOf(first) === undefined)
        untested(`a replay does not give what was bought: ${showAnswer(strange ?? first)}`)
      const after = await readBalance(context)
      context.expect('IDEM-09').that(`${REPLAYS} replays leave the balance as it was`, {
        holds: after.balance === paid.balance,
        expected: `a balance of ${formatMoney(paid.balance)}`,
        observed: formatMoney(after.balance),
        exchanges: [first, paid.exchange, ...replays, after.exchange],
      })
    },
  })
}

export const voucherReplay = replayTakesNothing('funds.replay-not-debited', VOUCHERS)
export const topUpReplay = replayTakesNothing('funds.top-up-replay-not-debited', OTHER_KINDS.topUp)
export const esimReplay = replayTakesNothing('funds.esim-replay-not-debited', OTHER_KINDS.esim)
export const giftReplay = replayTakesNothing('funds.gift-replay-not-debited', OTHER_KINDS.gift)
export const checkoutReplay = replayTakesNothing(
  'funds.checkout-replay-not-debited',
  OTHER_KINDS.checkout,
)
