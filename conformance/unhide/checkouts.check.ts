import type { CartLine } from '../../harness/client/api.ts'
import { renderCart } from '../../harness/client/bodies.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { selectEach } from '../../harness/target/select.ts'
import { check, type CheckDefinition } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer, showRequest } from '../engine/describe.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { patienceSeconds } from '../orders/steps.ts'
import { ATTEMPTS_MAX, bracket } from '../windows/bracket.ts'
import { isRefused } from '../windows/probe.ts'
import {
  NARROW_COMPLETED,
  NARROW_PENDING,
  openDesk,
  readClear,
  statusesOf,
  UNHIDES,
  type Desk,
  type Filter,
} from './desk.ts'
import { expectOwnBudget, ROUNDS_MAX } from './own-budget.ts'

const NEEDS = {
  ...UNHIDES,
  capabilities: ['shop', 'unhide', 'cart'],
  operations: ['createCart'],
} as const

/** The completed order stands neither first nor last, so that neither place can decide. */
function mixedLines(product: CartLine['product']): readonly CartLine[] {
  return [{ product: 'voucher-partial' }, { product }, { product: 'voucher-partial' }]
}
const MIXED_LENGTH = 3

const COMPLETED: readonly CartLine[] = [
  { product: 'voucher' },
  { product: 'voucher' },
  { product: 'voucher' },
]

/** Between two looks where no Retry-After says otherwise. */
const POLL_SECONDS = 1

type Checkout = {
  readonly referenceId: string
  readonly orderIds: readonly string[]
  readonly statuses: readonly unknown[]
}

/** Buys several vouchers at once and looks at their orders with masked reads. */
async function checkOut(desk: Desk, lines: readonly CartLine[]): Promise<Checkout> {
  const { api, reference, target } = desk.context
  const cart = { referenceId: reference(), lines }
  if (!renderCart(target, cart))
    untested('the target file gives no body for carts whose positions can be told')
  const exchange = needSuccess(await api.as('full').createCart(cart))
  const selector = target.operations.createCart.selectors['orderIds'] ?? '$.data.orders[*].orderId'
  const orderIds = selectEach(selector, exchange.json).filter((id) => typeof id === 'string')
  if (orderIds.length < 2)
    untested(`a checkout of several orders was expected: ${showAnswer(exchange)}`)
  const { referenceId } = cart
  return { referenceId, orderIds, statuses: await statusesAtEnd(desk, referenceId) }
}

/** Waits with masked reads until no order of a checkout is pending, as long as one voucher may take. */
async function statusesAtEnd({ context }: Desk, referenceId: string): Promise<readonly unknown[]> {
  const { api, clock } = context
  const endMs = clock.nowMs() + patienceSeconds(context, 'voucher') * 1000
  for (;;) {
    const exchange = needSuccess(await api.as('full').getOrders({ referenceId }))
    const statuses = statusesOf(exchange)
    const pauseMs = (retryAfterSeconds(exchange) ?? POLL_SECONDS) * 1000
    const leftMs = endMs - clock.nowMs()
    if (!statuses.includes('IN_PROGRESS') || leftMs <= 0) return statuses
    await context.wait('the orders of a checkout to finish', Math.min(pauseMs, leftMs))
  }
}

function mixed(
  name: string,
  product: 'voucher' | 'voucher-cancelled',
  status: 'SUCCESS' | 'CANCELLED',
): CheckDefinition {
  return check({
    id: `unhide.${name}`,
    title: `one ${status} order in a checkout makes its unhide reads spend the completed budget`,
    requirements: ['UNHIDE-15'],
    needs: {
      ...NEEDS,
      products: [product, 'voucher-partial'],
      purchases: MIXED_LENGTH * ROUNDS_MAX,
      waits: [{ orders: 1, product: 'voucher-partial' }],
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const desk = await openDesk(context, NARROW_COMPLETED)
      await expectOwnBudget(desk, ['UNHIDE-15'], {
        what: 'a checkout with one completed order',
        counts: 'completed',
        open: async () => {
          const { referenceId, statuses } = await checkOut(desk, mixedLines(product))
          const completed = statuses.filter((each) => each === 'SUCCESS' || each === 'CANCELLED')
          if (completed.length !== 1 || completed[0] !== status)
            return { lacks: `the checkout has orders ${statuses.map(String).join(', ')}` }
          return { filter: { referenceId }, before: [] }
        },
      })
    },
  })
}

