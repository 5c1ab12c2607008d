import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import { isAccepted, isCapRefusal, needSuccess } from '../../engine/kit.ts'
import { priceOf } from '../buyer.ts'
import { balanceOfMade, type Reading } from '../funds.ts'
import type { Kind, Send } from '../kinds.ts'

/** A context of an account that was made, whose cap is its price and that of one voucher more. */
export type Spent = {
  readonly own: CheckContext
  readonly kind: Kind
  /** What was bought first, and what sends it again. */
  readonly bought: Exchange
  readonly send: Send
}

export type Judged = {
  readonly requirement: RequirementId
  /** For sentences, for example `after validations`. */
  readonly when: string
  /** Whether the balance may change: the interface does not say what takes nothing from it. */
  readonly isOfCapAlone?: true
  /** What buys nothing. Gives the answers; none where nothing of it could be sent. */
  readonly act: (spent: Spent) => Promise<readonly Exchange[]>
  /** Ends the check if the prices that the cap was made by are others now. */
  readonly needSamePrices: () => Promise<void>
}

/**
 * Buys one, does what buys nothing, and buys a voucher for all that the cap has left. The balance, where it can be read and fell by the
 * price at once, stays as it was meanwhile: one that is debited later, or flows back, shows nothing. Gives whether anything was judged.
 */
export async function judgeNothingBought(
  own: CheckContext,
  kind: Kind,
  { requirement, when, isOfCapAlone, act, needSamePrices }: Judged,
): Promise<boolean> {
  const unspent = isOfCapAlone ? undefined : await balanceOfMade(own)
  const send = await kind.begin(own, 'full')
  const bought = needSuccess(await send())
  const before = await afterDebit(own, unspent, kind.priceOf(own, bought))
  const sent = await act({ own, kind, bought, send })
  if (sent.length === 0) return false
  const after = before && (await balanceOfMade(own))
  if (after)
    own.expect(requirement).that(`the balance ${when}`, {
      holds: after.balance >= before.balance,
      expected: `${formatMoney(before.balance)}, as before`,
      observed: formatMoney(after.balance),
      exchanges: [before.exchange, ...sent.slice(0, SHOWN), after.exchange],
    })
  const order = { product: 'voucher', referenceId: own.reference() } as const
  const voucher = await own.api.as('full').createOrder(order)
  if (isCapRefusal(voucher)) await needSamePrices()
  own.expect(requirement).that(`a voucher for the rest of the cap, ${when}`, {
    holds: !isCapRefusal(voucher),
    expected: 'no refusal by the cap: nothing was bought meanwhile',
    observed: isAccepted(voucher) ? formatMoney(priceOf(own, voucher)) : 'a refusal',
    exchanges: [bought, ...sent.slice(0, SHOWN), voucher],
  })
  return true
}

/** Exchanges that a finding names. */
const SHOWN = 6

async function afterDebit(
  own: CheckContext,
  unspent: Reading | undefined,
  price: Micros,
): Promise<Reading | undefined> {
  const after = unspent && (await balanceOfMade(own))
  return after && unspent.balance - after.balance === price ? after : undefined
}
