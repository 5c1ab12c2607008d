import { ANNOUNCED_MS } from '../../contract/answers.ts'
import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, CheckDefinition, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { sendCart, THREE_LINES } from '../steps/cart.ts'
import { needToken, placesBeside, sendGift } from '../steps/platform-gift.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, orderIdsOf } from '../steps/orders.ts'
import { buyOnce, OTHER_KINDS, VOUCHERS, type Kind, type Sent } from '../steps/kinds.ts'
import {
  A_WINDOW,
  findUnder,
  needReferenceFilter,
  OTHER_QUANTITY,
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

/** What the other key asks for instead: the reference is used, whatever is asked for under it. */
async function otherBodies(
  context: CheckContext,
  { product, orders }: Kind,
  referenceId: string,
): Promise<readonly Exchange[]> {
  const role = 'sibling'
  if (orders > 1) return [await sendCart(context, { lines: THREE_LINES, referenceId, role })]
  if (product === 'platform-gift') return await otherGift(context, referenceId)
  const { operations, products } = context.target
  const isSold = products.voucher !== undefined && operations.createOrder.bodies.shop !== undefined
  const quantity = product === 'voucher' ? OTHER_QUANTITY : 1
  return isSold ? [await replay(context, { referenceId }, { role, quantity })] : []
}

/** Another gift under the reference of one. How another key is refused is not shown. */
async function otherGift(context: CheckContext, referenceId: string): Promise<readonly Exchange[]> {
  const [place] = placesBeside(context, 'region', 'edition')
  if (!place) {
    context.leaveUndecided(
      'GIFT-19',
      'the target file names no second region and no second edition',
    )
    return []
  }
  const role = 'sibling'
  const token = await needToken(context, place, role)
  const exchange = await sendGift(context, { token, place, referenceId, role })
  context.expect('GIFT-19').that('another gift by another key under the reference is no replay', {
    holds: !isAccepted(exchange),
    expected: 'HTTP 409, or another refusal',
    exchanges: [exchange],
  })
  return [exchange]
}

type Unique = Pick<CheckDefinition, 'id' | 'formerIds'> & {
  readonly kind: Kind
  /** Another one is used again after a window only. */
  readonly isAgainLater?: true
  readonly more?: readonly RequirementId[]
  /** The other key may be answered by 202, and looks for that order more than once. */
  readonly isAnnounced?: true
}

/** As long as a read waits for an order that a 202 announced. */
const UNTIL_IT_APPEARS = {
  seconds: ANNOUNCED_MS / 1000,
  reason: 'an order that was announced to appear',
} as const

/** One kind of purchase under a reference that another key of the account uses again. */
function uniqueFor({
  kind,
  isAgainLater,
  isAnnounced,
  more = [],
  ...ids
}: Unique): CheckDefinition {
  return check({
    ...ids,
    title: `a referenceId of ${kind.what} that another key of the account uses again${isAgainLater ? ', also after a window,' : ''} buys nothing`,
    requirements: ['IDEM-10', 'GET-09', ...more],
    needs: {
      ...kind.needs,
      roles: ['full', 'sibling'],
      purchases: (isAgainLater ? 6 : 3) * kind.orders + (kind.orders > 1 ? THREE_LINES.length : 2),
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

async function judgeUnique(context: CheckContext, used: Sent): Promise<void> {
  const { kind, referenceId, send, first } = used
  const second = await send()
  const wanted = kind.idOf(first)
  if (wanted === undefined || kind.idOf(second) !== wanted)
    untested(`the second request did not give what was bought: ${showAnswer(second)}`)
  const again = await (await kind.begin(context, 'sibling', referenceId))()
  const answers = [again, ...(await otherBodies(context, kind, referenceId))]
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
      exchanges: [first, ...answers, own.exchange, other.exchange],
    })
  const foreign = (other.ids ?? []).filter((found) => own.ids?.includes(found) === false)
  context.expect('IDEM-10').that('the account buys once under the referenceId', {
    holds: own.count <= kind.orders && foreign.length === 0 && named.every((id) => id === wanted),
    expected: `no order but ${wanted}`,
    observed: `the other key got ${answers.map(showAnswer).join(', then ')}; the first key finds ${own.count}, the other ${other.count} (${show(other.ids)})`,
    exchanges: [first, ...answers, own.exchange, other.exchange],
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
export const giftIsUnique = uniqueOf(OTHER_KINDS.gift, { isAnnounced: true, more: ['GIFT-19'] })
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
