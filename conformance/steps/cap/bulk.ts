import { bulkPricesIn, namesAmount } from '../../../harness/judge/spend-message.ts'
import { formatMoney, parseMoney, type Micros } from '../../../harness/money.ts'
import { PurchaseRefused } from '../../../harness/purchases/purchase.ts'
import type { Api, CheckContext, Exchange } from '../../engine/kit.ts'
import { isCapRefusal, messageOf } from '../../engine/kit.ts'
import type { Buyer } from '../buyer.ts'

/** Sizes of orders that a cap of one cent refuses, whatever many pieces cost. Smaller ones come where an order takes fewer pieces. */
const SIZES_FRESH = [1000, 100, 10] as const
const CENT: Micros = parseMoney('0.01') ?? 0n

/** Of a key that lasts: so much more than its cap, largest first, that a discount does not let it fit. */
const PARTS_BEYOND = [2n, 4n, 8n] as const

/**
 * Reads once a run what a piece costs where many are bought, off a refusal that names the attempted amount: an order of just more pieces
 * than single ones fill the cap with may fit otherwise, and use the cap up.
 */
export function learnBulk(
  opener: Buyer,
  cap: { readonly limit: Micros; readonly unit: Micros },
): Promise<void> {
  const { pieces, makeAccount } = opener.context
  return pieces.learnBulk(() =>
    makeAccount ? readFresh(opener.context, makeAccount, cap.unit) : readLasting(opener, cap),
  )
}

async function readFresh(
  context: CheckContext,
  makeAccount: NonNullable<CheckContext['makeAccount']>,
  unit: Micros,
): Promise<void> {
  const scopes = ['product:read', 'orders:write'] as const
  const keys = [{ scopes, transactionLimit: formatMoney(CENT) }]
  const [api] = (await makeAccount({ keys })) as [Api]
  const send = (quantity: number): Promise<Exchange> => {
    const order = { product: 'voucher', quantity, referenceId: context.reference() } as const
    return api.as('full').createOrder(order, { throttled: 'return' })
  }
  await read(context, { sizes: SIZES_FRESH, limit: CENT, unit, send })
}

async function readLasting(
  opener: Buyer,
  { limit, unit }: { readonly limit: Micros; readonly unit: Micros },
): Promise<void> {
  const sizes = PARTS_BEYOND.map((part) => Number((limit + limit / part) / unit) + 1)
  const send = (quantity: number): Promise<Exchange> =>
    opener.send(quantity, opener.context.reference(), { throttled: 'return' })
  await read(opener.context, { sizes, limit, unit, send })
}

type Reading = {
  readonly sizes: readonly number[]
  readonly limit: Micros
  readonly unit: Micros
  readonly send: (quantity: number) => Promise<Exchange>
}

/** The first size that is not refused for itself tells. What is not permitted to be bought is not asked for. */
async function read(
  { pieces }: Pick<CheckContext, 'pieces'>,
  { sizes, limit, unit, send }: Reading,
): Promise<void> {
  for (const size of sizes) {
    const answer = await send(size).catch((cause: unknown) => {
      if (cause instanceof PurchaseRefused) return undefined
      throw cause
    })
    if (answer && pieces.isTooLarge(size, answer)) continue
    if (!answer || !isCapRefusal(answer)) return
    const price = priceNamed(answer, { units: size, unit, limit, left: limit })
    if (price !== undefined) pieces.notePrice(price, size)
    return
  }
}

/** What so many pieces cost by a refusal that names another amount than single ones cost. Undefined where it names that, or not one amount. */
export function priceNamed(
  refused: Exchange,
  {
    units,
    unit,
    limit,
    left,
  }: {
    readonly units: number
    readonly unit: Micros
    readonly limit: Micros
    readonly left: Micros
  },
): Micros | undefined {
  const message = messageOf(refused)
  const whole = BigInt(units) * unit
  if (namesAmount(message, whole)) return undefined
  const others = new Set(bulkPricesIn([message], { units, whole }, { left, known: [limit] }))
  const [price] = others
  return others.size === 1 ? price : undefined
}
