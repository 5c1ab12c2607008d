import type { OrderKind } from '../../harness/target-file/target.ts'
import type { CheckContext, Exchange, Needs, OrderRequest, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, isOffered, showAnswer, untested } from '../engine/kit.ts'
import { CHECKS_OUT, LINES, POSITIONS, sendCart } from '../steps/cart.ts'
import { CHECKS_TOP_UPS } from '../steps/dtu-check.ts'
import { VALIDATES_TOP_UPS } from '../steps/dtu-validate.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import { LOOKS_UP } from '../steps/lookup.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { BUYS_VOUCHERS, findsNothing, itemsOf } from '../steps/orders.ts'
import { OTHER_KINDS, ordersOfKinds } from '../steps/races/kinds.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { without } from '../steps/platform-gift-body.ts'
import {
  BUYS_GIFTS,
  giftRequest,
  needToken,
  QUOTES_GIFTS,
  sendGift,
} from '../steps/platform-gift.ts'
import { expectErrors, expectReferenceNamed } from '../steps/validation-refusals.ts'

/** A request whose body breaks a rule for sure: an order lacks its referenceId, anything else lacks all that it is about. */
type Broken = {
  readonly what: string
  readonly needs: Needs
  readonly send: (context: CheckContext) => Promise<Exchange>
  /** What it breaks to accept it, where no check of its own decides that. */
  readonly breaks?: 'IDEM-01'
  /** It lacks only its reference, as an order of this kind. */
  readonly lacksReference?: OrderKind
  /** The same without what is wrong: it must be accepted first. */
  readonly control?: (context: CheckContext) => Promise<Exchange>
}

const NAMELESS = { shop: BUYS_VOUCHERS, dtu: BUYS_TOP_UPS, esim: BUYS_ESIMS } as const
const SOLD = {
  shop: { product: 'voucher' },
  esim: { product: 'esim', kind: 'esim' },
} as const

const BROKEN: readonly Broken[] = [
  {
    what: 'an order without referenceId',
    needs: BUYS_VOUCHERS,
    breaks: 'IDEM-01',
    lacksReference: 'shop',
    control: ({ api, reference }) =>
      api.as('full').createOrder({ product: 'voucher', referenceId: reference() }),
    send: ({ api }) => api.as('full').createOrder({ product: 'voucher', referenceId: undefined }),
  },
  {
    what: 'an order of an unknown ordersType',
    needs: BUYS_VOUCHERS,
    send: ({ api, reference }) =>
      api.as('full').createOrder({
        product: 'voucher',
        referenceId: reference(),
        overrides: { ordersType: 'no-such-type' },
      }),
  },
  {
    what: 'a top-up without referenceId',
    needs: BUYS_TOP_UPS,
    breaks: 'IDEM-01',
    lacksReference: 'dtu',
    send: (context) =>
      context.api.as('full').createOrder({ ...topUpOrder(context), referenceId: undefined }),
  },
  {
    what: 'an eSIM without referenceId',
    needs: BUYS_ESIMS,
    breaks: 'IDEM-01',
    lacksReference: 'esim',
    send: ({ api }) =>
      api.as('full').createOrder({ product: 'esim', kind: 'esim', referenceId: undefined }),
  },
  ...[OTHER_KINDS.units, OTHER_KINDS.long].map((kind): Broken => ({
    what: `${kind.what} without referenceId`,
    needs: kind.needs,
    breaks: 'IDEM-01',
    send: async (context) => {
      const order = { ...(await kind.order(context, 'full')), referenceId: undefined }
      return context.api.as('full').createOrder(order)
    },
  })),
  {
    what: 'a top-up with checkOnly=false and without referenceId',
    needs: BUYS_TOP_UPS,
    breaks: 'IDEM-01',
    send: (context) =>
      context.api.as('full').createOrder({
        ...topUpOrder(context),
        referenceId: undefined,
        overrides: { checkOnly: false },
      }),
  },
  ...(['shop', 'dtu', 'esim', 'dtu-check'] as const).map((kind) => nothingOf(kind)),
  nothingOf('shop', { isLongOrder: true }, ['long-orders']),
  ...(['shop', 'dtu', 'esim'] as const).map((kind): Broken => ({
    what: `an order of kind ${kind} with referenceId null`,
    needs: NAMELESS[kind],
    breaks: 'IDEM-01',
    send: (context) =>
      context.api.as('full').createOrder({
        ...(kind === 'dtu' ? topUpOrder(context) : SOLD[kind]),
        referenceId: undefined,
        overrides: { referenceId: null },
      }),
  })),
  {
    what: 'a gift without referenceId',
    needs: BUYS_GIFTS,
    lacksReference: 'platform-gift',
    send: async (context) => {
      const gift = giftRequest({ token: await needToken(context), referenceId: '' })
      return context.api.as('full').createOrder({ ...gift, referenceId: undefined })
    },
  },
  incompleteGift('quoteToken'),
  incompleteGift('recipient_region'),
  empty('a checkout', 'createCart', CHECKS_OUT),
  empty('a quote', 'createGiftQuote', QUOTES_GIFTS),
  empty('a validation of a top-up', 'validateDtu', VALIDATES_TOP_UPS),
  empty('an item lookup', 'lookupItems', LOOKS_UP),
]

