import { isTerminal } from '../../contract/wire.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isOffered, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { buy, pollToEnd, type Bought } from '../steps/orders.ts'
import { codesIn, LATE, reveal, waitWhileLate } from '../steps/reading.ts'
import { BUYS_LATER, look, type Reading } from '../steps/states.ts'
import { LISTING_OF_FULL, POLLS_IN_TIME } from '../steps/rate-limits/counters.ts'

const FINAL: Readonly<Record<string, RequirementId>> = {
  SUCCESS: 'STATE-03',
  CANCELLED: 'STATE-04',
  PARTIALLY_COMPLETED: 'STATE-05',
}

export const ownListing = check({
  id: 'reading.own-listing',
  title: 'the listing of a key shows the order that it bought, and its end once that was read',
  requirements: ['GET-07', 'STATE-03', 'STATE-04', 'STATE-05'],
  needs: {
    ...BUYS_LATER,
    selectors: ['getOrders.orderIds'],
    purchases: 1,
    windows: [{ ...LISTING_OF_FULL, units: 2 }, POLLS_IN_TIME],
    waits: [{ orders: 1, product: 'voucher-async' }, LATE],
  },
  run: async (context) => {
    const bought = await buy(context, { product: 'voucher-async' })
    const first = await list(context, bought)
    const readings = await pollToEnd(context, 'voucher-async', { orderId: bought.orderId })
    const end = readings.at(-1)
    await waitWhileLate(context)
    const last = await list(context, bought)
    const isThere = [first, last].some(({ item }) => item !== undefined)
    // How the listing is paged is not shown: the order of a key that others use may stand on another page.
    if (!isThere && !context.isFresh)
      untested(
        `the listing lacks the order, which may be on another page: ${showAnswer(last.exchange)}`,
      )
    context.expect('GET-07').that('the listing of a key that bought one order has it', {
      holds: isThere,
      expected: `order ${bought.orderId}, at the latest once it has ended`,
      exchanges: [bought.exchange, first.exchange, last.exchange],
    })
    judgeEnd(context, end, last)
    await aside(() => revealOne(context, bought, end?.exchange ?? last.exchange))
  },
})

/** With the codes known, the answers of the run are searched for them: those of the listing too. */
async function revealOne(
  context: CheckContext,
  { orderId }: Bought,
  masked: Exchange,
): Promise<void> {
  const needs = { capabilities: ['unhide'], selectors: ['getOrders.codes'] } as const
  if (!isOffered(context.target, needs)) return
  const { codes } = await reveal(context, orderId)
  context.revealed(clearCodes(codes, codesIn(context, masked)))
}

async function list(context: CheckContext, { orderId }: Bought): Promise<Reading> {
  const reading = await look(context, {}, orderId)
  needSuccess(reading.exchange)
  return reading
}

/** A listing may be late by a moment, but what was read as ended is so ever after. */
function judgeEnd(context: CheckContext, end: Reading | undefined, last: Reading): void {
  const status = end?.item?.['status']
  const isEnded = isTerminal(status) && last.item !== undefined
  for (const [ended, requirement] of Object.entries(FINAL))
    if (!isEnded || ended !== status)
      context.leaveUndecided(requirement, `no order that was read as ${ended} was listed`)
    else
      context.expect(requirement).that('the listing shows the state in which the order had ended', {
        holds: last.item?.['status'] === status,
        expected: show(status),
        observed: show(last.item?.['status']),
        exchanges: [...(end ? [end.exchange] : []), last.exchange],
      })
}
