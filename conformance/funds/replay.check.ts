import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { OTHER_KINDS, VOUCHERS, type Kind } from '../steps/races/kinds.ts'
import { movementOf, READS_THE_BALANCE, readBalance, TRIES, type Movement } from '../steps/funds.ts'

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
      isAlone: true,
      purchases: orders * (1 + REPLAYS) * TRIES,
    },
    run: async (context) => {
      const { before, after, shown } = await movementOf(context, () => replayed(context, kind))
      context.expect('IDEM-09').that(`${REPLAYS} replays leave the balance as it was`, {
        holds: after.balance === before.balance,
        expected: `a balance of ${formatMoney(before.balance)}`,
        observed: formatMoney(after.balance),
        exchanges: shown,
      })
    },
  })
}

/** Buys, then replays; the balance is read before and after the replays. */
async function replayed(
  context: CheckContext,
  kind: Kind,
): Promise<Movement & { readonly shown: readonly Exchange[] }> {
  const unspent = await readBalance(context)
  const send = await kind.begin(context, 'full')
  const first = needSuccess(await send())
  const before = await readBalance(context)
  const price = kind.priceOf(context, first)
  if (unspent.balance - before.balance !== price)
    untested(`the balance did not fall by the price of ${formatMoney(price)} at once`)
  const replays: Exchange[] = []
  for (let count = 0; count < REPLAYS; count++) replays.push(await send())
  const strange = replays.find((again) => kind.idOf(again) !== kind.idOf(first))
  if (strange || kind.idOf(first) === undefined)
    untested(`a replay does not give what was bought: ${showAnswer(strange ?? first)}`)
  const after = await readBalance(context)
  const shown = [first, before.exchange, ...replays, after.exchange]
  return { before, after, price, shown }
}

export const voucherReplay = replayTakesNothing('funds.replay-not-debited', VOUCHERS)
export const topUpReplay = replayTakesNothing('funds.top-up-replay-not-debited', OTHER_KINDS.topUp)
export const esimReplay = replayTakesNothing('funds.esim-replay-not-debited', OTHER_KINDS.esim)
export const giftReplay = replayTakesNothing('funds.gift-replay-not-debited', OTHER_KINDS.gift)
export const checkoutReplay = replayTakesNothing(
  'funds.checkout-replay-not-debited',
  OTHER_KINDS.checkout,
)
