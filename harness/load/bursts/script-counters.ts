import { isMasked, type PlannedStep } from '../../../load/protocol/bursts.ts'
import type { CounterBudget, LoadBudget, UnhideTokens } from '../shared/budget.ts'
import { boughtBy, type Purchasable, type ScriptDraft } from './burst-plan.ts'

/** What scripts of bursts spend of each counter, and of the unhide budgets of their orders. */
export function scriptCounters(
  scripts: readonly ScriptDraft[],
  purchasables: readonly Pick<Purchasable, 'lines'>[] = [],
): Required<Pick<LoadBudget, 'counters' | 'unhide'>> {
  return {
    counters: scripts.flatMap((script) => countersOf(script, purchasables)),
    unhide: scripts.flatMap(unhideOf),
  }
}

function countersOf(
  { name, headroomUnits, steps }: ScriptDraft,
  purchasables: readonly Pick<Purchasable, 'lines'>[],
): CounterBudget[] {
  const sum = (of: (step: PlannedStep) => number): number =>
    steps.reduce((total, step) => total + of(step), 0)
  const bought = (isCart: boolean): number => {
    const released = (step: PlannedStep): number =>
      boughtBy(step).filter(
        ({ product }) => (purchasables[product]?.lines !== undefined) === isCart,
      ).length
    const once = sum(released)
    return once + sum((step) => (step.do === 'retry-until-decided' ? once * step.rounds : 0))
  }
  const spent: readonly (readonly [CounterBudget['bucket'], string, number])[] = [
    ['default', 'POST /carts', bought(true)],
    ['default', 'POST /orders', bought(false) + sum(singles)],
    ['default', 'GET /services', sum((step) => (step.do === 'warm' ? step.count : 0))],
    ['default', 'POST /platform-gifts/quotes', sum(quotes)],
    ['orders.filtered', 'masked reads', sum(maskedReads)],
  ]
  return spent
    .filter(([, , requestsMax]) => requestsMax > 0)
    .map(([bucket, what, requestsMax]) => ({
      name: `${name}, ${what}`,
      bucket,
      keys: headroomUnits.length,
      requestsMax,
    }))
}

/** Orders that a script sends one by one. */
function singles(step: PlannedStep): number {
  return step.do === 'cap-boundary' ? 3 : 0
}

function quotes(step: PlannedStep): number {
  return step.do === 'quote' ? step.quotes.length : 0
}

function maskedReads(step: PlannedStep): number {
  if (step.do === 'read-contended') return step.contendedMax + 1
  return step.do === 'read' ? step.reads.filter(({ kind }) => isMasked(kind)).length : 0
}

/** By order, how often it is read in clear: the name of the script says which budget counts that. */
function unhideOf({ name, steps }: ScriptDraft): UnhideTokens[] {
  const reads = steps.flatMap((step) =>
    step.do === 'read' ? step.reads.filter(({ kind }) => !isMasked(kind)) : [],
  )
  const counts = Map.groupBy(reads, ({ reference }) => reference)
    .values()
    .map(({ length }) => length)
  const most = Math.max(0, ...counts)
  if (most === 0) return []
  const orders = new Set(reads.map(({ reference }) => reference)).size
  const isPending = name === 'pending'
  const perOrder = {
    pending: isPending ? most : 0,
    completed: isPending ? 0 : most,
    admission: most,
  }
  return [{ name, orders, perOrder }]
}
