import { HEADER } from '../../contract/wire.ts'
import { formatMoney, inHundredths } from '../../harness/money.ts'
import type { Api, CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isOffered,
  offeredOf,
  isThrottled,
  makerOf,
  onlyWithControlSide,
  untested,
} from '../engine/kit.ts'
import { needPrices, needSamePrices, type Prices } from '../steps/races/prices.ts'
import { judgeNothingBought, type Judged, type Spent } from '../steps/races/nothing-bought.ts'
import { judgeEach } from '../steps/judge-each.ts'
import { sendCart } from '../steps/cart.ts'
import { askForCheck, CHECKS_TOP_UPS } from '../steps/dtu-check.ts'
import { fewPurchases, SCOPES, untilRefused } from '../steps/limits/endpoints.ts'
import { BASIC_KINDS, OTHER_KINDS, VOUCHERS, type orderKind, type Kind } from '../steps/kinds.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { permittedAmounts } from '../../harness/judge/quantity.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

/** So often each is sent. */
const TIMES = 2

type OrderKind = ReturnType<typeof orderKind>

async function times(send: () => Promise<Exchange>): Promise<Exchange[]> {
  const sent: Exchange[] = []
  while (sent.length < TIMES) sent.push(await send())
  return sent
}

/** A context of an account of its own, whose key may spend so much; its windows are narrow where they are to be spent. */
async function made(
  context: CheckContext,
  { whole, unit }: Prices,
  isNarrow: boolean,
): Promise<CheckContext> {
  const [api] = await makerOf(context)({
    keys: [{ scopes: SCOPES, transactionLimit: formatMoney(inHundredths(whole + unit)) }],
    ...(isNarrow && { limits: fewPurchases(context) }),
  })
  return { ...context, api: api as Api }
}

/** Gifts too: some services sell them by code of their own. */
const KINDS = [...BASIC_KINDS, OTHER_KINDS.gift]

type Family = Omit<Judged, 'act' | 'needSamePrices'> & {
  readonly id: string
  readonly title: string
  readonly kinds: readonly Kind[]
  readonly needs: Needs
  readonly isNarrow?: true
  readonly act: (spent: Spent) => Promise<readonly Exchange[]>
}

/** Requests that buy nothing take nothing, neither from the cap nor from the balance. */
function buysNothing({ id, title, kinds, needs, isNarrow, ...judged }: Family): CheckDefinition {
  const orders = kinds.reduce((sum, kind) => sum + kind.orders, 0)
  return check({
    id: `transaction-limit.${id}`,
    title,
    requirements: [judged.requirement],
    needs: {
      ...needs,
      capabilities: ['shop', 'transaction-limit', ...(needs.capabilities ?? [])],
      products: ['voucher', ...(needs.products ?? []).filter((each) => each !== 'voucher')],
      orderKinds: ['shop', ...(needs.orderKinds ?? []).filter((each) => each !== 'shop')],
      roles: ['full'],
      purchases: 3 * orders + 3 * kinds.length,
      waits: isNarrow
        ? [{ windows: kinds.length, of: ['default'] }]
        : [{ seconds: 0.1, reason: 'purchases to be priced' }],
      ofKeysOfFile: onlyWithControlSide('keys with caps of their own'),
    },
    run: async (context) => {
      const offered = offeredOf(context.target, kinds)
      // A kind whose price the cap cannot be compared with leaves the others to decide.
      await judgeEach(context, judged.requirement, offered, async (kind) => {
        const prices = await needPrices(context, kind)
        const own = await made(context, prices, isNarrow === true)
        const when = `${judged.when} ${kind.what}`
        const isSame = { needSamePrices: () => needSamePrices(context, kind, prices) }
        if (!(await judgeNothingBought(own, kind, { ...judged, ...isSame, when })))
          untested('nothing that is looked for was answered')
      })
    },
  })
}

/** The order without its reference, or the cart with a position of no pieces. */
async function invalid({ own, kind }: Spent): Promise<Exchange[]> {
  const full = own.api.as('full')
  const lines = [{ product: 'voucher', quantity: -1 }] as const
  const order = 'order' in kind ? await (kind as OrderKind).order(own, 'full') : undefined
  const sent = await times(() =>
    order ? full.createOrder({ ...order, referenceId: undefined }) : sendCart(own, { lines }),
  )
  return sent.filter(({ response }) => response?.status === 422)
}

export const invalidOfKinds = buysNothing({
  id: 'nothing-by-invalid',
  title: 'what is refused as not valid takes nothing from cap and balance, whatever it is',
  requirement: 'VAL-03',
  when: 'after what was not valid of',
  kinds: KINDS,
  needs: {},
  act: invalid,
})

/** The same purchase without its media type. */
async function ofNoMediaType({ own, kind }: Spent): Promise<Exchange[]> {
  const send = await kind.begin(own, 'full')
  const sent = await times(() => send({ headers: { [HEADER.contentType]: null } }))
  return sent.filter(({ response }) => response?.status === 415)
}

export const mediaTypeOfKinds = buysNothing({
  id: 'nothing-by-media-type',
  title: 'a purchase that got 415 takes nothing from cap and balance, whatever it is',
  requirement: 'CTYPE-04',
  when: 'after a 415 to',
  kinds: BASIC_KINDS,
  needs: {},
  act: ofNoMediaType,
})

/** Spends the window by what was bought already, then buys in vain. */
async function throttled({ own, kind, send }: Spent): Promise<Exchange[]> {
  const sent = await untilRefused(() => send(RETURN_429_UNPACED))
  if (!sent.some(isThrottled)) return []
  const fresh = await kind.begin(own, 'full')
  const refused = await times(() => fresh(RETURN_429_UNPACED))
  return refused.every(isThrottled) ? refused : []
}

export const throttledOfKinds = buysNothing({
  id: 'nothing-by-throttled',
  title: 'a purchase that its window refused takes nothing from cap and balance, whatever it is',
  requirement: 'SEQ-07',
  when: 'after a 429 of the window to',
  kinds: KINDS,
  needs: {},
  isNarrow: true,
  act: throttled,
})

/** Checks that a provider answers, at once or asked again, by amount and by units. */
async function checked({ own }: Spent): Promise<Exchange[]> {
  const sent = await times(() => askForCheck(own))
  if (own.target.products['dtu-slow'])
    sent.push(...(await times(() => askForCheck(own, { product: 'dtu-slow' }))))
  if (isOffered(own.target, OTHER_KINDS.units.needs)) {
    const [amount] = permittedAmounts(await quantityRule(own))
    const order = { product: 'quantity', kind: 'dtu-check', referenceId: own.reference() } as const
    const full = own.api.as('full')
    if (amount !== undefined)
      sent.push(...(await times(() => full.createOrder({ ...order, amount }))))
  }
  return sent.filter(isAccepted)
}

export const checksOfTopUps = buysNothing({
  id: 'nothing-by-checks',
  title: 'checks of top-ups take nothing from the cap, however often the provider was asked',
  requirement: 'CAP-01',
  when: 'after checks of top-ups, and',
  kinds: [VOUCHERS],
  needs: CHECKS_TOP_UPS,
  isOfCapAlone: true,
  act: checked,
})
