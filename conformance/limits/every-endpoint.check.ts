import { POSITIONS } from '../steps/cart.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  offeredOf,
  isThrottled,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
} from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeCounted } from '../steps/limits/counted.ts'
import { BUYS_VOUCHERS, itemsOf, orderIdOf } from '../steps/orders.ts'
import {
  BASIC_KINDS,
  expectReferenceFree,
  OTHER_KINDS,
  ordersOfKinds,
  type Kind,
  type Refused,
} from '../steps/kinds.ts'
import {
  areWithin,
  RETURN_429_UNPACED,
  unrefused,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'
import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import {
  COUNT,
  few,
  fewPurchases,
  SCOPES,
  sendingAs,
  untilRefused,
} from '../steps/limits/endpoints.ts'
import { ENDPOINTS, limitNameOf, type Form } from '../steps/requests.ts'

/** A window edge may fall between two requests. */
const TRIES_MAX = 3

/** Two refusals of a spent counter, with what another key of the account and another account got in between. */
type Spent = Readonly<Record<'before' | 'sibling' | 'stranger' | 'after', Exchange>> & {
  /** What was asked otherwise. */
  readonly otherwise: readonly Exchange[]
}

type Sends = Readonly<Record<'own' | 'sibling' | 'stranger', Send>> & {
  readonly otherwise: readonly Send[]
}

/** Each followed by what was refused before: all of them together could spend a window that an edge opened. */
async function inTurn(
  sends: readonly Send[],
  own: Send,
): Promise<Record<'otherwise' | 'refused', readonly Exchange[]>> {
  const [otherwise, refused]: [Exchange[], Exchange[]] = [[], []]
  for (const send of sends) {
    otherwise.push(await send())
    refused.push(await own())
  }
  return { otherwise, refused }
}

/** Whoever asked in vain twice what was answered before: by 429, or by what stands in its place. */
function isTurnedAway(exchange: Exchange): boolean {
  return isThrottled(exchange) || (exchange.response?.status ?? 0) >= 500
}

/**
 * Undefined where the endpoint answers more than twice as often as the account's rule says: it may be looser. What was sent in vain is
 * then kept.
 */
async function spend(
  { own, sibling, stranger, otherwise }: Sends,
  inVain: Exchange[][],
): Promise<Spent | undefined> {
  const sent: Exchange[] = []
  inVain.push(sent)
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    sent.push(...(await untilRefused(own, isTurnedAway)))
    const before = sent.at(-1)
    if (!before || !isTurnedAway(before)) return undefined
    const asked = await inTurn(otherwise, own)
    const spent = {
      before,
      otherwise: asked.otherwise,
      sibling: await sibling(),
      stranger: await again(stranger),
      after: await own(),
    }
    if ([...asked.refused, spent.after].every(isTurnedAway)) return spent
  }
  return undefined
}

/** Another account is asked twice before its refusal counts: a shop's own limit may be relayed once. */
async function again(stranger: Send): Promise<Exchange> {
  const first = await stranger()
  return isThrottled(first) ? stranger() : first
}

