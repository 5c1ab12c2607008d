import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, orderIdsOf } from '../steps/orders.ts'
import { OTHER_KINDS, VOUCHERS, type Kind, type Send } from '../steps/races/kinds.ts'
import {
  A_WINDOW,
  findUnder,
  needReferenceFilter,
  replay,
  waitAWindow,
} from '../steps/idempotency.ts'

/** Orders that a reference finds for a key, by identifier where the target file tells how to read it. */
async function idsUnder(
  context: CheckContext,
  referenceId: string,
  role: Role,
): Promise<{ exchange: Exchange; count: number; ids: readonly unknown[] | undefined }> {
  const found = await findUnder(context, referenceId, role)
  return { ...found, ids: orderIdsOf(context, found.exchange) }
}

/** What the other key buys instead, where vouchers are sold: a reference of a top-up or an eSIM is used, whatever is asked for under it. */
async function vouchersInstead(
  context: CheckContext,
  { product }: Kind,
  referenceId: string,
): Promise<readonly Exchange[]> {
  const { operations, products } = context.target
  const isSold = products.voucher !== undefined && operations.createOrder.bodies.shop !== undefined
  if (!isSold || (product !== 'dtu' && product !== 'esim')) return []
  return [await replay(context, { referenceId }, { role: 'sibling' })]
}

type Unique = Pick<CheckDefinition, 'id' | 'formerIds'> & {
  readonly kind: Kind
  /** Another one is used again after a window only. */
  readonly isAgainLater?: true
  /** The other key may be answered by 202, and looks for that order more than once. */
  readonly isAnnounced?: true
}

/** As long as a read waits for an order that a 202 announced. */
const UNTIL_IT_APPEARS = { seconds: 0.7, reason: 'an order that was announced to appear' } as const

/** One kind of purchase under a reference that another key of the account uses again. */
function uniqueFor({ kind, isAgainLater, isAnnounced, ...ids }: Unique): CheckDefinition {
  return check({
    ...ids,
    title: `a referenceId of ${kind.what} that another key of the account uses again${isAgainLater ? ', also after a window,' : ''} buys nothing`,
    requirements: ['IDEM-10', 'GET-09'],
    needs: {
      ...kind.needs,
      roles: ['full', 'sibling'],
      purchases: (isAgainLater ? 6 : 3) * kind.orders + 1,
      ...(isAgainLater && { waits: [A_WINDOW] }),
      ...(isAnnounced && { waits: [UNTIL_IT_APPEARS] }),
    },
    run: async (context) => {
      needSuccess(await (await kind.begin(context, 'sibling'))())
      const first = await buyOnce(context, kind)
      const untouched = isAgainLater && (await buyOnce(context, kind))
      await needReferenceFilter(context)
      await judgeUnique(context, first)
      if (!untouched) return
      await waitAWindow(context)
      await judgeUnique(context, untouched)
    },
  })
}

/** A purchase, and what sends it again. */
type Used = {
  readonly kind: Kind
  readonly referenceId: string
  readonly send: Send
  readonly bought: Exchange
}

async function buyOnce(context: CheckContext, kind: Kind): Promise<Used> {
  const referenceId = context.reference()
  const send = await kind.begin(context, 'full', referenceId)
  return { kind, referenceId, send, bought: needSuccess(await send()) }
}

async function judgeUnique(context: CheckContext, used: Used): Promise<void> {
  const { kind, referenceId, send, bought } = used
  const second = await send()
  const wanted = kind.idOf(bought)
  if (wanted === undefined || kind.idOf(second) !== wanted)
    untested(`the second request did not give what was bought: ${showAnswer(second)}`)
  const again = await (await kind.begin(context, 'sibling', referenceId))()
  const vouchers = await vouchersInstead(context, kind, referenceId)
  const answers = [again, ...vouchers]
  const named = answers.map(kind.idOf).filter((id) => id !== undefined)
  const own = await idsUnder(context, referenceId, 'full')
  const other = await idsUnder(context, referenceId, 'sibling')
  const seen = (other.ids ?? []).filter((found) => own.ids?.includes(found) === true)
  if (other.count > 0 && (!own.ids || !other.ids))
    context.leaveUndecided('GET-09', 'the orders of the two keys cannot be told apart')
  else
    context.expect('GET-09').that('a key that sent the purchase of another again', {
      holds: seen.length === 0,
      expected: 'it does not see the order of the other key',
      observed: `it finds ${show(seen)}`,
      exchanges: [bought, ...answers, own.exchange, other.exchange],
    })
  const foreign = (other.ids ?? []).filter((found) => own.ids?.includes(found) === false)
  context.expect('IDEM-10').that('the account buys once under the referenceId', {
    holds: own.count <= kind.orders && foreign.length === 0 && named.every((id) => id === wanted),
    expected: `no order but ${wanted}`,
    observed: `the other key got ${answers.map(showAnswer).join(', then ')}; the first key finds ${own.count}, the other ${other.count} (${show(other.ids)})`,
    exchanges: [bought, ...answers, own.exchange, other.exchange],
  })
  context.observe(
    'OPEN-39',
    `another key of the account got HTTP ${again.response?.status ?? 'none'}`,
    [again],
  )
}

export const uniqueInAccount = uniqueFor({
  id: 'idempotency.unique-in-account',
  formerIds: ['idempotency.unique-after-window'],
  kind: VOUCHERS,
  isAgainLater: true,
})

const uniqueOf = (kind: Kind, more: Partial<Unique> = {}): CheckDefinition =>
  uniqueFor({ id: `idempotency.${kind.name}-unique-in-account`, kind, ...more })

export const topUpIsUnique = uniqueOf(OTHER_KINDS.topUp)
export const esimIsUnique = uniqueOf(OTHER_KINDS.esim, { isAnnounced: true })
export const giftIsUnique = uniqueOf(OTHER_KINDS.gift, { isAnnounced: true })
export const checkoutIsUnique = uniqueOf(OTHER_KINDS.checkout)

export const freeInOtherAccount = check({
  id: 'idempotency.free-in-other-account',
  title: 'another account may use the same referenceId and gets an order of its own',
  requirements: ['IDEM-11'],
  needs: { ...BUYS_VOUCHERS, roles: ['full', 'stranger'], purchases: 3 },
  run: async (context) => {
    await buy(context, {}, { role: 'stranger' })
    await needReferenceFilter(context, 'stranger')
    const bought = await buy(context)
    const foreign = await replay(context, bought, { role: 'stranger' })
    const named = orderIdOf(foreign)
    context.expect('IDEM-11').that('the other account gets a fresh order', {
      holds: isAccepted(foreign) && named !== undefined && named !== bought.orderId,
      expected: `a success that names another order than ${bought.orderId}`,
      exchanges: [bought.exchange, foreign],
    })
    const found = await findUnder(context, bought.referenceId, 'stranger')
    context
      .expect('IDEM-11')
      .equal('orders that the other account finds under the referenceId', found.count, 1, [
        foreign,
        found.exchange,
      ])
  },
})
