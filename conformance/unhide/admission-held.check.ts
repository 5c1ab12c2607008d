import { isBeyondEdges, type Span } from '../../harness/judge/rules/unhide.ts'
import { coveringSeconds } from '../../harness/plan/waits.ts'
import {
  type Exchange,
  check,
  inapplicable,
  inapplicableUnlessBusy,
  inconclusive,
  showAnswer,
} from '../engine/kit.ts'
import { POLLS_IN_TIME } from '../steps/rate-limits/counters.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  stretched,
  UNHIDES,
  type Unusable,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { NO_EXPERIENCE, spendWhilePending, type Experience } from '../steps/unhide/pending.ts'

const PRODUCT = 'voucher-async'
const WINDOW_SECONDS = 8

/** As many that a look found open as edges of windows that start anywhere do not explain; one that it found spent decides at once. */
const ORDERS_MAX = 20
/** So many orders at first that end too soon, or are seen to end too late: no later one would do better. */
const LACKS_MAX = 4
/** A longer time between the first attempt and the look would hold an edge too often. */
const SPAN_SHARE_MAX = 0.62

/**
 * Of a window, added before each order from the third on: parts that have no common step. Else windows whose starts follow from ids in
 * sequence could hold an edge before every look, as the orders go on in equal steps too.
 */
const UNEVEN_SHARE = (Math.sqrt(5) - 1) / 2

/** What a look half a window after the last attempt found. */
type Look = { readonly read: Exchange; readonly reads: readonly Exchange[]; readonly span: Span }

/**
 * Only admission can refuse an order that has just completed, so each order gives one look at a spent admission: half a window after
 * it was spent. The first two follow each other half a window apart, so windows that start together hold an edge before one of them.
 */
export const admissionHeld = check({
  id: 'unhide.admission-held',
  title: 'spent admission stays spent for more than half of its window',
  requirements: ['RATE-02'],
  needs: {
    ...UNHIDES,
    capabilities: ['shop', 'unhide', 'async'],
    products: [PRODUCT],
    windows: [POLLS_IN_TIME],
    purchases: ORDERS_MAX,
    waits: [
      { orders: 1, product: PRODUCT },
      {
        windows: 1,
        of: ['orders.unhide.admission'],
        ownSeconds: WINDOW_SECONDS,
        ownCovers: PRODUCT,
      },
    ],
    tries: ORDERS_MAX,
  },
  run: async (context) => {
    const windowSeconds = coveringSeconds(context.target, PRODUCT, WINDOW_SECONDS)
    const wanted = {
      pending: { count: 3, windowSeconds },
      completed: { count: 2, windowSeconds },
    }
    const ample = await stretched(context, wanted)
    let unhideAccount = await openUnhideAccount(context, ample)
    const { admission } = unhideAccount.budgets
    const windowMs = admission.windowSeconds * 1000
    const experience: Experience = { ...NO_EXPERIENCE }
    const open: Look[] = []
    const lacks: Unusable[] = []
    for (let order = 1; order <= ORDERS_MAX; order++) {
      if (open.length === 0 && lacks.length === LACKS_MAX) break
      // Polls that wait for a small window of the account would see an order end too late.
      if (order > 1 && context.makeAccount) unhideAccount = await openUnhideAccount(context, ample)
      if (order > 2)
        await context.wait('looks at uneven moments', ((order * UNEVEN_SHARE) % 1) * windowMs)
      const look = await lookHalfway(unhideAccount, experience)
      if ('unusable' in look) {
        lacks.push(look)
        continue
      }
      if (outcomeOf(look.read) === 'completed') open.push(look)
      const isHeld = outcomeOf(look.read) === 'refused'
      const spans = open.map(({ span }) => span)
      if (!isHeld && !isBeyondEdges(spans, windowMs, context.slackMs)) continue
      context.expect('RATE-02').that('an order whose admission was spent before it completed', {
        holds: isHeld,
        expected: `429 until the window is over (admission ${showBudget(admission)})`,
        observed: isHeld
          ? showAnswer(look.read)
          : `${open.length} of ${open.length} orders were shown half a window later`,
        exchanges: isHeld ? [look.read, ...look.reads] : open.map(({ read }) => read),
        offending: look.read,
      })
      return
    }
    // What admission does is left to the checks of its count and its return.
    const reasons = [...new Set(lacks.map(({ unusable }) => unusable))].join('; ')
    if (open.length === 0) inapplicable(`no order could be read as planned: ${reasons}`)
    const others = reasons
      ? `; ${lacks.length} others could not be read as planned: ${reasons}`
      : ''
    const reason = `edges may explain the ${open.length} orders that were shown${others}`
    // Where most orders complete while they are read, no other run would show more.
    const isTooQuick = lacks.length > open.length && lacks.every(({ isPast }) => isPast === true)
    if (isTooQuick) inapplicableUnlessBusy(reason)
    inconclusive(reason)
  },
})

/** Spends the admission of an order that completes, and looks half a window later. */
async function lookHalfway(
  unhideAccount: UnhideAccount,
  experience: Experience,
): Promise<Look | Unusable> {
  const { context, budgets } = unhideAccount
  const windowMs = budgets.admission.windowSeconds * 1000
  const spent = await spendWhilePending(unhideAccount, budgets.completed.count, experience)
  if ('unusable' in spent) return spent
  const { reads, orderId } = spent
  const [first] = reads
  const last = reads.at(-1)
  if (!first || !last) return { unusable: 'no attempt was made' }
  const lookMs = last.receivedAtMs + windowMs / 2 + 2 * context.slackMs
  await context.wait('half of an admission window', lookMs - context.clock.nowMs())
  const read = await readClear(unhideAccount, { orderId })
  const span = { fromMs: first.sentAtMs, toMs: read.receivedAtMs }
  if (span.toMs - span.fromMs > SPAN_SHARE_MAX * windowMs)
    return { unusable: 'the look came too late' }
  return { read, reads, span }
}