export const mixedCheckout = mixed('mixed-checkout', 'voucher', 'SUCCESS')
export const cancelledInCheckout = mixed('cancelled-in-checkout', 'voucher-cancelled', 'CANCELLED')

export const partialCheckout = check({
  id: 'unhide.partial-checkout',
  title: 'a checkout of which no order is SUCCESS or CANCELLED is read from the pending budget',
  requirements: ['UNHIDE-15'],
  needs: {
    ...NEEDS,
    products: ['voucher-partial'],
    purchases: MIXED_LENGTH * ROUNDS_MAX,
    waits: [{ orders: 1, product: 'voucher-partial' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const desk = await openDesk(context, NARROW_PENDING)
    await expectOwnBudget(desk, ['UNHIDE-15'], {
      what: 'a checkout of partially completed orders',
      counts: 'pending',
      open: async () => {
        const { referenceId, statuses } = await checkOut(desk, mixedLines('voucher-partial'))
        if (statuses.some((each) => each !== 'PARTIALLY_COMPLETED'))
          return { lacks: `the checkout has orders ${statuses.map(String).join(', ')}` }
        return { filter: { referenceId }, before: [] }
      },
    })
  },
})

export const checkoutAfterChild = check({
  id: 'unhide.checkout-after-child',
  title: 'a checkout can be read after the budget of one of its orders is spent',
  requirements: ['UNHIDE-16'],
  needs: {
    ...NEEDS,
    products: ['voucher'],
    purchases: COMPLETED.length * ATTEMPTS_MAX,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  run: async (context) => {
    const desk = await openDesk(context, NARROW_COMPLETED)
    const buyAnother = async (): Promise<Required<Filter>> => {
      const { referenceId, orderIds } = await checkOut(desk, COMPLETED)
      return { referenceId, orderId: orderIds.at(-1) ?? '' }
    }
    let child = await buyAnother()
    const { before, probes, after } = await bracket(
      desk.context,
      'orders.unhide.completed',
      () => readClear(desk, child),
      [
        async () => {
          const { referenceId } = child
          const probe = await readClear(desk, { referenceId })
          // A bracket that an edge opens takes another checkout, whose budget is whole for sure.
          if (!isRefused(await readClear(desk, child))) child = await buyAnother()
          return probe
        },
      ],
    )
    for (const probe of probes)
      context.expect('UNHIDE-16').that(`${showRequest(probe)} while its order is refused`, {
        holds: !isRefused(probe),
        expected: 'the orders, not 429: the one has a counter of its own',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
      })
  },
})

export const childOfCheckout = check({
  id: 'unhide.child-of-checkout',
  title: 'one order of a checkout can be read after the budget of the whole checkout is spent',
  requirements: ['UNHIDE-16'],
  needs: {
    ...NEEDS,
    products: ['voucher'],
    purchases: COMPLETED.length,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  run: async (context) => {
    const desk = await openDesk(context, NARROW_COMPLETED)
    const { referenceId, orderIds } = await checkOut(desk, COMPLETED)
    // A bracket that an edge opens takes another order, whose budget is whole for sure.
    const unread = [...orderIds]
    const { before, probes, after } = await bracket(
      desk.context,
      'orders.unhide.completed',
      () => readClear(desk, { referenceId }),
      [
        () => {
          const orderId = unread.shift()
          if (orderId === undefined)
            return inconclusive(`a window edge fell into each of ${orderIds.length} attempts`)
          return readClear(desk, { referenceId, orderId })
        },
      ],
    )
    for (const probe of probes)
      context.expect('UNHIDE-16').that(`${showRequest(probe)} while the checkout is refused`, {
        holds: !isRefused(probe),
        expected: 'the order, not 429: it is counted by itself',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
      })
  },
})