/** Names its kind and a reference, but nothing to buy. */
function nothingOf(
  kind: Exclude<OrderKind, 'platform-gift'>,
  more: Readonly<Record<string, unknown>> = {},
  capabilities: Needs['capabilities'] = [],
): Broken {
  const isCheck = kind === 'dtu-check'
  const needs = isCheck ? CHECKS_TOP_UPS : NAMELESS[kind]
  const type = { ordersType: isCheck ? 'dtu' : kind, ...(isCheck && { checkOnly: true }), ...more }
  return {
    what: `an order of nothing but ${JSON.stringify(type)}`,
    needs: { ...needs, capabilities: [...needs.capabilities, ...capabilities] },
    send: ({ api, reference }) =>
      api
        .as('full')
        .send(
          'createOrder',
          { body: { ...type, referenceId: reference() } },
          {},
          { checkOnly: isCheck },
        ),
  }
}

function incompleteGift(field: string): Broken {
  return {
    what: `a gift without ${field}`,
    needs: BUYS_GIFTS,
    send: async (context) =>
      sendGift(context, {
        token: await needToken(context),
        referenceId: context.reference(),
        change: (body) => without(body, [field]),
      }),
  }
}

function empty(
  what: string,
  operation: 'createCart' | 'createGiftQuote' | 'validateDtu' | 'lookupItems',
  needs: Needs,
): Broken {
  return {
    what: `${what} with an empty body`,
    needs: { ...needs, operations: [operation] },
    send: ({ api, target }) =>
      api.as('full').send(operation, {
        variables: target.products.voucher?.variables ?? {},
        ...(target.operations[operation].method === 'GET' ? {} : { body: {} }),
      }),
  }
}

export const everyKind = check({
  id: 'validation.kinds',
  formerIds: [
    'validation.status',
    'validation.errors',
    'validation.field',
    'idempotency.reference-required',
  ],
  title: 'a body that breaks a rule is answered by 422 and lists why, of whatever it is',
  requirements: ['VAL-01', 'VAL-02', 'IDEM-01', 'FIELD-04'],
  needs: { roles: ['full'], purchases: 18 },
  run: async (context) => {
    const { target } = context
    const open: string[] = []
    let judged = 0
    const offered = BROKEN.filter(({ needs }) => isOffered(target, needs))
    if (offered.length === 0) untested('the target file has no body that could be broken')
    let named = 0
    for (const { what, send, breaks, lacksReference, control } of offered) {
      const good = await control?.(context)
      if (good && !isAccepted(good)) {
        open.push(`${what}, and one with all that it needs: ${showAnswer(good)}`)
        continue
      }
      const refused = await send(context)
      if (breaks) expectNotSold(context, breaks, what, refused)
      // A rule that the target does not enforce at all is a breach of that rule.
      if (!isRefusedForBody(refused)) {
        open.push(`${what}: ${showAnswer(refused)}`)
        continue
      }
      judged++
      expectErrors(context, what, refused)
      if (lacksReference === undefined || refused.response?.status !== 422) continue
      if (expectReferenceNamed(context, lacksReference, what, refused) === undefined) named++
    }
    if (named === 0)
      context.leaveUndecided('FIELD-04', 'no 422 of these lists what is wrong with a referenceId')
    if (judged === 0) untested(`nothing of it is refused for its body: ${open.join('; ')}`)
  },
})

