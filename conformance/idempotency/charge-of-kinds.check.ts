import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { CHARGED_MAX, needCurrencyOfCap, needWholeCount } from '../steps/cap/other-purchasables.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { judgeHeadroom } from '../steps/cap/replay-headroom.ts'
import { OTHER_KINDS, type Kind } from '../steps/kinds.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

/** Replays at least, and at most: what they would use up together has to exceed the unit that the judgement leaves out. */
const REPLAYS = 3
const REPLAYS_MAX = 12

/** Units that are left after the purchase, so that there is something to be charged. */
const UNITS_LEFT_MIN = 4

function replayIsFree(kind: Kind): CheckDefinition {
  const { name, what, needs, product, orders } = kind
  return check({
    id: `idempotency.${name}-replay-not-charged`,
    title: `the replay of ${what} leaves the headroom of the key as it was`,
    requirements: ['IDEM-09'],
    needs: {
      ...needs,
      capabilities: [...new Set([...SPENDS_A_CAP.capabilities, ...(needs.capabilities ?? [])])],
      roles: ['capped'],
      products: [...new Set(['voucher', ...(needs.products ?? [])] as const)],
      orderKinds: [...new Set(['shop', ...(needs.orderKinds ?? [])] as const)],
      transactionLimit: '8.00',
      drainsCap: 'again',
      capCovers: { [product]: orders + 1 },
      purchases: CAPPED_KEY_PURCHASES + CHARGED_MAX * orders + 2,
    },
    movedByOthers: capMovedByOthers('IDEM-09'),
    run: async (context) => {
      using cappedKey = await openCappedKey(context)
      // What is left of a key that lasts has to stay whole units, whether replays are charged or not.
      const count = cappedKey.fresh ? 1 : needRoomFor(cappedKey, product)
      const sends = await Promise.all(
        Array.from({ length: count }, () => kind.begin(context, 'capped')),
      )
      const bought: Bought[] = []
      for (const send of sends) {
        const first = needSuccess(await send())
        needCurrencyOfCap(context, first)
        cappedKey.takeOff(kind.priceOf(context, first))
        bought.push({ kind, send, first })
      }
      cappedKey.needUnits(UNITS_LEFT_MIN)
      const replays: Exchange[] = []
      for (const each of bought) replays.push(...(await replaysOf(context, cappedKey, each)))
      await judgeHeadroom(context, cappedKey, {
        units: cappedKey.unitsLeft,
        exchanges: [...bought.map(({ first }) => first), ...replays],
      })
    },
  })
}

/** How many are to be bought of a key that lasts. What this check and the boundary of the cap take must be left then. */
function needRoomFor(cappedKey: CappedKey, product: Kind['product']): number {
  const { count, price } = needWholeCount(cappedKey, product)
  const units = Number((BigInt(count) * price) / cappedKey.unit)
  cappedKey.needSpareUnits(units + UNITS_LEFT_MIN)
  return count
}

type Bought = {
  readonly kind: Kind
  readonly send: () => Promise<Exchange>
  readonly first: Exchange
}

/** Replays that name what was bought; that they do is decided elsewhere. */
async function replaysOf(
  context: CheckContext,
  cappedKey: CappedKey,
  { kind, send, first }: Bought,
): Promise<readonly Exchange[]> {
  const price = kind.priceOf(context, first)
  const wanted = price <= 0n ? Infinity : Math.ceil(Number(2n * cappedKey.unit) / Number(price))
  if (wanted > REPLAYS_MAX)
    untested(`${kind.what} costs ${formatMoney(price)}, too little to be missed in the cap`)
  const replays: Exchange[] = []
  while (replays.length < Math.max(REPLAYS, wanted)) {
    const again = await send()
    if (kind.idOf(again) === undefined || kind.idOf(again) !== kind.idOf(first))
      untested(`the second request did not give what was bought: ${showAnswer(again)}`)
    replays.push(again)
  }
  return replays
}

export const topUpReplay = replayIsFree(OTHER_KINDS.topUp)
export const laterReplay = replayIsFree(OTHER_KINDS.later)
export const esimReplay = replayIsFree(OTHER_KINDS.esim)
export const giftReplay = replayIsFree(OTHER_KINDS.gift)
export const checkoutReplay = replayIsFree(OTHER_KINDS.checkout)
