import { capWith, keyOfRole, memberOfFile, productFor } from '../../target-file/wants.ts'
import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { formatMoney, parseMoney } from '../../money.ts'
import type { Credential, Target } from '../../target-file/target.ts'
import type { Lacks } from '../shared/lacks.ts'
import { oneByOne, range, type ScriptDraft } from './burst-plan.ts'

/** Bursts on the one key; each has room for one of its orders, and then for none. */
const BURSTS = 4
/** With less there is no room for so many bursts; with more, buying it up would say no more and cost a lot. */
const UNITS = { min: 48, max: 600 } as const
/** Orders of one burst: a broken service sells them all, so that few are dear ones. */
const ORDERS = { min: 4, max: 20 } as const
/** What one burst may cost, in units; but for the least orders. */
const BURST_UNITS_MAX = 2 * UNITS.min
/** Of a window, orders of one burst. */
const WINDOW_PART = 8
/** Of one order, which a service may bound. */
const FILL_UNITS_MAX = 100
const RETRY_ROUNDS = 3
const CONTENDED_LOOKS = 3
const MEET_MS = 250

/** The capped key whose cap suits, the first of the file else; and a key without a cap of the same account, where there is one. */
export function staticKeys(target: Target): readonly Credential[] {
  const { credentials, moreKeys = [] } = target
  const of = (role: 'capped' | 'full'): readonly Credential[] =>
    [credentials[role], ...moreKeys.filter((key) => key.role === role)].filter(
      (key) => key !== undefined,
    )
  const all = of('capped')
  const capped = all.find((key) => typeof headroomOf(target, key) === 'number') ?? all[0]
  const full = of('full').find(({ account }) => account === capped?.account)
  return [capped, full].filter((key) => key !== undefined)
}

/**
 * One script on a capped key of the target file, whose cap is spent for life: orders that leave room for no more than the bursts need,
 * bursts of orders that have room for one, then what is left. A burst may be accepted as a whole, so it is as cheap as can be. Lacks what
 * must be known for that.
 */
export function staticScript(target: Target, windowCount: number): ScriptDraft | Lacks {
  const [capped, companion] = staticKeys(target)
  if (!capped)
    return { lacks: 'there is no credential for the role capped', wants: [keyOfRole('capped')] }
  const headroom = headroomOf(target, capped)
  if (typeof headroom !== 'number') return headroom
  const bursts = burstsOf(Math.floor(windowCount / WINDOW_PART))
  const orders = bursts.flat().length
  const width = Math.max(...bursts.map(({ length }) => length))
  const hasCompanion = companion !== undefined
  const fills = fillsOf(headroom - UNITS.min, orders)
  const steps: PlannedStep[] = [
    { do: 'warm', count: width },
    { do: 'meet', atMs: MEET_MS },
    { do: 'warm', count: width },
    ...oneByOne(fills),
    ...bursts.flatMap((purchases): PlannedStep[] => [
      { do: 'buy', phase: 'burst', purchases },
      { do: 'read-contended', contendedMax: CONTENDED_LOOKS },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
    ]),
  ]
  const next = orders + fills.length
  steps.push({ do: 'cap-boundary', key: 0, reference: next })
  if (hasCompanion)
    steps.push({
      do: 'buy',
      phase: 'spare',
      purchases: [{ key: 1, reference: next + 3, product: 0, units: 1 }],
    })
  return {
    name: 'the capped key',
    headroomUnits: hasCompanion ? [headroom, null] : [headroom],
    stopsOverCap: true,
    steps,
  }
}

/** Each burst has room for one of its orders, which leaves less than half: later ones are cheaper, and so there are more of them. */
function burstsOf(ordersMax: number): PlannedPurchase[][] {
  const bursts: PlannedPurchase[][] = []
  let left: number = UNITS.min
  for (let burst = 0; burst < BURSTS; burst++) {
    const units = Math.floor(left / 2) + 1
    left -= units
    const wanted = Math.max(ORDERS.min, Math.floor(BURST_UNITS_MAX / units))
    const first = bursts.flat().length
    bursts.push(
      range(Math.min(wanted, ORDERS.max, ordersMax), first).map((reference) => {
        return { key: 0, reference, product: 0, units }
      }),
    )
  }
  return bursts
}

/** Orders of so many units together. */
function fillsOf(units: number, firstReference: number): PlannedPurchase[] {
  return Array.from({ length: Math.ceil(units / FILL_UNITS_MAX) }, (_, index) => {
    const left = units - index * FILL_UNITS_MAX
    const reference = firstReference + index
    return { key: 0, reference, product: 0, units: Math.min(left, FILL_UNITS_MAX) }
  })
}

/** What is left of the cap, in units of the voucher. */
function headroomOf(
  { products }: Pick<Target, 'products'>,
  { transactionLimit }: Credential,
): number | Lacks {
  if (!transactionLimit)
    return {
      lacks:
        'the target file does not say what is left of the cap (credentials.capped.transactionLimit)',
      wants: [memberOfFile('cap', 'credentials.capped.transactionLimit')],
    }
  const { limit, used, currency } = transactionLimit
  const left = (parseMoney(limit) ?? 0n) - (parseMoney(used) ?? 0n)
  const unit = parseMoney(products.voucher?.unitPrice)
  if (unit === undefined || unit <= 0n || products.voucher?.currency !== currency)
    return {
      lacks: `no product "voucher" with a unitPrice in ${currency}, the currency of the cap`,
      wants: [productFor('voucher')],
    }
  const units = Number(left / unit)
  const isInRange = units >= UNITS.min && units <= UNITS.max
  if (isInRange && left % unit === 0n) return units
  if (isInRange)
    return {
      lacks: `the cap of role capped has room for ${currency} ${formatMoney(left)}, which is no whole number of vouchers at ${formatMoney(unit)}`,
      wants: [
        {
          what: `a cap with room for exactly ${currency} ${formatMoney(BigInt(units) * unit)}, ${units} units of voucher (role capped)`,
        },
      ],
    }
  return {
    lacks: `the cap of role capped has room for ${units} vouchers, from ${UNITS.min} to ${UNITS.max} are needed`,
    wants: [
      units > UNITS.max
        ? { what: `a cap with room for at most ${UNITS.max} units of voucher (role capped)` }
        : capWith(UNITS.min, { products }),
    ],
  }
}
