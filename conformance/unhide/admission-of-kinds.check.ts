import { asText, check, inapplicable, onlyWithControlSide, showAnswer } from '../engine/kit.ts'
import type { CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { idsOf, sendCart } from '../steps/cart.ts'
import { buyEsim, BUYS_ESIMS } from '../steps/esim.ts'
import { buy, pollToEnd, type Bought } from '../steps/orders.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'
import { sendMany } from '../steps/rate-limits/probe.ts'
import {
  count,
  giveUp,
  isPast,
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  UNHIDES,
  type Filter,
  type Unusable,
  showOutcomes,
} from '../steps/unhide/account.ts'
import { isBoughtAs, finish } from '../steps/unhide/orders.ts'
import { UNHIDES_CHECKOUTS } from '../steps/unhide/checked-out.ts'

/** So long that an edge is improbable while an order completes. */
const WINDOW_SECONDS = 600

const BUDGETS = {
  pending: { count: 3, windowSeconds: WINDOW_SECONDS },
  completed: { count: 2, windowSeconds: WINDOW_SECONDS },
} as const

/** Orders that were read beyond admission before it is held against the service: an edge explains one, rarely two. */
const ODD_MAX = 3
const ROUNDS_MAX = 5

/** What is read while it is pending, and what waits for its end and gives the last status. */
type Opened = { readonly filter: Filter; readonly end: () => Promise<unknown> }

type Subject = {
  readonly id: string
  readonly what: string
  readonly product: ProductAbility
  readonly needs: Needs
  readonly purchases: number
  readonly open: (context: CheckContext) => Promise<Opened>
}

type Round = { readonly read: Exchange; readonly reads: readonly Exchange[] } | Unusable

/** Spends the whole sum while it is pending, and reads it once more when it has completed. */
async function roundOf(context: CheckContext, { open }: Subject): Promise<Round> {
  const unhideAccount = await openUnhideAccount(context, BUDGETS)
  const { pending, completed } = unhideAccount.budgets
  const { filter, end } = await open(unhideAccount.context)
  const most = pending.count + completed.count
  const reads = await sendMany(() => readClear(unhideAccount, filter), most)
  const isSpent =
    count(reads, 'pending') === pending.count && count(reads, 'refused') === completed.count
  if (!isSpent) return { unusable: `the reads gave ${showOutcomes(reads)}`, isPast: isPast(reads) }
  const status = await end()
  if (status !== 'SUCCESS') return { unusable: `it ended as ${asText(status)}` }
  return { read: await readClear(unhideAccount, filter), reads }
}

/** Whatever is read with unhide=true counts for admission, pending or refused. */
function boundedBy(subject: Subject): CheckDefinition {
  const { id, what, product, needs, purchases } = subject
  return check({
    id: `unhide.${id}`,
    title: `unhide reads of ${what} are bounded by admission`,
    requirements: ['UNHIDE-17'],
    needs: {
      ...needs,
      roles: ['full'],
      purchases: purchases * ROUNDS_MAX,
      waits: [{ orders: 1, product }],
      tries: ROUNDS_MAX,
      ofKeysOfFile: onlyWithControlSide('accounts with unhide budgets of their own'),
    },
    run: async (context) => {
      const tries: Unusable[] = []
      let odd = 0
      for (let round = 1; round <= ROUNDS_MAX; round++) {
        const looked = await roundOf(context, subject)
        if ('unusable' in looked) {
          tries.push(looked)
          continue
        }
        const { read, reads } = looked
        const holds = outcomeOf(read) === 'refused'
        odd += holds ? 0 : 1
        if (!holds && odd < ODD_MAX) continue
        const { pending, completed } = BUDGETS
        context
          .expect('UNHIDE-17')
          .that(`${what}, completed, after ${reads.length} attempts while it was pending`, {
            holds,
            expected: `HTTP 429: admission takes ${showBudget({ ...pending, count: pending.count + completed.count })}`,
            observed: showAnswer(read),
            exchanges: [read, ...reads],
          })
        return
      }
      giveUp('nothing could be read as planned', tries)
    },
  })
}

function needPending(bought: Bought, what: string): Bought {
  return isBoughtAs(bought, 'IN_PROGRESS') ? bought : inapplicable(`${what} is complete at once`)
}

export const ofEsims = boundedBy({
  id: 'admission-of-esims',
  what: 'an eSIM',
  product: 'esim',
  needs: { ...BUYS_ESIMS, capabilities: ['unhide', ...BUYS_ESIMS.capabilities] },
  purchases: 1,
  open: async (context) => {
    const bought = needPending(await buyEsim(context), 'an eSIM')
    const end = (): Promise<unknown> => finish(context, 'esim', bought)
    return { filter: { orderId: bought.orderId }, end }
  },
})

export const ofLongOrders = boundedBy({
  id: 'admission-of-long-orders',
  what: 'a long order',
  product: 'voucher-long',
  needs: { ...OTHER_KINDS.long.needs, capabilities: ['unhide', 'shop', 'long-orders', 'catalog'] },
  purchases: 1,
  open: async (context) => {
    const order = await OTHER_KINDS.long.order(context, 'full')
    const bought = needPending(await buy(context, order), 'a long order')
    const end = (): Promise<unknown> => finish(context, 'voucher-long', bought)
    return { filter: { orderId: bought.orderId }, end }
  },
})

const LATER = [{ product: 'voucher-async' }, { product: 'voucher-async' }] as const

export const ofCheckouts = boundedBy({
  id: 'admission-of-checkouts',
  what: 'a checkout',
  product: 'voucher-async',
  needs: {
    ...UNHIDES,
    ...UNHIDES_CHECKOUTS,
    capabilities: [...UNHIDES_CHECKOUTS.capabilities, 'async'],
    products: ['voucher-async'],
  },
  purchases: LATER.length,
  open: async (context) => {
    const referenceId = context.reference()
    const ids = idsOf(await sendCart(context, { lines: LATER, referenceId }))
    const end = async (): Promise<unknown> => {
      const statuses = new Set<unknown>()
      for (const orderId of ids) {
        const readings = await pollToEnd(context, 'voucher-async', { orderId })
        statuses.add(readings.at(-1)?.item['status'])
      }
      // What was read as ended by its orderId is so by the reference too: that is judged over the whole run.
      await context.api.as('full').getOrders({ referenceId })
      return statuses.size === 1 ? [...statuses][0] : [...statuses].join(', ')
    }
    return { filter: { referenceId }, end }
  },
})
