import { isTerminal } from '../../contract/wire.ts'
import type { CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import {
  asText,
  check,
  inconclusive,
  isAccepted,
  isCapRefusal,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { permittedAmounts } from '../../harness/judge/quantity.ts'
import { formatMoney } from '../../harness/money.ts'
import { orderIdOf, pollToEnd } from '../steps/orders.ts'
import { spend } from '../steps/cap/headroom.ts'
import { needCurrencyOfCap } from '../steps/cap/other-purchasables.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { quantityRule, smallestLongQuantity } from '../steps/catalog-listing.ts'

type Purchasable = {
  /** For sentences, for example `a long order`. */
  readonly what: string
  readonly product: ProductAbility
  readonly needs: Needs
  /** Buys it with the key of the capped key. */
  readonly send: (cappedKey: CappedKey) => Promise<Exchange>
}

/** What is charged is the price, not the number of units and not nothing: the rest of the cap can be bought, and no more than that. */
function chargedByPrice(
  name: string,
  { what, product, needs, send }: Purchasable,
): CheckDefinition {
  return check({
    id: `transaction-limit.price-of-${name}`,
    title: `${what} uses the cap up by its price`,
    requirements: ['CAP-12'],
    needs: {
      ...needs,
      capabilities: [...SPENDS_A_CAP.capabilities, 'catalog', ...(needs.capabilities ?? [])],
      roles: ['full', 'capped'],
      products: ['voucher', product],
      selectors: ['listServices.services', 'listServices.items'],
      transactionLimit: '8.00',
      purchases: CAPPED_KEY_PURCHASES + 3,
      waits: [{ orders: 1, product }],
      ofKeysOfFile: onlyWithControlSide('a key whose cap may be used up'),
    },
    run: async (context) => {
      using cappedKey = await openCappedKey(context)
      const first = needSuccess(await send(cappedKey))
      needCurrencyOfCap(context, first)
      await needEnd(context, product, first)
      if (cappedKey.unitsLeft < 1)
        untested(`${what} leaves ${formatMoney(cappedKey.left)} of the cap`)
      await judgeRest(cappedKey, what, first)
    },
  })
}

/** Whether a cancelled order gives its amount back is not shown. */
async function needEnd(
  context: CheckContext,
  product: ProductAbility,
  bought: Exchange,
): Promise<void> {
  const readings = await pollToEnd(
    context,
    product,
    { orderId: orderIdOf(bought) },
    { role: 'capped' },
  )
  const status = readings.at(-1)?.item['status']
  if (!isTerminal(status) || status === 'CANCELLED')
    untested(`the order was to be delivered, and is ${asText(status)}`)
}

/** A quote may be another one the next time: the refusal tells what so many cost then. */
function needSamePrice(cappedKey: CappedKey, units: number): void {
  const most = cappedKey.mostOf(units)
  if (most > cappedKey.left)
    inconclusive(`${units} vouchers cost ${formatMoney(most)} by now, which does not fit`)
}

async function judgeRest(cappedKey: CappedKey, what: string, first: Exchange): Promise<void> {
  const { context, left } = cappedKey
  const units = cappedKey.unitsLeft
  const rest = (await spend(cappedKey, units)).at(-1)
  if (!rest || (!isAccepted(rest) && !isCapRefusal(rest)))
    untested(`what was left could not be bought: ${rest ? showAnswer(rest) : 'no order takes it'}`)
  if (isCapRefusal(rest)) needSamePrice(cappedKey, units)
  const fits = context.expect('CAP-12').that(`what ${what} leaves of the cap can be bought`, {
    holds: isAccepted(rest),
    expected: `vouchers for ${formatMoney(left)}, which its price leaves, are accepted`,
    exchanges: [first, rest],
  })
  if (!fits) return
  const beyond = await cappedKey.overspend()
  context.expect('CAP-12').that(`more than ${what} leaves of the cap cannot be bought`, {
    holds: isCapRefusal(beyond),
    expected: 'a voucher beyond that is refused by the cap',
    exchanges: [first, rest, beyond],
  })
}

export const longOrder = chargedByPrice('long-order', {
  what: 'a long order',
  product: 'voucher-long',
  needs: { capabilities: ['long-orders'], orderKinds: ['shop'], capCovers: { 'voucher-long': 12 } },
  send: async (cappedKey) => {
    const quantity = (await smallestLongQuantity(cappedKey.context)) ?? 1
    const order = { product: 'voucher-long', overrides: { isLongOrder: true } } as const
    return cappedKey.send(quantity, cappedKey.context.reference(), { order })
  },
})

export const units = chargedByPrice('units', {
  what: 'a top-up by units',
  product: 'quantity',
  needs: {
    capabilities: ['quantity-items'],
    orderKinds: ['shop', 'dtu'],
    capCovers: { quantity: 500 },
  },
  send: async (cappedKey) => {
    const [amount] = permittedAmounts(await quantityRule(cappedKey.context))
    if (amount === undefined) return untested('the limits of the item permit no amount')
    const order = { product: 'quantity', kind: 'dtu', amount } as const
    return cappedKey.send(1, cappedKey.context.reference(), { order })
  },
})
