import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import { check, offeredOf, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
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
} from '../steps/reading.ts'

type Filter = 'orderId' | 'referenceId'

type Hidden = {
  readonly role: Role
  /** What it breaks to find the order by each. */
  readonly requirements: Readonly<Record<Filter, RequirementId>>
  /** Given where the codes are asked for too. */
  readonly unhide?: true
}

/** An order of another key is not found: an empty list, or a 404. An unknown one need not be answered in the same way (OPEN-72). */
async function judgeHidden(
  context: CheckContext,
  { role, requirements, unhide }: Hidden,
): Promise<void> {
  for (const by of ['orderId', 'referenceId'] as const) {
    const read = (value: string): Promise<Exchange> =>
      context.api.as(role).getOrders({ [by]: value, unhide })
    // Others each time: the codes of an order may be asked for once in a window.
    const bought = await buy(context)
    await readOne(context, { [by]: bought[by] })
    const own = await buy(context, {}, { role })
    await readOne(context, { [by]: own[by], unhide }, role)
    const missing = await needNothing(
      read,
      by === 'orderId' ? strangeIdLike(bought.orderId) : context.reference(),
    )
    const foreign = await read(bought[by])
    context
      .expect(requirements[by])
      .that(`${role} does not find the order by ${by}${unhide ? ' with unhide=true' : ''}`, {
        holds: findsNothing(foreign) || isAnsweredAs(foreign, missing),
        expected: `no order: an empty list or HTTP 404, or HTTP ${missing.response?.status ?? 'none'} as for one that does not exist`,
        exchanges: [bought.exchange, missing, foreign],
      })
  }
}

/** An invented orderId may be refused for its form, and a foreign one then too. */
function isAnsweredAs(foreign: Exchange, missing: Exchange): boolean {
  const [status, orders] = looksOf(foreign)
  return orders === 0 && status === missing.response?.status
}

const FROM_SIBLING: Hidden = {
  role: 'sibling',
  requirements: { orderId: 'GET-08', referenceId: 'GET-09' },
}

const FROM_STRANGER: Hidden = {
  role: 'stranger',
  requirements: { orderId: 'GET-11', referenceId: 'GET-11' },
}

const NEEDS = { ...BUYS_VOUCHERS, purchases: 4 } as const satisfies Needs

const REVEALS = { ...NEEDS, capabilities: ['shop', 'unhide'] } as const satisfies Needs

export const sibling = check({
  id: 'reading.other-key',
  formerIds: ['reading.other-key-by-order-id', 'reading.other-key-by-reference'],
  title: 'another key of the account finds an order neither by orderId nor by referenceId',
  requirements: ['GET-08', 'GET-09'],
  needs: { ...NEEDS, roles: ['full', 'sibling'] },
  run: (context) => judgeHidden(context, FROM_SIBLING),
})

export const stranger = check({
  id: 'reading.other-account',
  title: 'a key of another account finds an order neither by orderId nor by referenceId',
  requirements: ['GET-11'],
  needs: { ...NEEDS, roles: ['full', 'stranger'], purchases: 5 },
  run: async (context) => {
    await judgeHidden(context, FROM_STRANGER)
    const { exchange, orderId, referenceId } = await buy(context)
    await expectHiddenFromStranger(context, exchange, { orderId, referenceId })
  },
})

export const siblingReveal = check({
  id: 'reading.other-key-unhide',
  title: 'another key of the account does not find an order where it asks for its codes',
  requirements: ['GET-08', 'GET-09'],
  needs: { ...REVEALS, roles: ['full', 'sibling'] },
  run: (context) => judgeHidden(context, { ...FROM_SIBLING, unhide: true }),
})

export const strangerReveal = check({
  id: 'reading.other-account-unhide',
  title: 'a key of another account does not find an order where it asks for its codes',
  requirements: ['GET-11'],
  needs: { ...REVEALS, roles: ['full', 'stranger'] },
  run: (context) => judgeHidden(context, { ...FROM_STRANGER, unhide: true }),
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
    await context.wait(LATE.reason, LATE.seconds * 1000)
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
