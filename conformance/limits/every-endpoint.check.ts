import { POSITIONS } from '../steps/cart.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  CONTROL_SIDE,
  check,
  inconclusive,
  isAccepted,
  isOffered,
  isThrottled,
  needSuccess,
  showAnswer,
  untested,
  wanting,
} from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeCounted } from '../steps/limits/counted.ts'
import { BUYS_VOUCHERS, orderIdOf } from '../steps/orders.ts'
import { RETURN_429_UNPACED, type Send } from '../steps/rate-limits/between-refusals.ts'
import { COUNT, SCOPES, sendingAs } from '../steps/limits/endpoints.ts'
import { ENDPOINTS } from '../steps/requests.ts'

/** A window edge may fall between two requests. */
const TRIES_MAX = 3

/** Two refusals of a spent counter, with what another key of the account and another account got in between. */
type Spent = Readonly<Record<'before' | 'sibling' | 'stranger' | 'after', Exchange>> & {
  /** What was asked otherwise, where it can be. */
  readonly otherwise: Exchange | undefined
}

type Sends = Readonly<Record<'own' | 'sibling' | 'stranger', Send>> & {
  readonly otherwise: Send | undefined
}

/** Whoever asked in vain twice what was answered before: by 429, or by what stands in its place. */
function isTurnedAway(exchange: Exchange): boolean {
  return isThrottled(exchange) || (exchange.response?.status ?? 0) >= 500
}

/** Undefined where the endpoint answers more than twice as often as the account's rule says: it may be looser. */
async function spend({ own, sibling, stranger, otherwise }: Sends): Promise<Spent | undefined> {
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    let before = await own()
    for (let sent = 1; sent <= 2 * COUNT && !isTurnedAway(before); sent++) before = await own()
    if (!isTurnedAway(before)) return undefined
    const spent = {
      before,
      otherwise: await otherwise?.(),
      sibling: await sibling(),
      stranger: await stranger(),
      after: await own(),
    }
    if (isTurnedAway(spent.after)) return spent
  }
  return undefined
}

function judge({ expect }: CheckContext, name: string, spent: Spent): void {
  const { before, otherwise, sibling, stranger, after } = spent
  const exchanges = [before, ...(otherwise ? [otherwise] : []), sibling, stranger, after]
  const tell = (
    requirement: 'RATE-02' | 'RATE-04' | 'RATE-09' | 'RATE-10',
    what: string,
    told: Exchange,
    [holds, expected]: readonly [boolean, string],
  ): void => {
    const observed = showAnswer(told)
    expect(requirement).that(`${name}: ${what}`, { holds, expected, observed, exchanges })
  }
  tell('RATE-04', 'beyond its window', before, [isThrottled(before), 'HTTP 429'])
  if (otherwise)
    tell('RATE-02', 'for something else, while it is spent', otherwise, [
      isTurnedAway(otherwise),
      'HTTP 429: whatever the endpoint is asked for counts',
    ])
  tell('RATE-10', 'as another key of the account, while it is spent', sibling, [
    isTurnedAway(sibling),
    'HTTP 429: both share a counter',
  ])
  tell('RATE-09', 'as another account, while it is spent', stranger, [
    !isThrottled(stranger),
    'not 429: each has its own counter',
  ])
}

/** Nothing of an account that was just made can have spent its window: whatever refuses its first request twice counts others too. */
function judgeNewcomers(
  { expect }: CheckContext,
  name: string,
  first: Exchange,
  exchanges: readonly Exchange[],
): void {
  expect('RATE-09').that(`${name}: the first request of two new accounts`, {
    holds: !exchanges.every(isThrottled),
    expected: 'not 429: nobody but the account itself spends its window',
    observed: exchanges.map((each) => showAnswer(each)).join('; '),
    exchanges: [first, ...exchanges],
  })
}

export const everyEndpoint = check({
  id: 'limits.every-endpoint',
  title: 'the window of each endpoint is counted per account, and refuses by 429',
  requirements: ['RATE-02', 'RATE-04', 'RATE-09', 'RATE-10'],
  needs: { roles: ['full'], purchases: 3 * (1 + POSITIONS) },
  run: async (context) => {
    const { makeAccount, limit, target } = context
    if (!makeAccount) wanting(CONTROL_SIDE, 'accounts with limits of their own cannot be made here')
    const { windowSeconds } = limit('default')
    const make = async (keys: number): Promise<readonly Api[]> =>
      makeAccount({
        keys: Array.from({ length: keys }, () => ({ scopes: SCOPES })),
        limits: { default: { count: COUNT, windowSeconds } },
      })
    const [own, sibling] = (await make(2)) as [Api, Api]
    const [stranger] = (await make(1)) as [Api]
    const judged: Spent[] = []
    for (const endpoint of ENDPOINTS.filter(({ needs }) => isOffered(target, needs))) {
      const { name } = endpoint
      const { send, otherwise } = (await sendingAs(context, endpoint)) ?? {}
      if (!send) continue
      const first = await send(own)
      if (isThrottled(first)) {
        const newcomers = await Promise.all([make(1), make(1)])
        const answers = newcomers.map(([api]) => send(api as Api))
        judgeNewcomers(context, name, first, await Promise.all(answers))
      }
      if (!isAccepted(first)) continue
      const spent = await spend({
        own: () => send(own),
        sibling: () => send(sibling),
        stranger: () => send(stranger),
        otherwise: otherwise && (() => otherwise(own)),
      })
      if (!spent) continue
      judge(context, name, spent)
      judged.push(spent)
    }
    if (judged.length === 0)
      untested('no endpoint refuses what exceeds the default limit of its account')
    if (!judged.some((spent) => spent.otherwise))
      untested('no endpoint that can be asked for something else could be spent')
  },
})

export const refusedPurchase = check({
  id: 'limits.refused-purchase',
  title: 'a purchase that its window refused is made when it is sent again after the wait',
  requirements: ['ORD-01'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 2 + TRIES_MAX,
    waits: [{ windows: 1, of: ['default'] }],
  },
  run: async (context) => {
    const { makeAccount, limit, reference, expect } = context
    if (!makeAccount) wanting(CONTROL_SIDE, 'accounts with limits of their own cannot be made here')
    const { windowSeconds } = limit('default')
    const limits = { default: { count: COUNT, windowSeconds } }
    const [api] = (await makeAccount({ keys: [{ scopes: SCOPES }], limits })) as [Api]
    const referenceId = reference()
    const buyFirst = (): Promise<Exchange> =>
      api.createOrder({ product: 'voucher', referenceId }, RETURN_429_UNPACED)
    const bought = needSuccess(await buyFirst())
    for (let tried = 1; tried <= TRIES_MAX; tried++) {
      let last = bought
      for (let sent = 0; sent <= 2 * COUNT && !isThrottled(last); sent++) last = await buyFirst()
      if (!isThrottled(last)) untested('POST /orders does not refuse what exceeds its window')
      const later = reference()
      const refused = await api.createOrder(
        { product: 'voucher', referenceId: later },
        RETURN_429_UNPACED,
      )
      if (!isThrottled(refused)) continue
      const again = await api.createOrder({ product: 'voucher', referenceId: later })
      expect('ORD-01').that('the order under the referenceId of the refused one', {
        holds: isAccepted(again) && orderIdOf(again) !== orderIdOf(bought),
        expected: 'an order: the 429 created nothing and took no reference',
        exchanges: [refused, again],
      })
      await aside(() => observeCounted(context))
      return
    }
    inconclusive(`a window edge fell into each of ${TRIES_MAX} attempts`)
  },
})
