import {
  amountAbove,
  amountsOffStep,
  amountsBelow,
  fractionalAmount,
  largestAmount,
  permittedAmounts,
  type QuantityRule,
} from '../../harness/judge/quantity.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { positionTemplate } from '../../harness/client/bodies.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, isObject, isOffered, show, untested } from '../engine/kit.ts'
import { entriesOf, sendCart } from '../steps/cart.ts'
import { untilProviderAnswers } from '../steps/dtu-check.ts'
import { isFoundValid, validate, VALIDATES_TOP_UPS } from '../steps/dtu-validate.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { expectErrors, saysTheSame } from '../steps/validation-refusals.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

/** Where a number of units can be sent, and what it breaks to take a forbidden one. */
type Place = {
  readonly what: string
  readonly needs: Needs
  readonly send: (context: CheckContext, amount: Scalar) => Promise<Exchange>
  /** Whether the answer says yes, where the control was answered as given; undefined where that cannot be told. */
  readonly isTaken: (
    context: CheckContext,
    exchange: Exchange,
    control: Exchange,
  ) => boolean | undefined
  /** Undefined: decided by checks of its own. */
  readonly breaks?: (rule: RequirementId) => RequirementId
}

const ORDER: Place = {
  what: 'an order',
  needs: { capabilities: ['dtu'], orderKinds: ['dtu'] },
  send: ({ api, reference }, amount) =>
    api
      .as('full')
      .createOrder({ product: 'quantity', kind: 'dtu', amount, referenceId: reference() }),
  isTaken: (_, exchange) => isAccepted(exchange),
}

const CHECK: Place = {
  what: 'a check',
  needs: { capabilities: ['dtu-check'], orderKinds: ['dtu-check'] },
  send: (context, amount) =>
    untilProviderAnswers(context, () =>
      context.api.as('full').createOrder({
        product: 'quantity',
        kind: 'dtu-check',
        amount,
        referenceId: context.reference(),
      }),
    ),
  // What the answer of a check holds is not shown: it may be a success that says no.
  isTaken: (_, exchange, control) => saysTheSame(exchange, control),
  breaks: (rule) => rule,
}

const VALIDATION: Place = {
  what: 'a validation',
  needs: VALIDATES_TOP_UPS,
  send: (context, amount) => validate(context, { product: 'quantity', amount }),
  isTaken: (context, exchange) => isFoundValid(context, exchange),
  breaks: () => 'DTUV-03',
}

const UNITS = { product: 'quantity', kind: 'dtu' } as const

const CART: Place = {
  what: 'a checkout',
  needs: { capabilities: ['cart', 'dtu'], operations: ['createCart'] },
  send: (context, amount) => sendCart(context, { lines: [{ ...UNITS, amount }] }),
  isTaken: (_, exchange) => isBoughtByCart(exchange),
  // Of the two requests whose amount is an integer a cart is none, but no step reaches a fraction either.
  breaks: (rule) => (rule === 'QTY-02' ? 'QTY-05' : rule),
}

/** A cart may be accepted and its position not: while its order is pending, that cannot be told. */
function isBoughtByCart(exchange: Exchange): boolean | undefined {
  if (!isAccepted(exchange)) return false
  const statuses = (entriesOf(exchange) ?? []).filter(isObject).map(({ status }) => status)
  if (statuses.every((status) => status === 'CANCELLED')) return false
  return statuses.includes('SUCCESS') || undefined
}

type Forbidden = { readonly amount: Scalar; readonly rule: RequirementId }

function forbiddenBy(rule: QuantityRule): readonly Forbidden[] {
  const fraction = fractionalAmount(rule)
  const all: readonly (readonly [RequirementId, readonly (Scalar | undefined)[]])[] = [
    ['QTY-02', [fraction, fraction === undefined ? undefined : String(fraction)]],
    ['QTY-03', amountsBelow(rule)],
    ['QTY-04', [amountAbove(rule)]],
    ['QTY-05', amountsOffStep(rule)],
  ]
  return all.flatMap(([requirement, amounts]) =>
    amounts.flatMap((amount) => (amount === undefined ? [] : [{ amount, rule: requirement }])),
  )
}

async function controlOf(
  context: CheckContext,
  place: Place,
  rule: QuantityRule,
): Promise<Exchange | undefined> {
  for (const amount of permittedAmounts(rule)) {
    const control = await place.send(context, amount)
    if (place.isTaken(context, control, control) !== false) return control
  }
  return undefined
}

