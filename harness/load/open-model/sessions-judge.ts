import type { SessionOperation } from '../../../load/protocol/open-model.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import type { OpenModelEvidence } from './import.ts'
import type { KeyCap } from './plan.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import { cartStatements } from './sessions-carts-judge.ts'
import {
  AccountWindows,
  contentionStatements,
  overlapsOf,
  repeatStatements,
} from './sessions-contention-judge.ts'
import type { Judgement } from '../shared/conclusion.ts'
import { StatementTally } from '../shared/statements.ts'
import { priceOf, purchaseOf } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { SessionMeasures } from './sessions-measure.ts'
import { orderStatements } from './sessions-orders-judge.ts'
import { ownersOf } from './sessions-owners.ts'
import { KeySpend, RefusedTraces } from './sessions-spend-judge.ts'
import { stateStatements } from './sessions-states-judge.ts'
import { FirstUnhides } from './sessions-unhide-judge.ts'
import type { Micros } from '../../money.ts'
import { isLost } from '../../../contract/answers.ts'

/** What the judge has to know beside the evidence. */
export type SessionsFacts = {
  readonly keys: readonly Pick<LoadKey, 'account'>[]
  /** In the order of the keys. */
  readonly caps: readonly KeyCap[]
  /** Orders of one cart. */
  readonly positions: number
  /** What the target file says of the product. */
  completesWithinSeconds(kind: Purchase['kind']): number | undefined
  /** Of purchases and of reads. */
  readonly limitOf: (operation: SessionOperation) => WindowLimit & { readonly isGeneral?: true }
  readonly readLimit: WindowLimit
  readonly slackMs: number
  /** Price of one purchase where the target file tells it. */
  amountOf(kind: Purchase['kind']): Micros | undefined
  /** Pairs of purchases on one key that have to be in flight at the same time, for the scenario to have shown contention. */
  readonly pairsMin: number
}

/** Holds what buyers and shoppers saw against what the interface says of purchases, one after the other. Pure. */
export function judgeSessions(
  { sessions }: Pick<OpenModelEvidence, 'sessions'>,
  facts: SessionsFacts,
): Judgement {
  const owners = ownersOf(sessions)
  const overlaps = overlapsOf(sessions, facts.keys.length)
  const windows = new AccountWindows(sessions, facts.keys, facts.slackMs)
  const unhides = new FirstUnhides(sessions, facts.keys, (each) =>
    windows.isWithin(each, facts.readLimit),
  )
  const spends = overlaps.map(
    ({ name }, key) =>
      new KeySpend(
        name,
        facts.caps[key] ?? { headroom: 'unknown' },
        (purchase) => priceOf(purchase) ?? facts.amountOf(purchase.kind),
      ),
  )
  const traces = new RefusedTraces(owners)
  const [measures, gaps] = [new SessionMeasures(), new Lacking()]
  const statements = new StatementTally()
  for (const session of sessions) {
    const purchase = purchaseOf(session, facts.keys[session.key]?.account ?? '')
    if (!purchase) continue
    for (const each of [traces, measures, gaps]) each.add(purchase)
    statements.add(orderStatements(purchase, owners))
    const isCapped = typeof facts.caps[purchase.key]?.headroom === 'bigint'
    statements.add(cartStatements(purchase, { positions: facts.positions, isCapped, owners }))
    statements.add(stateStatements(purchase, facts.completesWithinSeconds(purchase.kind)))
    statements.add(unhides.of(purchase))
    statements.add(spends[purchase.key]?.add(purchase) ?? [])
    if ((overlaps[purchase.key]?.pairs ?? 0) > 0)
      statements.add(
        repeatStatements(purchase, (each) => {
          const limit = facts.limitOf(each.operation)
          return !limit.isGeneral && windows.isWithin(each, limit)
        }),
      )
  }
  for (const key of overlaps) statements.add(contentionStatements(sessions, key))
  for (const each of [...spends, unhides]) statements.add(each.statements())
  traces.tellInto(statements)
  const pairs = overlaps.reduce((sum, key) => sum + key.pairs, 0)
  const undecided = gaps.undecided ?? tooFew(pairs, facts)
  return {
    statements,
    ...(undecided !== undefined && { undecided }),
    passReason: `${measures.accepted} of ${measures.purchases} purchases were accepted, each found as one purchase and followed to its end; ${pairs} pairs were in flight on one key at the same time.`,
    measurements: { ...measures.measurements(), overlappingPairs: pairs },
  }
}

function tooFew(pairs: number, { pairsMin }: SessionsFacts): string | undefined {
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
