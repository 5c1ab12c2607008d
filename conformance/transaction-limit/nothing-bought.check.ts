import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import { largestAmount, type QuantityRule } from '../../harness/judge/quantity.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import { check, isAccepted, isOffered, needSuccess, show, untested } from '../engine/kit.ts'
import { CHECKS_OUT, sendCart } from '../steps/cart.ts'
import { askForCheck, CHECKS_TOP_UPS, untilProviderAnswers } from '../steps/dtu-check.ts'
import { validate, VALIDATES_TOP_UPS } from '../steps/dtu-validate.ts'
import type { Send } from '../steps/kinds.ts'
import { aside } from '../steps/aside.ts'
import { expectHeadroomWhole, timesThatShow } from '../steps/cap/headroom.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

/** So many that what each would use up adds up to more than the one unit that the judgement leaves out. */
const TIMES = 3

/** The first is forbidden by the interface; whether the other one is, the answer tells. */
const BROKEN = [{ overrides: { ordersType: 'no-such-type' } }, { quantity: -1 }] as const

/** Carts with such a position are hardly sold. */
const NO_PIECES = [{ product: 'voucher', quantity: -1 }] as const

/** Their body names nothing to buy. */
const BROKEN_KINDS = ['dtu', 'esim'] as const

export const invalidCostsNothing = check({
  id: 'transaction-limit.invalid-costs-nothing',
  title: 'purchases that are refused as not valid use nothing of the cap up and give nothing back',
  requirements: ['CAP-01', 'CAP-03'],
  needs: {
    ...SPENDS_A_CAP,
    transactionLimit: '13.00',
    purchases: CAPPED_KEY_PURCHASES + 3 + BROKEN.length * TIMES,
  },
  movedByOthers: capMovedByOthers('CAP-01'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(2)
    const sent: Exchange[] = []
    for (const broken of BROKEN)
      for (let count = 0; count < TIMES; count++)
        sent.push(await cappedKey.send(1, context.reference(), { order: broken }))
    if (sent.some(isAccepted)) untested('an order that is not valid was sold')
    for (const kind of BROKEN_KINDS)
      if (context.target.operations.createOrder.bodies[kind] !== undefined)
        for (let count = 0; count < TIMES; count++) {
          const body = { ordersType: kind, referenceId: context.reference() }
          sent.push(await context.api.as('capped').send('createOrder', { body }))
        }
    if (isOffered(context.target, { ...CHECKS_OUT, roles: ['capped'] }))
      for (let count = 0; count < TIMES; count++)
        sent.push(await sendCart(context, { lines: NO_PIECES, role: 'capped' }))
    if (sent.some(isAccepted)) untested('a checkout that is not valid was sold')
    const refused = sent.filter(({ response }) => response?.status === 422)
    if (refused.length < TIMES)
      untested(
        `too few orders were refused as not valid: ${show(sent.map(({ response }) => response?.status))}`,
      )
    await expectHeadroomWhole(cappedKey, 'CAP-01', 'what was left before orders got 422', refused)
    if (!cappedKey.fresh)
      return context.leaveUndecided(
        'CAP-03',
        'the cap is for all checks: what a refusal says is left decides alone',
        'inapplicable',
      )
    const beyond = await cappedKey.overspend()
    context.expect('CAP-03').that('a purchase beyond what was left before orders got 422', {
      holds: !isAccepted(beyond),
      expected: 'HTTP 409: what was bought before still counts',
      exchanges: [...refused.slice(0, 3), beyond],
    })
  },
})

type Free = Pick<CheckDefinition, 'id' | 'title'> & {
  readonly capabilities: readonly Capability[]
  readonly product: ProductAbility
  readonly needs: Needs
  /** Vouchers that the cap has to have room for. */
  readonly units: number
  /** For sentences, for example `top-ups were checked`. */
  readonly what: string
  /** Gives what sends one. */
  readonly begin: (context: CheckContext, cappedKey: CappedKey) => Promise<Send> | Send
  readonly observe?: (context: CheckContext, cappedKey: CappedKey) => Promise<void>
}

