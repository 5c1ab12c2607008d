import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import {
  check,
  isOffered,
  offeredOf,
  needSuccess,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import {
  buy,
  BUYS_VOUCHERS,
  findsNothing,
  orderIdsOf,
  readOne,
  type Bought,
} from '../steps/orders.ts'
import { OTHER_KINDS, ordersOfKinds, type Kind } from '../steps/kinds.ts'
import { LISTING_OF_FULL } from '../steps/rate-limits/counters.ts'
import {
  expectHiddenFromStranger,
  looksOf,
  needNothing,
  strangeIdLike,
  LATE,
  waitWhileLate,
} from '../steps/reading.ts'

/** An order that `role` is not to find, by one filter, and one of its own. */
type Pair = {
  readonly role: Role
  readonly by: 'orderId' | 'referenceId'
  /** What it breaks to find the order by it. */
  readonly requirement: RequirementId
  readonly bought: Bought
  readonly own: Bought
}

type Hidden = Pick<Pair, 'by' | 'requirement'>

/** What another key must not find masked. Gives the orders that were looked for. */
async function judgeMasked(
  context: CheckContext,
  role: Role,
  hidden: readonly Hidden[],
): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const each of hidden) {
    // Others for each filter: the codes of an order may be asked for once in a window.
    const bought = await buy(context)
    await readOne(context, { [each.by]: bought[each.by] })
    const pair = { ...each, role, bought, own: await buy(context, {}, { role }) }
    await judgePair(context, pair)
    pairs.push(pair)
  }
  return pairs
}

/** The same where it asks for the codes too. */
async function judgeUnhidden(context: CheckContext, pairs: readonly Pair[]): Promise<void> {
  if (!isOffered(context.target, { capabilities: ['unhide'] })) return
  for (const pair of pairs) await judgePair(context, pair, true)
}

/** An order of another key is not found: an empty list, or a 404. An unknown one need not be answered in the same way (OPEN-72). */
async function judgePair(
  context: CheckContext,
  { role, by, requirement, bought, own }: Pair,
  unhide?: true,
): Promise<void> {
  const read = (value: string): Promise<Exchange> =>
    context.api.as(role).getOrders({ [by]: value, unhide })
  await readOne(context, { [by]: own[by], unhide }, role)
  const foreign = await read(bought[by])
  // A filter that finds what does not exist is no filter.
  const missing = findsNothing(foreign)
    ? undefined
    : await needNothing(
        read,
        by === 'orderId' ? strangeIdLike(bought.orderId) : context.reference(),
      )
  context
    .expect(requirement)
    .that(`${role} does not find the order by ${by}${unhide ? ' with unhide=true' : ''}`, {
      holds: !missing || isAnsweredAs(foreign, missing),
      expected: `no order: an empty list or HTTP 404${missing ? `, or HTTP ${missing.response?.status ?? 'none'} as for one that does not exist` : ''}`,
      exchanges: [bought.exchange, ...(missing ? [missing] : []), foreign],
    })
}

/** An invented orderId may be refused for its form, and a foreign one then too. */
function isAnsweredAs(foreign: Exchange, missing: Exchange): boolean {
  const [status, orders] = looksOf(foreign)
  return orders === 0 && status === missing.response?.status
}

const NEEDS = { ...BUYS_VOUCHERS, purchases: 4 } as const satisfies Needs

export const sibling = check({
  id: 'reading.other-key',
  formerIds: ['by-order-id', 'by-reference', 'unhide'].map((how) => `reading.other-key-${how}`),
  title: 'another key of the account finds an order neither by orderId nor by referenceId',
  requirements: ['GET-08', 'GET-09'],
  needs: { ...NEEDS, roles: ['full', 'sibling'] },
  run: async (context) => {
    const pairs = await judgeMasked(context, 'sibling', [
      { by: 'orderId', requirement: 'GET-08' },
      { by: 'referenceId', requirement: 'GET-09' },
    ])
    await judgeUnhidden(context, pairs)
  },
})

export const stranger = check({
  id: 'reading.other-account',
  formerIds: ['reading.other-account-unhide'],
  title: 'a key of another account finds an order neither by orderId nor by referenceId',
  requirements: ['GET-11'],
  needs: { ...NEEDS, roles: ['full', 'stranger'] },
  run: async (context) => {
    const pairs = await judgeMasked(context, 'stranger', [
      { by: 'orderId', requirement: 'GET-11' },
      { by: 'referenceId', requirement: 'GET-11' },
    ])
    for (const { bought } of pairs) {
      const { exchange, orderId, referenceId } = bought
      await expectHiddenFromStranger(context, exchange, { orderId, referenceId })
    }
    await judgeUnhidden(context, pairs)
  },
})

const KINDS: readonly Kind[] = Object.values(OTHER_KINDS)

export const siblingListing = check({
  id: 'reading.other-key-listing',
  title: 'another key of the account does not see an order in its listing',
  requirements: ['GET-10'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full', 'sibling'],
    selectors: ['getOrders.orderIds'],
    purchases: 2 + ordersOfKinds(KINDS),
    // A listing that had to wait for its window would be full of what others bought meanwhile.
    windows: [{ ...LISTING_OF_FULL, units: 3 }],
    waits: [LATE],
  },
  run: async (context) => {
    const bought = await buy(context)
    const own = await buy(context, {}, { role: 'sibling' })
    await waitWhileLate(context)
    const creators = await list(context, 'full')
    needOwn(context, 'full', creators, bought)
    const others = await list(context, 'sibling')
    const isShown = orderIdsOf(context, others)?.includes(bought.orderId) ?? false
    // A listing that is another key's may lack what this key bought.
    if (!isShown) needOwn(context, 'sibling', others, own)
    context.expect('GET-10').that('the listing of the other key is without the order', {
      holds: !isShown,
      expected: `order ${own.orderId}, and not ${bought.orderId}`,
      observed: show(orderIdsOf(context, others)),
      exchanges: [bought.exchange, own.exchange, creators, others],
    })
    // Last: a page may hold few orders, the newest or the oldest of them.
    if (context.isFresh) await aside(() => listOtherKinds(context))
  },
})

/** What is listed of other kinds is judged by the history. Orders of keys that others use too would cost money. */
async function listOtherKinds(context: CheckContext): Promise<void> {
  for (const { begin } of offeredOf(context.target, KINDS)) await (await begin(context, 'full'))()
  await list(context, 'sibling')
}

async function list({ api }: CheckContext, role: Role): Promise<Exchange> {
  return needSuccess(await api.as(role).getOrders())
}

/** How the listing is paged is not shown: one without the key's own newest order tells nothing about others. */
function needOwn(context: CheckContext, role: Role, listed: Exchange, { orderId }: Bought): void {
  if (!(orderIdsOf(context, listed) ?? []).includes(orderId))
    untested(`the listing of ${role} lacks its own newest order: ${showAnswer(listed)}`)
}
