import type {
  CheckContext,
  CheckDefinition,
  Exchange,
  Needs,
  RequirementId,
} from '../engine/kit.ts'
import {
  asText,
  check,
  inapplicable,
  isAccepted,
  offeredOf,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { spendEventsOf } from '../../harness/judge/rules/purchases.ts'
import { judgeSpend, type SpendVerdict } from '../../harness/judge/spend.ts'
import { formatMoney, inHundredths, type Micros } from '../../harness/money.ts'
import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { POSITIONS } from '../steps/cart.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from '../steps/races/race.ts'
import { trialOf } from '../steps/races/burst.ts'
import { burstWaits } from '../steps/races/replay-bursts.ts'
import { dataOf } from '../steps/orders.ts'
import { needCurrencyOfMadeCap } from '../steps/races/prices.ts'
import { attemptedAtRest } from '../steps/rules.ts'
import { OTHER_KINDS, orderKind, VOUCHERS, type Kind, type Send } from '../steps/kinds.ts'

/** Purchases that are released together on one key. */
const WIDTH = 8

/** As many as a checkout has positions, so that no kind is much cheaper than the others. */
const MANY_VOUCHERS = orderKind({
  ...VOUCHERS,
  order: () => Promise.resolve({ product: 'voucher', quantity: POSITIONS }),
})

/** What an accepted purchase costs. */
function costOf(context: CheckContext, kind: Kind, exchange: Exchange): Micros {
  if (!isAccepted(exchange) || dataOf(exchange)['status'] === 'CANCELLED') return 0n
  return kind.priceOf(context, exchange)
}

type Burst = Trial & SpendVerdict & { readonly purchases: readonly Exchange[] }

/** Purchases at once, of the kinds in turn, on a new key. */
async function release(
  context: CheckContext,
  kinds: readonly Kind[],
  { cap, answered }: { readonly cap: Micros; readonly answered: Exchange[] },
): Promise<Burst> {
  const [api] =
    (await makerOf(context)({
      keys: [{ scopes: BUYER_SCOPES, transactionLimit: formatMoney(cap) }],
    })) ?? []
  if (!api) throw new Error('an account with one key has one caller')
  const kindAt = (index: number): Kind => kinds[index % kinds.length] as Kind
  const sends: Send[] = []
  for (let index = 0; index < WIDTH; index++)
    sends.push(await kindAt(index).begin({ ...context, api }, 'full'))
  const options = { throttled: 'return' } as const
  await Promise.all(sends.map(() => api.whoami(options)))
  const purchases = await Promise.all(sends.map((send) => send(options)))
  answered.push(...purchases)
  const events = purchases.flatMap((each, index) =>
    spendEventsOf(attemptedAtRest([each]), () => costOf(context, kindAt(index), each)),
  )
  return { ...trialOf(purchases, answered), ...judgeSpend(cap, events), purchases }
}

function isOverspent({ overspent }: Burst): boolean {
  return overspent > 0n
}

/** One purchase of each kind, and what the dearest costs: the cap has room for it alone. */
async function needDearest(
  context: CheckContext,
  { kinds, what }: { readonly kinds: readonly Kind[]; readonly what: string },
  answered: Exchange[],
): Promise<Micros> {
  const bought: Exchange[] = []
  const costs: Micros[] = []
  for (const kind of kinds) {
    const exchange = needSuccess(await (await kind.begin(context, 'full'))())
    bought.push(exchange)
    costs.push(costOf(context, kind, exchange))
  }
  answered.push(...bought)
  if (costs.some((cost) => cost <= 0n))
    untested(`no price can be read: ${bought.map((each) => showAnswer(each)).join('; ')}`)
  const currencies = new Set(bought.map((each) => asText(dataOf(each)['currency']).toUpperCase()))
  const [currency = ''] = currencies
  if (currencies.size > 1) untested(`prices are in ${[...currencies].join(' and ')}`)
  needCurrencyOfMadeCap(context, what, currency)
  return inHundredths(costs.reduce((most, cost) => (cost > most ? cost : most), 0n))
}

type AtOnce = {
  readonly requirement: RequirementId
  readonly kinds: readonly Kind[]
  readonly needs: Needs
}

function atOnce(id: string, what: string, { requirement, kinds, needs }: AtOnce): CheckDefinition {
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
      ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
    },
    run: async (context) => {
      const offered = offeredOf(context.target, kinds)
      if (offered.length < Math.min(kinds.length, 2))
        inapplicable('the target sells but one of these kinds')
      const answered: Exchange[] = []
      const cap = await needDearest(context, { kinds: offered, what }, answered)
      const bursts = await repeatUntilPower(() => release(context, offered, { cap, answered }), {
        isOver: (released) => released.some(isOverspent),
      })
      const broken = bursts.find(isOverspent)
      if (!broken) needPower(bursts, what)
      const shown = broken ?? bursts[0]
      context.expect(requirement).that(`${what} at the same time stay within the cap`, {
        holds: broken === undefined,
        expected: `at most ${formatMoney(cap)} for all accepted of ${WIDTH} purchases`,
        observed: bursts
          .map(({ okSum, text }) => `${formatMoney(okSum)} accepted: ${text}`)
          .join('; '),
        exchanges: shown?.purchases ?? [],
      })
    },
  })
}

/** Of one kind alone. */
function kindAtOnce(
  kind: Kind,
  [id, what]: readonly [string, string],
  requirement: RequirementId = 'CAP-13',
): CheckDefinition {
  return atOnce(id, what, { requirement, kinds: [kind], needs: kind.needs })
}

const { topUp, esim, gift, later, long, units } = OTHER_KINDS
export const topUps = kindAtOnce(topUp, ['top-ups', 'top-ups'], 'CAP-18')
export const esims = kindAtOnce(esim, ['esims', 'eSIMs'], 'CAP-19')
export const gifts = kindAtOnce(gift, ['gifts', 'gifts'], 'CAP-20')
export const laterVouchers = kindAtOnce(later, ['later', 'vouchers that come later'])
export const longOrders = kindAtOnce(long, ['long-orders', 'long orders'])
export const unitsOfTopUps = kindAtOnce(units, ['units', 'top-ups by units'], 'CAP-18')
export const mixed = atOnce('kinds', 'vouchers, top-ups and checkouts', {
  requirement: 'CAP-13',
  kinds: [MANY_VOUCHERS, OTHER_KINDS.topUp, OTHER_KINDS.checkout],
  needs: VOUCHERS.needs,
})
