import type { Role } from '../../contract/capabilities.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { OTHER_QUANTITY, replay } from '../steps/idempotency.ts'
import { OTHER_KINDS, VOUCHERS, type Kind, type Send } from '../steps/kinds.ts'
import {
  balanceLater,
  balanceMovedByOthers,
  READS_THE_BALANCE,
  readBalance,
  type Reading,
} from '../steps/funds.ts'

const REPLAYS = 2

/** Who sends what under the reference of a purchase. */
type Again = {
  readonly how: string
  readonly role?: Role
  /** Undefined: the same request again, which gives what was bought. */
  readonly send?: (context: CheckContext, referenceId: string) => Promise<Exchange>
}

const SAME: Again = { how: 'as it was' }

const OTHER_BODY: Again = {
  how: 'with another body',
  send: (context, referenceId) => replay(context, { referenceId }, { quantity: OTHER_QUANTITY }),
}

const BY_SIBLING: Again = {
  how: 'by another key of the account',
  role: 'sibling',
  send: (context, referenceId) => replay(context, { referenceId }, { role: 'sibling' }),
}

type TakesNothing = Pick<CheckDefinition, 'id' | 'formerIds'> & {
  readonly kind: Kind
  readonly again?: readonly Again[]
}

function replayTakesNothing({ kind, again = [SAME], ...ids }: TakesNothing): CheckDefinition {
  const { what, needs, orders } = kind
  const ways = again.map(({ how }) => how).join(' or ')
  return check({
    ...ids,
    title: `the replay of ${what} ${ways} takes nothing from the balance`,
    requirements: ['IDEM-09'],
    needs: {
      ...needs,
      capabilities: [...(needs.capabilities ?? []), ...READS_THE_BALANCE.capabilities],
      roles: [...READS_THE_BALANCE.roles, ...again.flatMap(({ role }) => role ?? [])],
      operations: [...(needs.operations ?? []), ...READS_THE_BALANCE.operations],
      selectors: READS_THE_BALANCE.selectors,
      isAlone: true,
      purchases: orders * (1 + REPLAYS * again.length),
    },
    movedByOthers: balanceMovedByOthers('IDEM-09'),
    run: async (context) => {
      const bought = await debited(context, kind)
      let { before } = bought
      for (const each of again)
        before = await judgeReplays(context, { ...bought, kind, before }, each)
    },
  })
}

/** A purchase, and the balance after it. */
type Debited = {
  readonly kind: Kind
  readonly referenceId: string
  readonly send: Send
  readonly first: Exchange
  readonly before: Reading
}

async function debited(context: CheckContext, kind: Kind): Promise<Debited> {
  const unspent = await readBalance(context)
  const referenceId = context.reference()
  const send = await kind.begin(context, 'full', referenceId)
  const first = needSuccess(await send())
  const price = kind.priceOf(context, first)
  const isTaken = ({ balance }: Reading): boolean => unspent.balance - balance === price
  const atOnce = await readBalance(context)
  const before = isTaken(atOnce) ? atOnce : await balanceLater(context)
  if (!isTaken(before))
    untested(`the balance did not fall by the price of ${formatMoney(price)} in a second`)
  return { kind, referenceId, send, first, before }
}

/** Gives the balance after the replays. */
async function judgeReplays(
  context: CheckContext,
  { kind, referenceId, send, first, before }: Debited,
  { how, send: other }: Again,
): Promise<Reading> {
  const replays: Exchange[] = []
  for (let count = 0; count < REPLAYS; count++)
    replays.push(await (other ? other(context, referenceId) : send()))
  // How another key, or what is not valid, is answered is not shown: that it buys nothing is decided elsewhere.
  const strange = replays.find(
    (again) => (!other || isAccepted(again)) && kind.idOf(again) !== kind.idOf(first),
  )
  if (strange || kind.idOf(first) === undefined)
    untested(`a replay does not give what was bought: ${showAnswer(strange ?? first)}`)
  const after = await readBalance(context)
  context.expect('IDEM-09').that(`${REPLAYS} replays ${how} leave the balance as it was`, {
    holds: after.balance === before.balance,
    expected: `a balance of ${formatMoney(before.balance)}`,
    observed: formatMoney(after.balance),
    exchanges: [first, before.exchange, ...replays, after.exchange],
  })
  return after
}

export const voucherReplay = replayTakesNothing({
  id: 'funds.replay-not-debited',
  formerIds: ['funds.other-body-not-debited'],
  kind: VOUCHERS,
  again: [SAME, OTHER_BODY],
})
export const siblingReplay = replayTakesNothing({
  id: 'funds.sibling-replay-not-debited',
  kind: VOUCHERS,
  again: [BY_SIBLING],
})

const replayOf = (kind: Kind): CheckDefinition =>
  replayTakesNothing({ id: `funds.${kind.name}-replay-not-debited`, kind })

export const topUpReplay = replayOf(OTHER_KINDS.topUp)
export const esimReplay = replayOf(OTHER_KINDS.esim)
export const giftReplay = replayOf(OTHER_KINDS.gift)
export const checkoutReplay = replayOf(OTHER_KINDS.checkout)
