import { isSameLimit } from '../../harness/quota/effective-limits.ts'
import type { WindowLimit } from '../../contract/limits.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import { unexplainedRefusals } from '../../harness/judge/rules/unhide.ts'
import { callersFrom, FIRST_OF_NETWORKS, LAST_OF_NETWORKS } from '../steps/allowlist-callers.ts'
import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  isOffered,
  isThrottled,
  needSuccess,
} from '../engine/kit.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { AS_ANOTHER_CLIENT, FILTERED_OF_FULL } from '../steps/rate-limits/counters.ts'
import {
  LONG_SECONDS,
  NARROW_COMPLETED,
  NARROW_PENDING,
  openUnhideAccount,
  readClear,
  readOf,
  showBudget,
  showCounts,
  UNHIDES_VOUCHERS,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { replay } from '../steps/idempotency.ts'
import { codesIn } from '../steps/reading.ts'
import { buyFinished, isBoughtAs } from '../steps/unhide/orders.ts'
import { expectOneBudget } from '../steps/unhide/one-budget.ts'
import { expectOwnBudget, ROUNDS_MAX } from '../steps/unhide/own-budget.ts'

export const pendingAliases = check({
  id: 'unhide.aliases-pending',
  title: 'orderId and referenceId of a partial order spend one pending budget',
  requirements: ['UNHIDE-13'],
  needs: {
    ...UNHIDES_VOUCHERS,
    products: ['voucher-partial'],
    purchases: 1,
    waits: [{ orders: 1, product: 'voucher-partial' }],
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    const { orderId, referenceId } = await buyFinished(
      unhideAccount.context,
      'voucher-partial',
      'PARTIALLY_COMPLETED',
    )
    await expectOneBudget(unhideAccount, 'orders.unhide.pending', { orderId, referenceId })
  },
})

/** Reads within a budget that other reads must have left whole. */
function expectWhole(
  { context, budgets }: UnhideAccount,
  requirement: RequirementId,
  { masked, reads }: Readonly<Record<'masked' | 'reads', readonly Exchange[]>>,
): void {
  const wrong = unexplainedRefusals(reads.map(readOf), budgets, context.slackMs)
  context
    .expect(requirement)
    .that(`${reads.length} unhide reads after ${masked.length} masked ones or replays`, {
      holds: wrong.length === 0,
      expected: `all pass (completed budget ${showBudget(budgets.completed)})`,
      observed: showCounts(reads),
      exchanges: [...reads, ...masked.slice(-2)],
    })
}

export const maskedApart = check({
  id: 'unhide.masked-apart',
  title: 'masked reads and replays of an order leave its unhide budgets whole',
  requirements: ['UNHIDE-22'],
  needs: { ...UNHIDES_VOUCHERS, purchases: 2 },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, {
      pending: { count: 3, windowSeconds: LONG_SECONDS },
      completed: { count: 3, windowSeconds: LONG_SECONDS },
      filtered: { count: 30, windowSeconds: LONG_SECONDS },
    })
    const full = unhideAccount.context.api.as('full')
    const { orderId, referenceId } = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
    const { admission, completed } = unhideAccount.budgets
    const most = Math.min(admission.count, unhideAccount.context.limit('orders.filtered').count)
    // So few as admission takes in any case show nothing of it: then those do that a completed budget would not take.
    const times = most + completed.count > admission.count ? most : completed.count
    const masked: Exchange[] = []
    for (let number = 0; number < times; number++)
      masked.push(
        needSuccess(await full.getOrders(number % 2 === 0 ? { orderId } : { referenceId })),
      )
    // The listing reads masked too. Its few requests are shared with others in an account that is not fresh.
    if (unhideAccount.context.isFresh) {
      masked.push(needSuccess(await full.getOrders()))
      await full.getOrders({ unhide: false }, RETURN_429_UNPACED)
    }
    // A replay shows the order without unhide=true.
    const again = await replay(unhideAccount.context, { referenceId })
    const reads: Exchange[] = []
    for (let number = 0; number < completed.count; number++)
      reads.push(await readClear(unhideAccount, { orderId }))
    expectWhole(unhideAccount, 'UNHIDE-22', { masked: [...masked, again], reads })
    tellCodes(unhideAccount, masked[0], reads[0])
  },
})

