import type { Role } from '../../contract/capabilities.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { OTHER_QUANTITY, replay } from '../steps/idempotency.ts'
import { OTHER_KINDS, VOUCHERS, type Kind } from '../steps/races/kinds.ts'
import {
  balanceMovedByOthers,
  READS_THE_BALANCE,
  readBalance,
  type Reading,
} from '../steps/funds.ts'

const REPLAYS = 2

/** Who sends what under the reference, where it is not the same request again. */
type Again = {
  readonly how: string
  readonly role?: Role
  readonly send: (context: CheckContext, referenceId: string) => Promise<Exchange>
}

function replayTakesNothing(id: string, kind: Kind, other?: Again): CheckDefinition {
  const { what, needs, orders } = kind
  return check({
    id,
    title: `the replay of ${what}${other ? ` ${other.how}` : ''} takes nothing from the balance`,
    requirements: ['IDEM-09'],
    needs: {
      ...needs,
      capabilities: [...(needs.capabilities ?? []), ...READS_THE_BALANCE.capabilities],
      roles: [...READS_THE_BALANCE.roles, ...(other?.role ? [other.role] : [])],
      operations: [...(needs.operations ?? []), ...READS_THE_BALANCE.operations],
      selectors: READS_THE_BALANCE.selectors,
      isAlone: true,
      purchases: orders * (1 + REPLAYS),
    },
    movedByOthers: balanceMovedByOthers('IDEM-09'),
    run: async (context) => {
      const { before, after, shown } = await replayed(context, kind, other)
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
  other?: Again,
): Promise<
  Readonly<Record<'before' | 'after', Reading>> & { readonly shown: readonly Exchange[] }
> {
  const unspent = await readBalance(context)
  const referenceId = context.reference()
  const send = await kind.begin(context, 'full', referenceId)
  const first = needSuccess(await send())
  const before = await readBalance(context)
  const price = kind.priceOf(context, first)
  if (unspent.balance - before.balance !== price)
    untested(`the balance did not fall by the price of ${formatMoney(price)} at once`)
  const replays: Exchange[] = []
  for (let count = 0; count < REPLAYS; count++)
    replays.push(await (other ? other.send(context, referenceId) : send()))
  // How another key, or what is not valid, is answered is not shown: that it buys nothing is decided elsewhere.
  const strange = replays.find(
    (again) => (!other || isAccepted(again)) && kind.idOf(again) !== kind.idOf(first),
  )
  if (strange || kind.idOf(first) === undefined)
    untested(`a replay does not give what was bought: ${showAnswer(strange ?? first)}`)
  const after = await readBalance(context)
  const shown = [first, before.exchange, ...replays, after.exchange]
  return { before, after, shown }
}

export const voucherReplay = replayTakesNothing('funds.replay-not-debited', VOUCHERS)
export const otherBodyReplay = replayTakesNothing('funds.other-body-not-debited', VOUCHERS, {
  how: 'with another body',
  send: (context, referenceId) => replay(context, { referenceId }, { quantity: OTHER_QUANTITY }),
})
export const siblingReplay = replayTakesNothing('funds.sibling-replay-not-debited', VOUCHERS, {
  how: 'by another key of the account',
  role: 'sibling',
  send: (context, referenceId) => replay(context, { referenceId }, { role: 'sibling' }),
})
export const topUpReplay = replayTakesNothing('funds.top-up-replay-not-debited', OTHER_KINDS.topUp)
export const esimReplay = replayTakesNothing('funds.esim-replay-not-debited', OTHER_KINDS.esim)
export const giftReplay = replayTakesNothing('funds.gift-replay-not-debited', OTHER_KINDS.gift)
export const checkoutReplay = replayTakesNothing(
  'funds.checkout-replay-not-debited',
  OTHER_KINDS.checkout,
)
