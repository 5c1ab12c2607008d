import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { goodsOf, type Goods, type LaneDraft } from './burst-plan.ts'

/** Room of their caps: for a purchase, what follows it, and the brim. */
const HEADROOM_UNITS = 6
/** So many that what each would use up shows at the brim. */
const TIMES = 3
const SETTLE_ROUNDS = 1

/** The first is forbidden by the interface, whatever the target's bodies are like. */
const NOT_VALID = { ordersType: 'no-such-type' } as const

type IdleLane = { readonly lane: LaneDraft; readonly goods: Goods }

/** Keys on which orders that are not valid, and checks of top-ups, are sent between purchases: they use nothing of the cap up. */
export function idleLanes(target: Target, firstProduct: number, atMs: number): IdleLane[] {
  const voucher = goodsOf(target, 'voucher', 1)
  const check = goodsOf(target, 'dtu', 1, 'dtu-check')
  const kinds = [
    { name: 'orders that are not valid', kind: 'invalid', goods: voucher },
    { name: 'checks of top-ups', kind: 'check', goods: check },
  ] as const
  return kinds
    .flatMap(({ name, kind, goods }) => ('lacks' in goods ? [] : [{ name, kind, goods }]))
    .map(({ name, kind, goods }, index): IdleLane => {
      const product = firstProduct + index
      return {
        lane: laneOf(name, { do: 'try', kind, key: 0, product, reference: 1, count: TIMES }, atMs),
        goods: kind === 'invalid' ? { ...goods, overrides: NOT_VALID } : goods,
      }
    })
}

function laneOf(name: string, tries: PlannedStep, atMs: number): LaneDraft {
  const first: PlannedPurchase = { key: 0, reference: 0, product: 0, units: 1 }
  return {
    name: `beside ${name}`,
    headroomUnits: [HEADROOM_UNITS],
    steps: [
      { do: 'warm', count: 1 },
      { do: 'meet', atMs },
      { do: 'buy', phase: 'spare', purchases: [first] },
      { do: 'settle', rounds: SETTLE_ROUNDS },
      tries,
      { do: 'brim', key: 0, reference: 1 + TIMES },
    ],
  }
}
