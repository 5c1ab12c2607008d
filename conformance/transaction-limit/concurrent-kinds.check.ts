import type {
  Api,
  CallOptions,
  CheckContext,
  CheckDefinition,
  Exchange,
  Needs,
  RequirementId,
} from '../engine/kit.ts'
import {
  CONTROL_SIDE,
  asText,
  check,
  inapplicable,
  isAccepted,
  isOffered,
  needSuccess,
  showAnswer,
  untested,
  wanting,
} from '../engine/kit.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { EVERY_SCOPE } from '../steps/allowlist-callers.ts'
import { CHECKS_OUT, LINES, POSITIONS } from '../steps/cart.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from '../steps/races/race.ts'
import { meetingOf } from '../steps/races/burst.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import { burstWaits } from '../steps/races/replay-bursts.ts'
import { BUYS_VOUCHERS, dataOf } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { BUYS_GIFTS, giftRequest, needToken } from '../steps/platform-gift.ts'

/** Purchases that are released together on one key. */
const WIDTH = 8

/** One purchase under a reference of its own, ready to be sent. */
type Send = (api: Api, options: CallOptions) => Promise<Exchange>

type Kind = {
  readonly needs: Needs
  /** Fetches what the purchase takes; the purchase itself is sent later. */
  readonly prepare: (context: CheckContext) => Promise<Send>
  readonly orders: number
}

const VOUCHER: Kind = {
  needs: BUYS_VOUCHERS,
  orders: 1,
  prepare: async ({ reference }) => {
    const order = { product: 'voucher', quantity: POSITIONS, referenceId: reference() } as const
    return (api, options) => api.createOrder(order, options)
  },
}

const TOP_UP: Kind = {
  needs: BUYS_TOP_UPS,
  orders: 1,
  prepare: async (context) => {
    const order = { ...topUpOrder(context), referenceId: context.reference() }
    return (api, options) => api.createOrder(order, options)
  },
}

const ESIM: Kind = {
  needs: BUYS_ESIMS,
  orders: 1,
  prepare: async ({ reference }) => {
    const order = { product: 'esim', kind: 'esim', referenceId: reference() } as const
    return (api, options) => api.createOrder(order, options)
  },
}

const GIFT: Kind = {
  needs: BUYS_GIFTS,
  orders: 1,
  prepare: async (context) => {
    const order = giftRequest({
      token: await needToken(context),
      referenceId: context.reference(),
    })
    return (api, options) => api.createOrder(order, options)
  },
}

const CART: Kind = {
  needs: CHECKS_OUT,
  orders: POSITIONS,
  prepare: async ({ reference }) => {
    const cart = { referenceId: reference(), lines: LINES }
    return (api, options) => api.createCart(cart, options)
  },
}

/** What an accepted purchase costs: `data.price` of an order, `data.totalPrice` of a checkout. */
function costOf(exchange: Exchange): Micros {
  if (!isAccepted(exchange) || dataOf(exchange)['status'] === 'CANCELLED') return 0n
  const { price, totalPrice } = dataOf(exchange)
  return parseMoney(totalPrice ?? price) ?? 0n
}

type Burst = Trial & {
  readonly purchases: readonly Exchange[]
  readonly spent: Micros
  readonly cap: Micros
}

/** Purchases at once, of the kinds in turn, on a new key. */
async function release(
  context: CheckContext,
  kinds: readonly Kind[],
  { cap, answered }: { readonly cap: Micros; readonly answered: Exchange[] },
): Promise<Burst> {
  const sends: Send[] = []
  for (let index = 0; index < WIDTH; index++)
    sends.push(await (kinds[index % kinds.length] as Kind).prepare(context))
  const [api] =
    (await context.makeAccount?.({
      keys: [{ scopes: EVERY_SCOPE, transactionLimit: formatMoney(cap) }],
    })) ?? []
  if (!api) throw new Error('an account with one key has one caller')
  const options = { throttled: 'return' } as const
  await Promise.all(sends.map(() => api.whoami(options)))
  const purchases = await Promise.all(sends.map((send) => send(api, options)))
  answered.push(...purchases)
  const spent = purchases.reduce((sum, each) => sum + costOf(each), 0n)
  return { ...meetingOf(purchases, answered), purchases, cap, spent }
}