function judge({ expect }: CheckContext, name: string, spent: Spent): void {
  const { before, otherwise, sibling, stranger, after } = spent
  const exchanges = [before, ...otherwise, sibling, stranger, after]
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
  for (const other of otherwise)
    tell('RATE-02', 'for something else, while it is spent', other, [
      isTurnedAway(other),
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

/** The first request of an account to an endpoint, after it has asked others: what refuses it again, but no new account, counts those. */
function judgeApart(
  { expect }: CheckContext,
  name: string,
  exchanges: readonly [Exchange, ...Exchange[]],
): void {
  const [first] = exchanges
  const last = exchanges.at(-1) ?? first
  expect('RATE-11').that(`${name}: the first request, after other endpoints were asked`, {
    holds: !isThrottled(first) || !isThrottled(last),
    expected: 'not 429: each endpoint has its own counter',
    observed: showAnswer(first),
    exchanges,
  })
}

/** An endpoint that answers more than two windows admit may be looser; not where the report of such an account gives its limit. */
async function judgeUnspent(
  { expect, target }: CheckContext,
  form: Form,
  sent: readonly Exchange[],
  newcomer: () => Promise<Api>,
): Promise<void> {
  if (sent.length === 0 || sent.some(isTurnedAway)) return
  const report = await (await newcomer()).rateLimits(RETURN_429_UNPACED)
  const limit = reportedLimit(target, report, limitNameOf(form))
  if (!limit || sent.length <= 2 * limit.count || !areWithin(sent, limit.windowSeconds * 1000))
    return
  expect('RATE-02').that(`${form.name}: ${sent.length} requests within a window`, {
    holds: false,
    expected: `HTTP 429: the report gives it ${limit.count} in ${limit.windowSeconds} s`,
    exchanges: [report, ...sent.slice(-2)],
  })
}

/** So many reads of orders as would spend the window of another endpoint, in windows of their own that are wide. */
async function readOrders(api: Api, referenceId: string): Promise<void> {
  for (const query of [{}, { referenceId }])
    for (let sent = 0; sent <= COUNT; sent++) await api.getOrders(query, RETURN_429_UNPACED)
}

const OWN_LIMITS = onlyWithControlSide('accounts with limits of their own')

export const everyEndpoint = check({
  id: 'limits.every-endpoint',
  title: 'the window of each endpoint is counted per account, and refuses by 429',
  requirements: ['RATE-02', 'RATE-04', 'RATE-09', 'RATE-10', 'RATE-11'],
  needs: { roles: ['full'], purchases: 3 * (1 + POSITIONS), ofKeysOfFile: OWN_LIMITS },
  run: async (context) => {
    const { limit, target } = context
    const makeAccount = makerOf(context)
    const small = few(limit('default'))
    const wide = { ...small, count: 10 * COUNT }
    const make = async (keys: number): Promise<readonly Api[]> =>
      makeAccount({
        keys: Array.from({ length: keys }, () => ({ scopes: SCOPES })),
        limits: { default: small, 'orders.list': wide, 'orders.filtered': wide },
      })
    const [own, sibling] = (await make(2)) as [Api, Api]
    const [stranger] = (await make(1)) as [Api]
    const newcomer = async (): Promise<Api> => (await make(1))[0] as Api
    const judged: Spent[] = []
    const inVain: Exchange[][] = []
    await readOrders(own, context.reference())
    for (const endpoint of offeredOf(target, ENDPOINTS)) {
      const { name } = endpoint
      const sending = await sendingAs(context, endpoint)
      if (!sending) continue
      const { send, otherwise } = sending
      const first = await send(own)
      if (isThrottled(first)) {
        const newcomers = await Promise.all([make(1), make(1)])
        const answers = newcomers.map(([api]) => send(api as Api))
        const others = await Promise.all(answers)
        judgeNewcomers(context, name, first, others)
        if (!others.some(isThrottled))
          judgeApart(context, name, [first, ...others, await send(own)])
      } else if (judged.length > 0) judgeApart(context, name, [first])
      if (!isAccepted(first)) continue
      const sends = {
        own: () => send(own),
        sibling: () => send(sibling),
        stranger: () => send(stranger),
        otherwise: otherwise.map((other) => () => other(own)),
      }
      const spent = await spend(sends, inVain)
      if (!spent) await judgeUnspent(context, endpoint, inVain.at(-1) ?? [], newcomer)
      if (!spent) continue
      judge(context, name, spent)
      judged.push(spent)
    }
    if (judged.length < 2)
      context.leaveUndecided('RATE-11', 'fewer than two endpoints could be spent')
    if (judged.length === 0)
      unrefused(
        inVain,
        small.windowSeconds,
        'no endpoint refuses what exceeds the default limit of its account',
      )
    if (!judged.some(({ otherwise }) => otherwise.length > 0))
      unrefused(
        inVain,
        small.windowSeconds,
        'no endpoint that can be asked for something else could be spent',
      )
  },
})

/** Sent while its window is spent; undefined where it is not refused. */
async function sendRefused(
  context: CheckContext,
  kind: Kind,
  referenceId: string,
): Promise<Refused | undefined> {
  const spend = await kind.begin(context, 'full')
  const sent = await untilRefused(() => spend(RETURN_429_UNPACED))
  if (!sent.some(isThrottled)) return undefined
  const send = await kind.begin(context, 'full', referenceId)
  const refused = await send(RETURN_429_UNPACED)
  return isThrottled(refused) ? { kind, send, refused } : undefined
}

/** What the window refused of other kinds is looked for under its reference. */
async function judgeKinds(context: CheckContext): Promise<void> {
  const judged: Refused[] = []
  for (const kind of offeredOf(context.target, BASIC_KINDS)) {
    const referenceId = context.reference()
    const sent = await sendRefused(context, kind, referenceId)
    if (!sent) continue
    judged.push(sent)
    const { refused } = sent
    const found = await context.api.as('full').getOrders({ referenceId })
    context.expect('SEQ-07').that(`${kind.what} that its window refused`, {
      holds: (itemsOf(found) ?? []).length === 0,
      expected: 'no order under its referenceId',
      exchanges: [refused, found],
    })
  }
  for (const sent of judged)
    await expectReferenceFree(context, sent, 'sent again after its window refused it')
  if (!judged.some(({ kind }) => kind === OTHER_KINDS.checkout))
    context.leaveUndecided('CART-01', 'no checkout was refused by its window', 'inapplicable')
  if (judged.length === 0) context.leaveUndecided('SEQ-07', 'a window edge fell into each attempt')
}

export const refusedPurchase = check({
  id: 'limits.refused-purchase',
  title: 'a purchase that its window refused is not made until it is sent again after the wait',
  requirements: ['CART-01', 'ORD-01', 'SEQ-07'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 2 + TRIES_MAX + 3 * ordersOfKinds(BASIC_KINDS),
    waits: [{ windows: 2, of: ['default'] }],
    ofKeysOfFile: OWN_LIMITS,
  },
  run: async (context) => {
    const { limit, reference, expect } = context
    const makeAccount = makerOf(context)
    const { windowSeconds } = limit('default', 'createOrder')
    const limits = fewPurchases(context)
    const [api] = (await makeAccount({ keys: [{ scopes: SCOPES }], limits })) as [Api]
    const referenceId = reference()
    const buyFirst = (): Promise<Exchange> =>
      api.createOrder({ product: 'voucher', referenceId }, RETURN_429_UNPACED)
    const bought = needSuccess(await buyFirst())
    for (let tried = 1; tried <= TRIES_MAX; tried++) {
      const sent = await untilRefused(buyFirst)
      if (!sent.some(isThrottled)) {
        if (tried === TRIES_MAX || areWithin(sent, windowSeconds * 1000))
          unrefused([sent], windowSeconds, 'POST /orders does not refuse what exceeds its window')
        await context.wait('a less busy moment', windowSeconds * 1000)
        continue
      }
      const later = reference()
      const refused = await api.createOrder(
        { product: 'voucher', referenceId: later },
        RETURN_429_UNPACED,
      )
      if (!isThrottled(refused)) continue
      await judgeKinds({ ...context, api })
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
