import { CONTENTION_WAIT_RULE } from '../../harness/judge/rules/refusals.ts'
import { formatMoney, type Micros } from '../../harness/money.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  offeredOf,
  isThrottled,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findsNothing } from '../steps/orders.ts'
import { Buyer, priceOf } from '../steps/buyer.ts'
import { balanceOfMade, type Reading } from '../steps/funds.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { needCurrencyOfCap } from '../steps/cap/other-purchasables.ts'
import { makeRoom, pause, windowIsFree } from '../steps/races/burst.ts'
import { isWrong } from '../steps/races/decisions.ts'
import { judgeResent } from '../steps/races/resent.ts'
import { atRest, expectEach } from '../steps/rules.ts'
import { OTHER_KINDS, type Kind, type Send } from '../steps/kinds.ts'

/** What is bought at the same time besides vouchers, which have a check of their own. */
const KINDS = [
  OTHER_KINDS.topUp,
  OTHER_KINDS.esim,
  OTHER_KINDS.gift,
  OTHER_KINDS.checkout,
] satisfies readonly Kind[]

/** Purchases of each kind that are released together. */
const OF_EACH = 2

const BURSTS_MAX = 4
const RETRIES_MAX = 4

type Purchase = {
  readonly kind: Kind
  readonly referenceId: string
  readonly send: Send
  readonly attempts: Exchange[]
}

const RETURNED = { throttled: 'return' } as const

/** One more attempt; what is accepted is taken off what is left of the cap. */
async function attempt(
  cappedKey: CappedKey,
  { kind, send, attempts }: Purchase,
): Promise<Exchange> {
  const exchange = await send(RETURNED)
  attempts.push(exchange)
  cappedKey.exchanges.push(exchange)
  if (isAccepted(exchange)) cappedKey.takeOff(kind.priceOf(cappedKey.context, exchange))
  return exchange
}

/** Releases purchases of each kind at once, and gives those that were refused for contention. */
async function release(cappedKey: CappedKey, kinds: readonly Kind[]): Promise<Purchase[]> {
  const { context } = cappedKey
  const purchases: Purchase[] = []
  for (const kind of Array.from({ length: OF_EACH }, () => kinds).flat()) {
    const referenceId = context.reference()
    const send = await kind.begin(context, 'capped', referenceId)
    purchases.push({ kind, referenceId, send, attempts: [] })
  }
  await makeRoom(cappedKey, purchases.length)
  await Promise.all(purchases.map(() => context.api.as('capped').whoami(RETURNED)))
  await Promise.all(purchases.map((purchase) => attempt(cappedKey, purchase)))
  return purchases
}

export const refusedKinds = check({
  id: 'contention.refused-kinds',
  title:
    'top-ups, eSIMs, gifts and checkouts refused for contention leave nothing and pass when sent again',
  requirements: ['BUSY-01', 'BUSY-02', 'BUSY-04', 'BUSY-05', 'BUSY-06'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    rolesIfKnown: ['funds'],
    transactionLimit: '40.00',
    capCovers: { dtu: 9, esim: 9, 'platform-gift': 9 },
    purchases: CAPPED_KEY_PURCHASES + 5 * OF_EACH * BURSTS_MAX + KINDS.length + 3,
    waits: [
      { requests: 4 * OF_EACH * KINDS.length + 4 },
      { seconds: 1.5, reason: 'contention to pass' },
    ],
    tries: BURSTS_MAX,
    // Vouchers show it of such a key. Where they do not contend, nothing is left open by that.
    ofKeysOfFile: () => ({
      verdict: 'inapplicable',
      reason: 'the cap of a key that lasts is not spent on bursts of other products',
    }),
  },
  run: async (context) => {
    const kinds = offeredOf(context.target, KINDS)
    if (kinds.length === 0) inapplicable('the target sells nothing but vouchers')
    using cappedKey = await openCappedKey(context)
    const sibling = new Buyer(context, 'full')
    needSuccess(await sibling.send(1, context.reference()))
    const first = await paidOf(cappedKey, sibling)
    await needRoom(cappedKey, kinds)
    const second = await paidOf(cappedKey, sibling)
    const contended = await contendedOf(cappedKey, kinds, sibling)
    expectEach(context, atRest([CONTENTION_WAIT_RULE]), {
      answers: contended.flatMap(({ attempts }) => attempts.filter(isThrottled)),
      what: 'refusals for contention',
    })
    await judgeTraces(context, contended)
    const resent = await resend(cappedKey, contended)
    const third = await paidOf(cappedKey, sibling)
    judgeDebits(context, [first, second, third], contended)
    await judgeResent(cappedKey, sibling, resent)
  },
})

/** What the balance is, and what the prices of all that was bought with both keys leave of it. */
type Paid = { readonly reading: Reading; readonly priced: Micros } | undefined