/** What is taken breaks the rule; what is refused for its body is a validation error. */
async function judgeForbidden(
  context: CheckContext,
  place: Place,
  { amount, rule }: Forbidden,
  control: Exchange,
): Promise<void> {
  const isText = typeof amount === 'string'
  if (isText && !place.breaks) return
  const exchange = await place.send(context, amount)
  const isTaken = place.isTaken(context, exchange, control)
  if (isTaken !== undefined && place.breaks)
    context.expect(place.breaks(rule)).that(`${place.what} of ${show(amount)} units`, {
      holds: !isTaken,
      expected: 'another answer than to a permitted number',
      exchanges: [control, exchange],
    })
  // A text where a number belongs may be refused before anything is validated.
  if (isRefusedForBody(exchange) && !isText)
    expectErrors(context, `${place.what} of ${amount} units`, exchange)
}

export const unitsEverywhere = check({
  id: 'validation.units',
  title:
    'a forbidden number of units is a validation error wherever it is sent, the largest permitted one is none',
  requirements: ['VAL-01', 'VAL-02', 'QTY-01', 'QTY-02', 'QTY-03', 'QTY-04', 'QTY-05', 'DTUV-03'],
  needs: {
    capabilities: ['catalog', 'quantity-items'],
    roles: ['full'],
    products: ['quantity'],
    selectors: ['listServices.services', 'listServices.items'],
    purchases: 7,
  },
  run: async (context) => {
    const rule = await quantityRule(context)
    const judged: Place[] = []
    for (const place of [ORDER, CHECK, VALIDATION, CART]) {
      if (!isOffered(context.target, place.needs)) continue
      if (place === CART && positionTemplate(context.target, UNITS) === undefined) continue
      const control = await controlOf(context, place, rule)
      if (!control) continue
      judged.push(place)
      for (const forbidden of forbiddenBy(rule))
        await judgeForbidden(context, place, forbidden, control)
      if (place !== ORDER && place !== CART) await expectLargest(context, place, rule, control)
    }
    if (judged.length === 0) untested('no permitted number of units is accepted anywhere')
    if (!context.target.capabilities.includes('dtu-validation'))
      context.leaveUndecided(
        'DTUV-03',
        'the target does not declare dtu-validation',
        'inapplicable',
      )
    if (context.makeAccount) await expectLargestOrder(context, rule, judged.includes(CART))
  },
})

/** Another refusal than that of the body may have its reasons, such as what the account has left. */
function expectPermitted(
  { expect }: CheckContext,
  what: string,
  exchange: Exchange,
  control: readonly Exchange[],
): void {
  expect('QTY-01').that(`${what}, the most that the item permits`, {
    holds: exchange.response?.status !== 422,
    expected: 'no validation error',
    exchanges: [...control, exchange],
  })
}

async function expectLargest(
  context: CheckContext,
  place: Place,
  rule: QuantityRule,
  control: Exchange,
): Promise<void> {
  const amount = largestAmount(rule)
  if (amount === undefined) return
  const exchange = await place.send(context, amount)
  expectPermitted(context, `${place.what} of ${amount} units`, exchange, [control])
}

/** Bought by a key whose cap has no room for it: the body is valid, so that the cap refuses it, and nothing is spent. */
async function expectLargestOrder(
  context: CheckContext,
  rule: QuantityRule,
  isInCarts: boolean,
): Promise<void> {
  const amount = largestAmount(rule)
  const { target, makeAccount, reference } = context
  const isCapped = target.capabilities.includes('transaction-limit')
  if (amount === undefined || !makeAccount || !isCapped || !isOffered(target, ORDER.needs)) return
  const key = { scopes: BUYER_SCOPES, transactionLimit: NO_ROOM }
  const [api] = await makeAccount({ keys: [key] })
  if (!api) return
  const order = { product: 'quantity', kind: 'dtu', amount, referenceId: reference() } as const
  expectPermitted(context, `an order of ${amount} units`, await api.createOrder(order), [])
  if (!isInCarts) return
  const cart = { referenceId: reference(), lines: [{ ...UNITS, amount }] }
  expectPermitted(context, `a checkout of ${amount} units`, await api.createCart(cart), [])
}

const NO_ROOM = '0.01'
