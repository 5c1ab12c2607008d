import { formatMoney, parseMoney, type Micros } from '../../money.ts'
import type { Statement } from '../shared/statements.ts'
import { capOf, capOfAll, cappedKinds, FIRST_PROBE, KINDS_SCRIPT } from './spend-kinds-script.ts'
import type { CappedKind } from './spend-kinds-script.ts'
import { CAP_MARK_RULES } from '../../judge/rules/refusals.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import { ordersOf, isOrderDecided } from './spend-orders.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import type { BurstExchange } from './burst-import.ts'
import { exchangesOf, type BurstRun } from './burst-result.ts'
import { isCapRefusal, isRefused, isServerError, isThrottled } from '../../../contract/answers.ts'
import { isNamed } from './burst-proof.ts'

/**
 * Kinds of orders beside vouchers: what was bought of each is covered by its cap, the cap refuses the others, and what they leave of
 * it can be bought; of all kinds together as well.
 */
export function kindStatements(
  plan: BurstPlan,
  run: BurstRun,
  { target }: Pick<BurstContext, 'target'>,
): Statement[] {
  const exchanges = exchangesOf(KINDS_SCRIPT, plan, run).filter(({ kind }) => kind === 'buy')
  const kinds = cappedKinds(target)
  const ofKey = (key: number): BurstExchange[] => exchanges.filter((each) => each.key === key)
  return [
    ...kinds.flatMap((kind, key) => ofKind(kind, ofKey(key))),
    ...capStatement({
      requirement: 'CAP-13',
      name: 'all kinds',
      cap: capOfAll(kinds),
      own: ofKey(kinds.length),
    }),
  ]
}

/** What was bought with a key, and the cap that it is held to. */
type Bought = Pick<CappedKind, 'name'> &
  Pick<Statement, 'requirement'> & {
    readonly cap: Micros
    readonly own: readonly BurstExchange[]
  }

function ofKind(
  { name, requirement, price }: CappedKind,
  all: readonly BurstExchange[],
): Statement[] {
  const own = all.filter((each) => !isProbe(each))
  const bought = { name, requirement, cap: capOf(price), own }
  return [
    ...capStatement(bought),
    ...disguisedStatements(bought, price),
    ...ruleStatements(CAP_MARK_RULES, own.filter(isCapRefusal).map(answerOf), name),
    ...otherRefusals(name, price, own),
    ...contentionStatements(name, own),
    ...leftStatements(bought, all.find(isProbe)),
  ]
}

function isProbe({ reference = -1 }: BurstExchange): boolean {
  return reference >= FIRST_PROBE
}

/** So many orders that are sent one by one are not all contended. */
const LONE_REFUSALS_MIN = 3

/** A cap without room for one more that answers what is sent one by one by 429, and nothing by 409. */
function disguisedStatements({ requirement, name, cap, own }: Bought, price: Micros): Statement[] {
  const spent = spentBy(own)
  const lastMs = Math.max(...own.filter(isNamed).map(({ receivedMs }) => receivedMs))
  const late = own.filter(
    (each) => each.phase === 'retry-until-decided' && isThrottled(each) && each.sentMs >= lastMs,
  )
  const isFull = spent !== undefined && spent > 0n && spent + price > cap
  if (!isFull || late.length < LONE_REFUSALS_MIN || own.some(isCapRefusal)) return []
  const observed = `${name}: ${late.length} purchases that the cap has no room for were answered by 429 one by one, none by 409`
  return [{ requirement, verdict: 'fail', observed }]
}

/** Purchases that overlapped on a key are refused by 429 if at all, where others of them were bought. */
function contentionStatements(kind: string, own: readonly BurstExchange[]): Statement[] {
  const burst = own.filter(({ phase }) => phase === 'burst')
  const failed = burst.filter(isServerError)
  const [first] = failed
  if (first === undefined || !own.some(isNamed)) return []
  const observed = `${kind}: ${failed.length} of ${burst.length} purchases at once were answered by HTTP ${first.status}`
  return [{ requirement: 'BUSY-01', verdict: 'fail', observed }]
}

/** Where as many were bought as the cap has room for, what is wrong with the others can only be the cap. */
function otherRefusals(
  kind: string,
  price: Micros,
  purchases: readonly BurstExchange[],
): Statement[] {
  const others = purchases.filter(isRefused)
  const odd = others.filter((each) => each.status !== 409 && !isThrottled(each))
  const [first] = odd
  const bought = new Set(purchases.filter(isNamed).map(({ orderId }) => orderId))
  if (first === undefined || BigInt(bought.size + 1) * price <= capOf(price)) return []
  const observed = `${kind}: ${odd.length} purchases beyond the cap were answered by HTTP ${first.status}`
  return [{ requirement: 'CAP-03', verdict: 'fail', observed }]
}

function capStatement({ requirement, name, cap, own }: Bought): Statement[] {
  const spent = spentBy(own)
  if (spent === undefined || spent === 0n) return []
  const refused = own.filter(isCapRefusal).length
  const observed = `${name}: orders for ${formatMoney(spent)} with a cap of ${formatMoney(cap)}, ${refused} refused by it`
  if (spent > cap) return [{ requirement, verdict: 'fail', observed }]
  return refused > 0 ? [{ requirement, verdict: 'pass', observed }] : []
}

/** What the orders cost that were accepted; undefined where one does not say so. */
function spentBy(purchases: readonly BurstExchange[]): Micros | undefined {
  const orders = new Map(
    purchases.filter(isNamed).map(({ orderId, price }) => [orderId, parseMoney(price)]),
  )
  const prices = [...orders.values()]
  if (prices.includes(undefined)) return undefined
  return prices.reduce<Micros>((sum, price) => sum + (price ?? 0n), 0n)
}

/** A voucher after the others: what was refused has left the cap as it was. */
function leftStatements({ name, cap, own }: Bought, probe: BurstExchange | undefined): Statement[] {
  const spent = spentBy(own)
  const refused = own.filter(isCapRefusal).length
  const isKnown = ordersOf(own).every(isOrderDecided) && refused > 0
  if (probe === undefined || spent === undefined || !isKnown) return []
  const left = `${name}: after ${refused} refusals ${formatMoney(cap - spent)} of the cap were left`
  if (isNamed(probe))
    return [{ requirement: 'CAP-11', verdict: 'pass', observed: `${left}, and a voucher was sold` }]
  // The target file says what a voucher costs; half of a dearer purchase has room for it.
  return isCapRefusal(probe) && spent + spent / 4n <= cap
    ? [{ requirement: 'CAP-11', verdict: 'fail', observed: `${left}, and a voucher was refused` }]
    : []
}