async function paidOf(cappedKey: CappedKey, sibling: Buyer): Promise<Paid> {
  const { context, left } = cappedKey
  const reading = context.keys.has('funds') ? await balanceOfMade(context, 'funds') : undefined
  if (!reading) return undefined
  const prices = sibling.exchanges.filter(isAccepted).map((each) => priceOf(context, each))
  const priced = prices.reduce((rest, price) => rest - price, left)
  return { reading, priced }
}

/** Where purchases take their price off the balance at once, contended ones take nothing. */
function judgeDebits(
  { expect }: CheckContext,
  [first, second, third]: readonly [Paid, Paid, Paid],
  contended: readonly Purchase[],
): void {
  if (!first || !second || !third) return
  const isAtOnce = first.reading.balance - second.reading.balance === first.priced - second.priced
  if (!isAtOnce) return
  const wanted = second.reading.balance - (second.priced - third.priced)
  expect('BUSY-05').that('the balance after purchases were refused for contention', {
    holds: third.reading.balance >= wanted,
    expected: `${formatMoney(wanted)}: what was bought took its price`,
    observed: formatMoney(third.reading.balance),
    exchanges: [second.reading.exchange, ...contended.map(lastOf), third.reading.exchange],
  })
}

/** One of each kind is bought alone, and the cap has room for all that the bursts may buy at those prices. */
async function needRoom(cappedKey: CappedKey, kinds: readonly Kind[]): Promise<void> {
  const { context } = cappedKey
  let price = 0n
  for (const kind of kinds) {
    const bought = needSuccess(await (await kind.begin(context, 'capped'))())
    needCurrencyOfCap(context, bought)
    const each = kind.priceOf(context, bought)
    cappedKey.takeOff(each)
    price += each
  }
  const wanted = BigInt(OF_EACH * BURSTS_MAX) * price + 2n * cappedKey.unit
  if (cappedKey.left < wanted)
    untested(
      `the bursts may buy for ${formatMoney(wanted)}, and the cap has ${formatMoney(cappedKey.left)} left (${cappedKey.basis})`,
    )
}

/** Refused purchases, as many kinds of them as bursts show. */
async function contendedOf(
  cappedKey: CappedKey,
  kinds: readonly Kind[],
  sibling: Buyer,
): Promise<readonly Purchase[]> {
  const found = new Map<Kind, Purchase>()
  const all: Purchase[] = []
  for (let burst = 1; burst <= BURSTS_MAX && found.size < kinds.length; burst++) {
    const purchases = await release(cappedKey, kinds)
    all.push(...purchases)
    const refused = purchases.filter(({ attempts }) => attempts.some(isThrottled))
    // A 429 while the window is spent may be the window's: it says nothing about contention.
    if (refused.length > 0 && (await windowIsFree(cappedKey, sibling)) !== true) continue
    for (const purchase of refused)
      if (!found.has(purchase.kind)) found.set(purchase.kind, purchase)
  }
  for (const kind of kinds) judgeAnswers(cappedKey.context, kind, all)
  if (found.size === 0)
    inapplicable('no purchase was refused for contention while the window had room')
  return [...found.values()]
}

/** A provider may fail once by itself. */
const WRONG_MIN = 2

/** Each was bought alone before: what it gets now is a decision, or a 429. */
function judgeAnswers({ expect }: CheckContext, kind: Kind, all: readonly Purchase[]): void {
  const answers = all.flatMap((each) => (each.kind === kind ? each.attempts : []))
  const wrong = answers.filter(isWrong)
  expect('BUSY-01').that(`${kind.what} that overlaps with others on its key`, {
    holds: wrong.length < WRONG_MIN,
    expected: 'success, or HTTP 429 with statusCode 8',
    observed: wrong[0] ? `${wrong.length} break it, first: ${showAnswer(wrong[0])}` : 'so in each',
    exchanges: wrong.length < WRONG_MIN ? answers : wrong,
  })
}

async function judgeTraces(context: CheckContext, contended: readonly Purchase[]): Promise<void> {
  for (const { kind, referenceId, attempts } of contended) {
    const found = await context.api.as('capped').getOrders({ referenceId })
    context.expect('BUSY-04').that(`the reference of ${kind.what} refused for contention`, {
      holds: findsNothing(found),
      expected: 'no order',
      observed: showAnswer(found),
      exchanges: [...attempts, found],
    })
  }
}

/** Each alone, as its Retry-After says. Gives the last answer to each. */
async function resend(
  cappedKey: CappedKey,
  contended: readonly Purchase[],
): Promise<readonly Exchange[]> {
  for (const purchase of contended)
    for (let retry = 0; retry < RETRIES_MAX && isThrottled(lastOf(purchase)); retry++) {
      await pause(cappedKey, [lastOf(purchase)])
      await attempt(cappedKey, purchase)
    }
  return contended.map(lastOf)
}

function lastOf({ attempts }: Purchase): Exchange {
  return attempts.at(-1) as Exchange
}
