import type { Role } from '../../contract/capabilities.ts'
import { renderOrder } from '../../harness/client/bodies.ts'
import { select } from '../../harness/target-file/select.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import { renderTemplate } from '../../harness/target-file/template.ts'
import type {
  CallOptions,
  Caller,
  CheckContext,
  Exchange,
  Needs,
  OrderRequest,
} from '../engine/kit.ts'
import { inapplicable, inconclusive, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { findUnder, needReferenceFilter } from './idempotency.ts'
import { isRefusedOtherwise } from './order-refusal.ts'
import { orderIdOf, type Bought } from './orders.ts'

/** What every check of quotes needs. */
export const QUOTES_GIFTS = {
  capabilities: ['platform-gift'],
  roles: ['full'],
  products: ['platform-gift'],
  operations: ['createGiftQuote'],
} as const satisfies Needs

/** What every check of gift orders needs. */
export const BUYS_GIFTS = {
  ...QUOTES_GIFTS,
  orderKinds: ['platform-gift'],
} as const satisfies Needs

const KIND = { product: 'platform-gift', kind: 'platform-gift' } as const

/** What a quote is asked for, where it is not what the product of the target file says. */
export type Place = { readonly editionId?: Scalar; readonly recipientRegion?: Scalar }

/** The variables of the product, with those of another place over them. */
export function placeOf({ target }: CheckContext, place: Place = {}): Record<string, Scalar> {
  return { ...target.products['platform-gift']?.variables, ...place }
}

/** A second region that can be quoted, or with `edition` a second edition; untested where the target file names none. */
export function otherPlace({ target }: CheckContext, what: 'region' | 'edition'): Place {
  const [place] = placesBeside({ target }, what)
  if (!place)
    untested(
      `the target file names no ${NAMES[what]} under products.platform-gift.variables, a second ${what} that can be quoted`,
    )
  return place
}

const NAMES = { region: 'otherRecipientRegion', edition: 'otherEditionId' } as const

/** Places that differ from the product's in the region or, failing that, in the edition. */
export function placesBeside(
  { target }: Pick<CheckContext, 'target'>,
  ...whats: readonly (keyof typeof NAMES)[]
): readonly Place[] {
  const variables = target.products['platform-gift']?.variables ?? {}
  return whats.flatMap((what) => {
    const value = variables[NAMES[what]]
    if (value === undefined) return []
    return [what === 'region' ? { recipientRegion: value } : { editionId: value }]
  })
}

type QuoteOptions = CallOptions & { readonly place?: Place; readonly caller?: Caller }

/** Asks for a quote. It costs nothing and creates nothing. */
export function requestQuote(
  context: CheckContext,
  { place = {}, caller = 'full', ...options }: QuoteOptions = {},
): Promise<Exchange> {
  const template = context.target.operations.createGiftQuote.body
  const body = renderTemplate(template, placeOf(context, place))
  return context.api.as(caller).send('createGiftQuote', { body }, options)
}

/** The token of a quote; undefined where there is none. Its type is not shown. */
export function tokenIn(
  { target }: Pick<CheckContext, 'target'>,
  quote: Exchange,
): Scalar | undefined {
  const { quoteToken = '/data/quoteToken' } = target.operations.createGiftQuote.selectors
  const [token] = select(quoteToken, quote.json)
  return token === undefined || token === null || token === '' ? undefined : (token as Scalar)
}

/** A fresh token: whether one serves for several orders is not shown. */
export async function needToken(
  context: CheckContext,
  place: Place = {},
  role: Role = 'full',
): Promise<Scalar> {
  const quote = needSuccess(await requestQuote(context, { place, caller: role }))
  return tokenIn(context, quote) ?? untested(`the quote has no quoteToken: ${showAnswer(quote)}`)
}

export type GiftOrder = {
  readonly token: Scalar
  readonly place?: Place
  readonly referenceId: string
  /** What is wrong with the body, or different. */
  readonly change?: (body: unknown) => unknown
  /** Default: full. */
  readonly role?: Role
}

/** What the client is given to send; the same again is the same canonical payload. */
export function giftRequest({
  token,
  place,
  referenceId,
}: Omit<GiftOrder, 'change' | 'role'>): OrderRequest {
  return { ...KIND, referenceId, variables: { ...place, quoteToken: token } }
}

export function giftBody({ target }: CheckContext, order: GiftOrder): unknown {
  return renderOrder(target, giftRequest(order), KIND.kind)
}

export function sendGift(context: CheckContext, order: GiftOrder): Promise<Exchange> {
  const options: CallOptions = order.change
    ? { rawBody: JSON.stringify(order.change(giftBody(context, order))) }
    : {}
  return context.api.as(order.role ?? 'full').createOrder(giftRequest(order), options)
}

export type BoughtGift = Bought & {
  readonly order: GiftOrder
  /** When its token was asked for. */
  readonly askedAtMs: number
}

/** Quotes without end help nobody. */
const QUOTES_MAX = 3
/** How long a token lives is not shown: one that is younger is taken to hold. */
const HOLDS_SECONDS_MIN = 5

/** Whether the waits for an answer may have outlived the token of a purchase that was refused. */
function mayHaveExpired(
  { clock, target }: CheckContext,
  askedAtMs: number,
  refused: Exchange,
): boolean {
  const { quoteSeconds = HOLDS_SECONDS_MIN } = target.products['platform-gift'] ?? {}
  return isRefusedOtherwise(refused) && clock.nowMs() - askedAtMs >= quoteSeconds * 1000
}

/**
 * Sends a gift order that is to be accepted, with a token of its own. It may wait for room in a window until its token has expired.
 * Then another token is asked for when there is room. The reference is fresh too: a refusal may be kept for the old one.
 */
export async function sendFreshGift(
  context: CheckContext,
  options: Pick<GiftOrder, 'place' | 'change'> = {},
): Promise<Pick<BoughtGift, 'exchange' | 'order' | 'askedAtMs'>> {
  for (let tried = 1; ; tried++) {
    using _room = tried === 1 ? undefined : await context.roomFor('createOrder', 'full')
    const askedAtMs = context.clock.nowMs()
    const token = await needToken(context, options.place)
    const order = { ...options, token, referenceId: context.reference() }
    const exchange = await sendGift(context, order)
    if (!mayHaveExpired(context, askedAtMs, exchange)) return { exchange, order, askedAtMs }
    if (tried === QUOTES_MAX)
      inconclusive(
        `${tried} gift orders were refused, and each quoteToken may have expired: ${showAnswer(exchange)}. Run this check when the machine and the target are less busy`,
      )
  }
}

/** A gift order is sent again. A service may validate the body of a replay first, and refuse a token that has expired. */
export async function sendGiftAgain(
  context: CheckContext,
  { order, askedAtMs }: BoughtGift,
  changed: Pick<GiftOrder, 'change'> = {},
): Promise<Exchange> {
  const exchange = await sendGift(context, { ...order, ...changed })
  return needValidToken(context, askedAtMs, exchange)
}

/** The check ends where an order may have been refused because its token had expired. */
export function needValidToken(
  context: CheckContext,
  askedAtMs: number,
  exchange: Exchange,
): Exchange {
  if (!mayHaveExpired(context, askedAtMs, exchange)) return exchange
  const { quoteSeconds } = context.target.products['platform-gift'] ?? {}
  if (quoteSeconds !== undefined) {
    needSwiftAnswers(context, askedAtMs, quoteSeconds)
    inapplicable(
      `a gift order that took longer than ${quoteSeconds} s was refused: its quoteToken had expired`,
    )
  }
  return untested(
    `a gift order was refused, and its quoteToken may have expired: ${showAnswer(exchange)}. State products.platform-gift.quoteSeconds if tokens live longer`,
  )
}

/** Without slow answers the token would hold: then nothing is known of the target but that it, or the way to it, was slow. */
function needSwiftAnswers(
  { answeringMs, clock }: CheckContext,
  askedAtMs: number,
  quoteSeconds: number,
): void {
  const quoteMs = quoteSeconds * 1000
  const slowMs = answeringMs(askedAtMs)
  if (slowMs < quoteMs / 2 || clock.nowMs() - askedAtMs - slowMs >= quoteMs) return
  inconclusive(
    `answers took ${(slowMs / 1000).toFixed(1)} s, longer than the ${quoteSeconds} s of a quoteToken leave time for, and a gift order was refused. Run this check when the machine and the target are less busy`,
  )
}

/** Quotes, buys and insists on success. */
export async function buyGift(context: CheckContext, place: Place = {}): Promise<BoughtGift> {
  const { exchange, order, askedAtMs } = await sendFreshGift(context, { place })
  needSuccess(exchange)
  const orderId = orderIdOf(exchange)
  if (orderId === undefined)
    untested(`the gift order to build on has no data.orderId: ${showAnswer(exchange)}`)
  return { exchange, orderId, referenceId: order.referenceId, order, askedAtMs }
}

/** The reference finds the gift order, as the ground for what is counted next. That it does is decided by GIFT-17. */
export async function needFound(context: CheckContext, { referenceId }: Bought): Promise<void> {
  const { exchange, count } = await findUnder(context, referenceId)
  if (count !== 1)
    untested(`the gift order is not found by its referenceId: ${showAnswer(exchange)}`)
  await needReferenceFilter(context)
}

export async function buyFoundGift(context: CheckContext): Promise<BoughtGift> {
  const bought = await buyGift(context)
  await needFound(context, bought)
  return bought
}