/** With the codes known, the answers of the run are searched for them: those of the listings too. */
function tellCodes(
  { context }: UnhideAccount,
  masked: Exchange | undefined,
  read: Exchange | undefined,
): void {
  const isKnown = isOffered(context.target, { selectors: ['getOrders.codes'] })
  if (!isKnown || !masked || !read || !isAccepted(read)) return
  context.revealed(clearCodes(codesIn(context, read), codesIn(context, masked)))
}

const FILTERED = {
  ...NARROW_COMPLETED,
  filtered: { count: 5, windowSeconds: LONG_SECONDS },
} as const

export const filteredApart = check({
  id: 'unhide.filtered-apart',
  title: 'unhide reads leave the budget of masked reads whole',
  requirements: ['UNHIDE-23'],
  needs: {
    ...UNHIDES_VOUCHERS,
    purchases: 2,
    windows: [{ ...FILTERED_OF_FULL, units: 'all' }],
  },
  movedByOthers: { requirements: ['UNHIDE-23'] },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, FILTERED)
    const limit = unhideAccount.context.limit('orders.filtered')
    const bought = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
    const { orderId, referenceId } = bought
    // Masked reads of ours until now are then in no window any more.
    if (!isBoughtAs(bought, 'SUCCESS'))
      await context.wait(
        'a window without masked reads',
        limit.windowSeconds * 1000 + 2 * context.slackMs,
      )
    const clear: Exchange[] = []
    for (let number = 0; number <= limit.count; number++)
      clear.push(await readClear(unhideAccount, { orderId }))
    const masked: Exchange[] = []
    // By both names in turn: checks that look at the spent window then know that neither name alone spent it.
    const names = [{ orderId }, { referenceId }]
    for (let number = 0; number < limit.count; number++)
      masked.push(
        await unhideAccount.context.api
          .as('full')
          .getOrders(names[number % names.length], RETURN_429_UNPACED),
      )
    const refused = masked.filter(isThrottled)
    if (refused.length > 0 && isSameLimit(limit, context.limit('default')))
      return context.leaveUndecided(
        'UNHIDE-23',
        'orders.filtered has the global default, whose window may be that of all reads',
        'inapplicable',
      )
    if (refused.length > 0) await needOwnWindow(context, limit)
    context
      .expect('UNHIDE-23')
      .that(`${masked.length} masked reads after ${clear.length} unhide reads`, {
        holds: refused.length === 0,
        expected: `all pass (filtered budget ${showBudget(limit)})`,
        observed: `${refused.length} of ${masked.length} got 429`,
        exchanges: [...refused, ...masked, ...clear],
      })
  },
})

/** Control: masked reads alone stay within their budget, on another account or, where none can be made, in a later window. */
async function needOwnWindow(
  context: CheckContext,
  { count, windowSeconds }: WindowLimit,
): Promise<void> {
  const other = context.makeAccount ? (await openUnhideAccount(context, FILTERED)).context : context
  const { orderId } = await buyFinished(other, 'voucher', 'SUCCESS')
  if (!context.makeAccount)
    await context.wait('a window without masked reads', windowSeconds * 1000 + 2 * context.slackMs)
  for (let number = 0; number < count; number++) {
    const read = await other.api.as('full').getOrders({ orderId }, RETURN_429_UNPACED)
    if (isThrottled(read) && !context.isFresh)
      inconclusive(
        `${number} of ${count} masked reads alone passed in a later window: others may use this account. Run this check with an account that nobody else uses`,
      )
    needSuccess(read)
  }
}

/** Reads in flight at once. */
const READERS = 8

export const sharedByReaders = check({
  id: 'unhide.shared-by-readers',
  title: 'all who read one order share its unhide budget, whichever connection and client they use',
  requirements: ['UNHIDE-25'],
  needs: { ...UNHIDES_VOUCHERS, purchases: ROUNDS_MAX },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
    const sources = (await callersFrom(context, [FIRST_OF_NETWORKS, LAST_OF_NETWORKS])) ?? []
    const options = [{}, AS_ANOTHER_CLIENT, ...sources.map((source) => source.options)]
    const { burst } = await expectOwnBudget(unhideAccount, ['UNHIDE-25'], {
      what: 'an order that several read at once',
      counts: 'completed',
      width: READERS,
      options: (index) => options[index % options.length] ?? {},
      open: async () => {
        const { orderId } = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
        return { filter: { orderId }, before: [] }
      },
    })
    const connections = new Set(burst.map(({ response }) => response?.connection))
    if (connections.size === 1 && !connections.has(undefined))
      inconclusive(`all ${burst.length} reads went through one connection`)
  },
})