function costsNothing({ id, title, units, what, begin, observe, ...asked }: Free): CheckDefinition {
  return check({
    id,
    title,
    requirements: ['CAP-01'],
    needs: {
      ...SPENDS_A_CAP,
      ...asked.needs,
      capabilities: [...SPENDS_A_CAP.capabilities, ...asked.capabilities],
      products: ['voucher', asked.product],
      transactionLimit: '13.50',
      purchases: CAPPED_KEY_PURCHASES + 2,
    },
    movedByOthers: capMovedByOthers('CAP-01'),
    run: async (context) => {
      using cappedKey = await openCappedKey(context)
      cappedKey.needUnits(units)
      const send = await begin(context, cappedKey)
      const sent: Exchange[] = []
      // Of units, each request asks for about the price of a voucher.
      const { unitPrice } =
        context.target.products[asked.product === 'dtu' ? 'dtu' : 'voucher'] ?? {}
      const times = timesThatShow(cappedKey, parseMoney(unitPrice), TIMES)
      while (sent.length < times) sent.push(needSuccess(await send()))
      await expectHeadroomWhole(cappedKey, 'CAP-01', `what was left before ${what}`, sent)
      if (observe) await aside(() => observe(context, cappedKey))
    },
  })
}

export const checkCostsNothing = costsNothing({
  id: 'transaction-limit.top-up-check-costs-nothing',
  title: 'checks of top-ups use nothing of the cap up',
  capabilities: CHECKS_TOP_UPS.capabilities,
  product: 'dtu',
  needs: { orderKinds: ['shop', 'dtu-check'] },
  units: 2,
  what: 'top-ups were checked',
  begin: (context) => () => askForCheck(context, { role: 'capped' }),
  observe: observeBeyond,
})

/** Whether a check is refused whose purchase the cap would not cover (OPEN-54). */
async function observeBeyond(context: CheckContext, cappedKey: CappedKey): Promise<void> {
  const unit = parseMoney(context.target.products.dtu?.unitPrice)
  if (unit === undefined || unit <= 0n) return
  const amount = Number(cappedKey.limit / unit) + 1
  const order = { product: 'dtu', kind: 'dtu-check', amount } as const
  const exchange = await context.api
    .as('capped')
    .createOrder({ ...order, referenceId: context.reference() }, { throttled: 'return' })
  context.observe(
    'OPEN-54',
    `the check of a top-up beyond the cap: HTTP ${exchange.response?.status ?? 'none'}`,
    [exchange],
  )
}

export const checkOfUnitsCostsNothing = costsNothing({
  id: 'transaction-limit.units-check-costs-nothing',
  title: 'checks of top-ups by units use nothing of the cap up',
  capabilities: [...CHECKS_TOP_UPS.capabilities, 'quantity-items', 'catalog'],
  product: 'quantity',
  needs: {
    roles: ['full', 'capped'],
    orderKinds: ['shop', 'dtu-check'],
    selectors: ['listServices.services', 'listServices.items'],
  },
  units: 3,
  what: 'top-ups by units were checked',
  begin: async (context, cappedKey) => {
    const amount = unitsThatShow(cappedKey, await quantityRule(context))
    const order = { product: 'quantity', kind: 'dtu-check', amount } as const
    const api = context.api.as('capped')
    return () => {
      const referenceId = context.reference()
      return untilProviderAnswers(context, () => api.createOrder({ ...order, referenceId }))
    }
  },
})

/** About what a voucher costs: less than is left, and together more than the one unit that the judgement leaves out. */
function unitsThatShow({ unit }: CappedKey, rule: QuantityRule): number {
  const { min, step, unitPrice } = rule
  if (unitPrice === undefined || unitPrice <= 0n) untested('the item states no unitPrice')
  const wanted = Math.max(min, Number(unit / unitPrice), 1)
  const amount = Math.min(Math.ceil(wanted / step) * step, largestAmount(rule) ?? Infinity)
  const price = BigInt(amount) * unitPrice
  if (BigInt(TIMES) * price <= unit || price > 2n * unit)
    untested(`${amount} units cost ${formatMoney(price)}, and a voucher ${formatMoney(unit)}`)
  return amount
}

export const validationCostsNothing = costsNothing({
  id: 'transaction-limit.validation-costs-nothing',
  title: 'validations of top-ups use nothing of the cap up',
  capabilities: VALIDATES_TOP_UPS.capabilities,
  product: 'dtu',
  needs: { operations: VALIDATES_TOP_UPS.operations },
  units: 2,
  what: 'top-ups were validated',
  begin: (context) => () => validate(context, { caller: 'capped' }),
})
