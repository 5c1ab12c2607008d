import { limitOf } from '../../quota/effective-limits.ts'
import type { OpenModelContext } from './context.ts'
import type { SessionExchange } from './exchange-table.ts'
import type { OpenModelEvidence } from './import.ts'
import { sharedStatements } from './judge.ts'
import type { OpenModelPlan } from './plan.ts'
import { purchasablesOf } from './purchasables.ts'
import { QUOTA_OF } from './quotas.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { cartStatements } from './sessions-carts-judge.ts'
import {
  AccountWindows,
  contentionStatements,
  overlapsOf,
  repeatStatements,
} from './sessions-contention-judge.ts'
import type { Judgement } from '../shared/conclusion.ts'
import { StatementTally, type Statement } from '../shared/statements.ts'
import { priceOf, purchaseOf } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { SessionMeasures } from './sessions-measure.ts'
import { orderStatements } from './sessions-orders-judge.ts'
import { ownersOf, type Owners } from './sessions-owners.ts'
import { KeySpend, RefusedTraces } from './sessions-spend-judge.ts'
import { stateStatements } from './sessions-states-judge.ts'
import { FirstUnhides } from './sessions-unhide-judge.ts'
import { isLost } from '../../../contract/answers.ts'

/**
 * Holds what buyers and shoppers saw against what the interface says of purchases, one after the other. Pure. `pairsMin`: pairs of
 * purchases on one key that have to be in flight at the same time, for the scenario to have shown contention.
 */
export function judgeSessions(
  evidence: OpenModelEvidence,
  plan: OpenModelPlan,
  context: OpenModelContext,
  pairsMin: number,
): Judgement {
  const { sessions } = evidence
  const { keys, caps = [] } = plan
  const { target, limits } = context
  const readLimit = limits['orders.filtered']
  const owners = ownersOf(sessions)
  const bought = purchasablesOf(target)
  const overlaps = overlapsOf(sessions, keys.length)
  const slackMs = slackFor(target.timing, readLimit.windowSeconds)
  const windows = new AccountWindows(sessions, keys, slackMs)
  const unhides = new FirstUnhides(sessions, keys, (each) => windows.isWithin(each, readLimit))
  const spends = overlaps.map(({ name }, key) => {
    const cap = caps[key] ?? { headroom: 'unknown' }
    return new KeySpend(name, cap, (each) => priceOf(each) ?? bought[each.kind]?.price)
  })
  const isWithinOwn = (each: SessionExchange): boolean => {
    const { bucket, endpoint } = QUOTA_OF[each.operation] ?? { bucket: 'default' as const }
    const limit = limitOf(limits, bucket, endpoint)
    return !limit.isGeneral && windows.isWithin(each, limit)
  }
  const traces = new RefusedTraces(owners)
  const [measures, gaps] = [new SessionMeasures(), new Lacking()]
  const statements = new StatementTally()
  for (const session of sessions) {
    const purchase = purchaseOf(session, keys[session.key]?.account ?? '')
    if (!purchase) continue
    for (const each of [traces, measures, gaps]) each.add(purchase)
    const isCapped = typeof caps[purchase.key]?.headroom === 'bigint'
    statements.add(seenStatements(purchase, { owners, bought, isCapped }))
    statements.add(unhides.of(purchase))
    statements.add(spends[purchase.key]?.add(purchase) ?? [])
    if ((overlaps[purchase.key]?.pairs ?? 0) > 0)
      statements.add(repeatStatements(purchase, isWithinOwn))
  }
  for (const key of overlaps) statements.add(contentionStatements(sessions, key))
  for (const each of [...spends, unhides]) statements.add(each.statements())
  traces.tellInto(statements)
  statements.add(sharedStatements(evidence, plan, context))
  const pairs = overlaps.reduce((sum, key) => sum + key.pairs, 0)
  const undecided = gaps.undecided ?? tooFew(pairs, pairsMin)
  return {
    statements,
    ...(undecided !== undefined && { undecided }),
    passReason: `${measures.accepted} of ${measures.purchases} purchases were accepted, each found as one purchase and followed to its end; ${pairs} pairs were in flight on one key at the same time.`,
    measurements: { ...measures.measurements(), overlappingPairs: pairs },
  }
}

type Facts = {
  readonly owners: Owners
  readonly bought: ReturnType<typeof purchasablesOf>
  /** The key has a cap. */
  readonly isCapped: boolean
}

/** What a client saw of its own purchase. */
export function seenStatements(
  purchase: Purchase,
  { owners, bought, isCapped }: Facts,
): Statement[] {
  const positions = bought.cart?.orders ?? 0
  return [
    ...orderStatements(purchase, owners),
    ...cartStatements(purchase, { positions, isCapped, owners }),
    ...stateStatements(purchase, bought[purchase.kind]?.product.completesWithinSeconds),
  ]
}

function tooFew(pairs: number, pairsMin: number): string | undefined {
  if (pairs >= pairsMin) return undefined
  return `${pairs} pairs of purchases were in flight on one key at the same time, ${pairsMin} are needed`
}

/** Why the scenario as a whole proved nothing. */
class Lacking {
  #accepted = 0
  #lost = 0
  #lostStatus = 0
  #stopped = 0

  add({ original, attempts, reads, unhides, end }: Purchase): void {
    if (original) this.#accepted++
    for (const each of [...attempts, ...reads, ...unhides])
      if (isLost(each) && this.#lost++ === 0) this.#lostStatus = each.status
    if (end === undefined || end === 'unfinished') this.#stopped++
  }

  get undecided(): string | undefined {
    if (this.#accepted === 0) return 'no purchase was accepted'
    if (this.#lost > 0)
      return `${this.#lost} requests came to nothing that can be judged, the first HTTP ${this.#lostStatus || 'none'}`
    if (this.#stopped > 0) return `${this.#stopped} purchases were not followed to their end`
    return undefined
  }
}