/** How it is refused is the matter of VAL-01; a refusal for another reason, such as a window, is none of this. */
function expectNotSold(
  { expect }: CheckContext,
  requirement: RequirementId,
  what: string,
  exchange: Exchange,
): void {
  if (!isAccepted(exchange) && !isRefusedForBody(exchange)) return
  expect(requirement).that(what, {
    holds: !isAccepted(exchange),
    expected: 'a validation error',
    exchanges: [exchange],
  })
}

type Ordered = Omit<OrderRequest, 'referenceId'>

/** The same purchase, wrong and put right. */
type Repairable = {
  readonly what: string
  readonly needs: Needs
  readonly orders: number
  readonly send: (context: CheckContext, referenceId: string, isRight: boolean) => Promise<Exchange>
}

function repairable(
  what: string,
  needs: Needs,
  orders: (context: CheckContext) => readonly [right: Ordered, wrong: Partial<Ordered>],
): Repairable {
  return {
    what,
    needs,
    orders: 1,
    send: (context, referenceId, isRight) => {
      const [right, wrong] = orders(context)
      const order = { ...right, ...(!isRight && wrong), referenceId }
      return context.api.as('full').createOrder(order)
    },
  }
}

const NO_PIECES = [{ product: 'voucher' }, { product: 'voucher', quantity: -1 }] as const

/** The first is forbidden by the interface; whether the other ones are, the answer tells. */
const REPAIRABLE: readonly Repairable[] = [
  repairable('an order of an unknown ordersType', BUYS_VOUCHERS, () => [
    SOLD.shop,
    { overrides: { ordersType: 'no-such-type' } },
  ]),
  repairable('an order of a quantity of -1', BUYS_VOUCHERS, () => [SOLD.shop, { quantity: -1 }]),
  repairable('a top-up of the amount -1', BUYS_TOP_UPS, (context) => [
    topUpOrder(context),
    { amount: -1 },
  ]),
  {
    what: 'a checkout with a position of the quantity -1',
    needs: CHECKS_OUT,
    orders: POSITIONS,
    send: (context, referenceId, isRight) =>
      sendCart(context, { referenceId, lines: isRight ? LINES : NO_PIECES }),
  },
]

async function isFound({ api }: CheckContext, referenceId: string): Promise<boolean> {
  return (itemsOf(await api.as('full').getOrders({ referenceId }))?.length ?? 0) > 0
}

export const sameReference = check({
  id: 'validation.repaired-reference',
  title: 'an order that was refused by 422 is accepted once its body is right',
  requirements: ['VAL-03'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 4 * ordersOfKinds(REPAIRABLE),
  },
  run: async (context) => {
    const { api, expect, observe, reference, target } = context
    const answers: string[] = []
    for (const { what, needs, send } of REPAIRABLE) {
      if (!isOffered(target, needs)) continue
      const shown = reference()
      const good = await send(context, shown, true)
      if (!isAccepted(good)) {
        answers.push(`without what is wrong ${showAnswer(good)}`)
        continue
      }
      const referenceId = reference()
      const refused = await send(context, referenceId, false)
      answers.push(showAnswer(refused))
      if (refused.response?.status !== 422) continue
      const repaired = [await send(context, referenceId, true)]
      const [first] = repaired
      observe(
        'OPEN-65',
        `${what}, put right under a referenceId that a 422 refused: HTTP ${first?.response?.status ?? 'none'}`,
        [refused, ...repaired],
      )
      // The reference may keep its refusal; another one is free for sure.
      if (first?.response?.status === 422) repaired.push(await send(context, reference(), true))
      expect('VAL-03').that(`${what}, put right after it was refused`, {
        holds: repaired.some(isAccepted),
        expected: 'success under the same referenceId, or 422 as before and success under another',
        observed: repaired.map(showAnswer).join('; '),
        exchanges: [refused, ...repaired],
      })
      // Where a reading shows the good one, it shows whatever was really bought.
      if (!first || !isAccepted(first)) continue
      const found = await api.as('full').getOrders({ referenceId })
      if (findsNothing(found) && (await isFound(context, shown)))
        expect('VAL-03').that(`${what}, put right and accepted`, {
          holds: false,
          expected: 'an order under the referenceId',
          exchanges: [refused, first, found],
        })
    }
    if (answers.every((answer) => !answer.startsWith('HTTP 422')))
      untested(`no body was refused by 422: ${answers.join('; ')}`)
  },
})
