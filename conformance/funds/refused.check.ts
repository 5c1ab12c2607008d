import { formatMoney, type Micros } from '../../harness/money.ts'
import type { Exchange } from '../engine/kit.ts'
import { check, isAccepted } from '../engine/kit.ts'
import { priceOf } from '../steps/buyer.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import {
  balanceMovedByOthers,
  measureBalance,
  READS_THE_BALANCE,
  type Measured,
} from '../steps/funds.ts'

export const refusedPurchaseDebitsNothing = check({
  id: 'funds.refused-not-debited',
  title: 'a purchase that the cap refuses takes nothing from the balance',
  requirements: ['CAP-11'],
  needs: {
    ...SPENDS_A_CAP,
    ...READS_THE_BALANCE,
    capabilities: [...SPENDS_A_CAP.capabilities, ...READS_THE_BALANCE.capabilities],
    roles: [...SPENDS_A_CAP.roles, ...READS_THE_BALANCE.roles],
    transactionLimit: '3.50',
    purchases: 2 * CAPPED_KEY_PURCHASES + 1,
  },
  movedByOthers: balanceMovedByOthers('CAP-11'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    const { before, done, after } = await measureBalance(context, () => refuse(cappedKey), wantedOf)
    const wanted = wantedOf({ before, done })
    context.expect('CAP-11').that('a purchase beyond the cap takes nothing from the balance', {
      holds: after.balance >= wanted,
      expected: `a balance of ${formatMoney(wanted)}`,
      observed: formatMoney(after.balance),
      exchanges: [before.exchange, done.refused, after.exchange],
    })
  },
})

type Refused = { readonly refused: Exchange; readonly paid: Micros }

/** Purchases that fit show whether a refusal was one of a window or of the cap. */
async function refuse(cappedKey: CappedKey): Promise<Refused> {
  const sent = cappedKey.exchanges.length
  const refused = await cappedKey.needRefusal()
  const paid = cappedKey.exchanges
    .slice(sent)
    .filter(isAccepted)
    .reduce((sum, exchange) => sum + priceOf(cappedKey.context, exchange), 0n)
  return { refused, paid }
}

function wantedOf({ before, done }: Pick<Measured<Refused>, 'before' | 'done'>): Micros {
  return before.balance - done.paid
}
