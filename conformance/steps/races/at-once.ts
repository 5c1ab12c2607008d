/** Purchases of one key at once, whose cap has room for one of them. */
import { BUYER_SCOPES } from '../../../contract/capabilities.ts'
import { spendEventsOf } from '../../../harness/judge/rules/purchases.ts'
import { judgeSpend, type SpendVerdict } from '../../../harness/judge/spend.ts'
import { formatMoney, inHundredths, type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../../engine/kit.ts'
import {
  asText,
  isAccepted,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../../engine/kit.ts'
import type { Kind, Send } from '../kinds.ts'
import { dataOf } from '../orders.ts'
import { attemptedAtRest } from '../rules.ts'
import { trialOf } from './burst.ts'
import { needCurrencyOfMadeCap } from './prices.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from './race.ts'
import { burstWaits } from './replay-bursts.ts'

/** Purchases that are released together on one key. */
const WIDTH = 8

/** What is bought at once. */
type AtOnce = {
  /** In turn. */
  readonly kinds: readonly Kind[]
  /** For sentences, for example `top-ups`. */
  readonly what: string
}

/** What a check needs that buys so. */
export function needsAtOnce(kinds: readonly Kind[], needs: Needs): Needs {
  const most = Math.max(...kinds.map(({ orders }) => orders))
  return {
    ...needs,
    capabilities: ['transaction-limit', ...(needs.capabilities ?? [])],
    roles: ['full'],
    purchases: most * (kinds.length + WIDTH * BURSTS_MAX),
    waits: burstWaits(BURSTS, 1, WIDTH),
    tries: BURSTS_MAX / BURSTS,
    ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
  }
}

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
  { kinds, what }: AtOnce,
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

/** Buys one of each kind, and then many at once until that shows enough, or too much. */
export async function buyAtOnce(
  context: CheckContext,
  bought: AtOnce,
): Promise<{ readonly cap: Micros; readonly bursts: readonly Burst[] }> {
  const answered: Exchange[] = []
  const cap = await needDearest(context, bought, answered)
  const bursts = await repeatUntilPower(() => release(context, bought.kinds, { cap, answered }), {
    isOver: (released) => released.some(isOverspent),
  })
  return { cap, bursts }
}

/** All that was accepted of each burst stays within the cap. */
export function expectWithinCap(
  { expect }: CheckContext,
  requirement: RequirementId,
  { what, cap, bursts }: Pick<AtOnce, 'what'> & Awaited<ReturnType<typeof buyAtOnce>>,
): void {
  const broken = bursts.find(isOverspent)
  if (!broken) needPower(bursts, what)
  const shown = broken ?? bursts[0]
  expect(requirement).that(`${what} at the same time stay within the cap`, {
    holds: broken === undefined,
    expected: `at most ${formatMoney(cap)} for all accepted of ${WIDTH} purchases`,
    observed: bursts.map(({ okSum, text }) => `${formatMoney(okSum)} accepted: ${text}`).join('; '),
    exchanges: shown?.purchases ?? [],
  })
}