function isOverspent({ spent, cap }: Burst): boolean {
  return spent > cap
}

/** One purchase of each kind, and what the dearest costs: the cap has room for it alone. */
async function needDearest(
  context: CheckContext,
  kinds: readonly Kind[],
  answered: Exchange[],
): Promise<Micros> {
  const bought: Exchange[] = []
  for (const { prepare } of kinds) {
    const send = await prepare(context)
    bought.push(needSuccess(await send(context.api.as('full'), {})))
  }
  answered.push(...bought)
  const costs = bought.map(costOf)
  if (costs.some((cost) => cost <= 0n))
    untested(`no price can be read: ${bought.map((each) => showAnswer(each)).join('; ')}`)
  const currencies = new Set(bought.map((each) => asText(dataOf(each)['currency']).toUpperCase()))
  if (currencies.size > 1) untested(`prices are in ${[...currencies].join(' and ')}`)
  return costs.reduce((most, cost) => (cost > most ? cost : most), 0n)
}

type Crowd = {
  readonly requirement: RequirementId
  readonly kinds: readonly Kind[]
  readonly needs: Needs
}

function atOnce(id: string, what: string, { requirement, kinds, needs }: Crowd): CheckDefinition {
  const most = Math.max(...kinds.map(({ orders }) => orders))
  return check({
    id: `transaction-limit.concurrent-${id}`,
    title: `${what} that are bought at the same time never take a key beyond its cap`,
    requirements: [requirement],
    needs: {
      ...needs,
      capabilities: ['transaction-limit', ...(needs.capabilities ?? [])],
      roles: ['full'],
      purchases: most * (kinds.length + WIDTH * BURSTS_MAX),
      waits: burstWaits(BURSTS, 1, WIDTH),
      tries: BURSTS_MAX / BURSTS,
    },
    run: async (context) => {
      if (!context.makeAccount)
        wanting(CONTROL_SIDE, 'keys with a cap of their own cannot be made here')
      const offered = kinds.filter((kind) => isOffered(context.target, kind.needs))
      if (offered.length < Math.min(kinds.length, 2))
        inapplicable('the target sells but one of these kinds')
      const answered: Exchange[] = []
      const cap = await needDearest(context, offered, answered)
      const bursts = await repeatUntilPower(() => release(context, offered, { cap, answered }), {
        isOver: (released) => released.some(isOverspent),
      })
      const broken = bursts.find(isOverspent)
      if (!broken) needPower(bursts, what)
      const shown = broken ?? bursts[0]
      context.expect(requirement).that(`${what} at the same time stay within the cap`, {
        holds: broken === undefined,
        expected: `at most ${formatMoney(cap)} of ${WIDTH} purchases`,
        observed: bursts.map(({ spent, text }) => `${formatMoney(spent)}: ${text}`).join('; '),
        exchanges: shown?.purchases ?? [],
      })
    },
  })
}

export const topUps = atOnce('top-ups', 'top-ups', {
  requirement: 'CAP-18',
  kinds: [TOP_UP],
  needs: BUYS_TOP_UPS,
})
export const esims = atOnce('esims', 'eSIMs', {
  requirement: 'CAP-19',
  kinds: [ESIM],
  needs: BUYS_ESIMS,
})
export const gifts = atOnce('gifts', 'gifts', {
  requirement: 'CAP-20',
  kinds: [GIFT],
  needs: BUYS_GIFTS,
})
export const mixed = atOnce('kinds', 'vouchers, top-ups and checkouts', {
  requirement: 'CAP-13',
  kinds: [VOUCHER, TOP_UP, CART],
  needs: BUYS_VOUCHERS,
})
