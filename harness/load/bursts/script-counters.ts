import { isMasked, type PlannedRead, type PlannedStep } from '../../../load/protocol/bursts.ts'
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
  if (step.do === 'reuse-reference') return 1
  if (step.do === 'replay-accepted') return step.count
  return step.do === 'cap-boundary' ? 3 : 0
}

function quotes(step: PlannedStep): number {
  return step.do === 'quote' ? step.quotes.length : 0
}

function maskedReads(step: PlannedStep): number {
  if (step.do === 'read-contended') return step.contendedMax + 1
  if (step.do === 'reuse-reference') return 2
  if (step.do === 'finish')
    return step.reads.length * Math.ceil((1000 * step.maxSeconds) / step.everyMs)
  return step.do === 'read' ? step.reads.filter(({ kind }) => isMasked(kind)).length : 0
}

/** By order, how often it is read before and after the script waited for its end: that is what decides which budget counts it. */
function unhideOf({ name, steps }: ScriptDraft): UnhideTokens[] {
  const end = steps.findIndex((step) => step.do === 'finish')
  const before = readsOf(end < 0 ? steps : steps.slice(0, end))
  const after = readsOf(end < 0 ? [] : steps.slice(end))
  const references = new Set([...before, ...after].map(({ reference }) => reference))
  if (references.size === 0) return []
  const most = (reads: readonly PlannedRead[]): number =>
    Math.max(
      ...[...references].map((each) => reads.filter(({ reference }) => reference === each).length),
    )
  const isPending = end >= 0 || name === 'pending'
  // Those that ended in part count as pending still.
  const isPartial = name === 'partial'
  const perOrder = {
    pending: isPartial ? most(after) : isPending ? most(before) : 0,
    completed: isPartial ? 0 : isPending ? most(after) : most(before),
    admission: most([...before, ...after]),
  }
  return [{ name, orders: references.size, perOrder }]
}

function readsOf(steps: readonly PlannedStep[]): PlannedRead[] {
  return steps.flatMap((step) =>
    step.do === 'read' ? step.reads.filter(({ kind }) => !isMasked(kind)) : [],
  )
}
