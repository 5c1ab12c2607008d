import type { OrderKind } from '../../harness/target-file/target.ts'
import type { CheckContext, Exchange, Needs, OrderRequest, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, offeredOf, showAnswer, untested } from '../engine/kit.ts'
import { CHECKS_OUT, LINES, POSITIONS, sendCart } from '../steps/cart.ts'
import { CHECKS_TOP_UPS } from '../steps/dtu-check.ts'
import { orderSaying } from '../steps/esim.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { BUYS_VOUCHERS, findsNothing, itemsOf } from '../steps/orders.ts'
import { OTHER_KINDS, ordersOfKinds, VOUCHERS, type KindOfOrder } from '../steps/kinds.ts'
import { ADDRESSES, without, withTwoGifts } from '../steps/platform-gift-body.ts'
import { BUYS_GIFTS, needToken, sendGift } from '../steps/platform-gift.ts'
import { EMPTIABLE_FORMS } from '../steps/requests.ts'
import { expectErrors, expectReferenceNamed } from '../steps/validation-refusals.ts'

/** A request whose body breaks a rule, or may be taken as if it broke none: then nothing is judged. */
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

const { topUp, esim, units, long, gift } = OTHER_KINDS
const UNKNOWN_TYPE = { overrides: { ordersType: 'no-such-type' } } as const

const BROKEN: readonly Broken[] = [
  {
    ...nameless(VOUCHERS, 'shop'),
    control: (context) => order(context, VOUCHERS, { referenceId: context.reference() }),
  },
  {
    what: 'an order of an unknown ordersType',
    needs: BUYS_VOUCHERS,
    send: (context) =>
      order(context, VOUCHERS, { referenceId: context.reference(), ...UNKNOWN_TYPE }),
  },
  nameless(topUp, 'dtu'),
  nameless(esim, 'esim'),
  nameless(units),
  nameless(long),
  {
    ...nameless(topUp),
    what: 'a top-up with checkOnly=false and without referenceId',
    send: (context) =>
      order(context, topUp, { referenceId: undefined, overrides: { checkOnly: false } }),
  },
  nothingOf(VOUCHERS, { ordersType: 'shop' }),
  nothingOf(topUp, { ordersType: 'dtu' }),
  nothingOf(esim, { ordersType: 'esim' }),
  nothingOf({ needs: CHECKS_TOP_UPS }, { ordersType: 'dtu', checkOnly: true }),
  nothingOf(
    { needs: { ...BUYS_VOUCHERS, capabilities: ['shop', 'long-orders'] } },
    { ordersType: 'shop', isLongOrder: true },
  ),
  ...[VOUCHERS, topUp, esim].map((kind): Broken => ({
    what: `${kind.what} with referenceId null`,
    needs: kind.needs,
    breaks: 'IDEM-01',
    send: (context) =>
      order(context, kind, { referenceId: undefined, overrides: { referenceId: null } }),
  })),
  { ...withoutReference(gift), lacksReference: 'platform-gift' },
  wrongGift('a gift without quoteToken', (body) => without(body, ['quoteToken'])),
  wrongGift('a gift without recipient_region', (body) => without(body, ['recipient_region'])),
  wrongGift('a gift without addresses', (body) => without(body, ADDRESSES)),
  wrongGift('an order of two gifts', (body) => withTwoGifts(body) ?? body),
  {
    what: 'an eSIM order with quantity 2',
    needs: esim.needs,
    send: (context) => orderSaying(context, context.reference(), 2),
    control: (context) => orderSaying(context, context.reference(), 1),
  },
  ...[VOUCHERS, topUp].map((kind): Broken => ({
    what: `${kind.what} with isLongOrder`,
    needs: kind.needs,
    send: (context) =>
      order(context, kind, { referenceId: context.reference(), overrides: { isLongOrder: true } }),
    control: (context) => order(context, kind, { referenceId: context.reference() }),
  })),
  ...EMPTIABLE_FORMS.map(({ name, needs, operation }): Broken => ({
    what: `${name} with an empty body`,
    needs: { ...needs, operations: [operation] },
    send: ({ api, target }) =>
      api.as('full').send(operation, {
        variables: target.products.voucher?.variables ?? {},
        ...(target.operations[operation].method === 'GET' ? {} : { body: {} }),
      }),
  })),
]

/** An order of a kind, with what is wrong over it. */
async function order(
  context: CheckContext,
  kind: KindOfOrder,
  wrong: Partial<OrderRequest>,
): Promise<Exchange> {
  const right = { referenceId: undefined, ...(await kind.order(context, 'full')) }
  return context.api.as('full').createOrder({ ...right, ...wrong })
}

function withoutReference(kind: KindOfOrder): Broken {
  return {
    what: `${kind.what} without referenceId`,
    needs: kind.needs,
    send: (context) => order(context, kind, { referenceId: undefined }),
  }
}

/** The same, where no other check decides that a reference is needed. */
function nameless(kind: KindOfOrder, lacksReference?: OrderKind): Broken {
  return { ...withoutReference(kind), breaks: 'IDEM-01', ...(lacksReference && { lacksReference }) }
}

/** Names its kind and a reference, but nothing to buy. */
function nothingOf(
  { needs }: Pick<KindOfOrder, 'needs'>,
  type: Readonly<Record<string, unknown>>,
): Broken {
  const checkOnly = type['checkOnly'] === true
  return {
    what: `an order of nothing but ${JSON.stringify(type)}`,
    needs,
    send: ({ api, reference }) =>
      api
        .as('full')
        .send('createOrder', { body: { ...type, referenceId: reference() } }, {}, { checkOnly }),
  }
}

function wrongGift(what: string, change: (body: unknown) => unknown): Broken {
  return {
    what,
    needs: BUYS_GIFTS,
    send: async (context) =>
      sendGift(context, {
        token: await needToken(context),
        referenceId: context.reference(),
        change,
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
  needs: { roles: ['full'], purchases: 26 },
  run: async (context) => {
    const { target } = context
    const open: string[] = []
    let judged = 0
    const offered = offeredOf(target, BROKEN)
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

/** The same purchase, wrong and put right. */
type Repairable = {
  readonly what: string
  readonly needs: Needs
  readonly orders: number
  readonly send: (context: CheckContext, referenceId: string, isRight: boolean) => Promise<Exchange>
}

function repairable(what: string, kind: KindOfOrder, wrong: Partial<OrderRequest>): Repairable {
  return {
    what,
    needs: kind.needs,
    orders: 1,
    send: (context, referenceId, isRight) =>
      order(context, kind, { referenceId, ...(!isRight && wrong) }),
  }
}

const NO_PIECES = [{ product: 'voucher' }, { product: 'voucher', quantity: -1 }] as const

/** The first two are forbidden by the interface; whether the other ones are, the answer tells. */
const REPAIRABLE: readonly Repairable[] = [
  repairable('an order without referenceId', VOUCHERS, { referenceId: undefined }),
  repairable('an order of an unknown ordersType', VOUCHERS, UNKNOWN_TYPE),
  repairable('an order of a quantity of -1', VOUCHERS, { quantity: -1 }),
  repairable('a top-up of the amount -1', topUp, { amount: -1 }),
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
  formerIds: ['validation.repaired'],
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
    for (const { what, send } of offeredOf(target, REPAIRABLE)) {
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
      const isKept = refused.request.body?.includes(referenceId)
      const status = first?.response?.status ?? 'none'
      const shownAs = `${what}, put right under a referenceId that a 422 refused: HTTP ${status}`
      if (isKept) observe('OPEN-65', shownAs, [refused, ...repaired])
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
