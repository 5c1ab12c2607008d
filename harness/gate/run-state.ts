import type { Bucket } from '../../contract/limits.ts'
import { OVERCHARGED, type LoadOvercharge } from '../../load/protocol/plan.ts'
import { type Micros, formatMoney } from '../money.ts'
import { sentence } from '../text.ts'
import type {
  Capacity,
  Problem,
  RunRecord,
  UnderLoad,
  LoadResult,
} from '../../schemas/generated/run-record.ts'
import { runIdOf } from './run-id.ts'
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import { compareWithBaseline } from '../baseline/compare.ts'
import { asHarnessError, HarnessError } from '../errors.ts'
import type { SystematicCause } from '../judge/causes.ts'
import type { Outage } from '../judge/outages.ts'
import { foldCauses, type Foldable } from '../judge/fold.ts'
import type { Outcome } from '../judge/outcome.ts'
import { recordedPlan, type SuiteSpent } from '../plan/record-plan.ts'
import type { RunPlan } from '../plan/run-plan.ts'
import type { QuotaSpent } from '../quota/ledger.ts'
import type { OrderMade, Purchased, PurchasePermission } from '../purchases/purchase.ts'
import type { Measured } from '../record/assemble.ts'
import type { Rendered } from '../record/write.ts'
import { OrdersBought } from '../record/orders-bought.ts'
import { overchargeText } from '../record/purchases.ts'
import { PERMISSION_FOR_LOAD } from '../target-file/wants.ts'
import type { Target } from '../target-file/target.ts'
import type { CheckOutcome } from '../judge/check-outcome.ts'
import { floorHazard, gentleHazard, selectionHazards, unfinishedHazard } from './hazards.ts'
import { emptyCheck } from './no-outcome.ts'
import { emptyResult } from '../load/shared/conclusion.ts'
import type { Selectable, SelectableCheck } from './conformance.ts'
import type { RunOptions } from './options.ts'
import type { Permission } from '../plan/permission.ts'
import { withoutAbsence, withoutOutage } from './left-open.ts'
import type { Preflight } from './preflight.ts'
import type { Absence } from './presence.ts'
import { loadFlags, sameTarget } from './repeat.ts'
import type { Selection } from './selection.ts'

/** The options of any command that leaves a record. */
type RecordedOptions = Omit<RunOptions, 'command'> & { readonly command: RunRecord['command'] }

/** What the record tells of the preflight. */
type Known = Omit<Preflight, 'introduction'>

/** Everything that a run has measured so far. Filled as it comes, so that an early end loses nothing. */
export class RunState {
  target: Target | undefined
  roles: readonly string[] = []
  /** The target answered nothing for a while, which ended the checks. */
  isLost = false
  cause: unknown
  readonly hazards: string[] = []
  readonly spent: QuotaSpent[] = []
  readonly causes: SystematicCause[] = []
  readonly load: LoadResult[] = []
  /** What lay on the target while the checks ran. */
  underLoad: UnderLoad | undefined
  /** What k6 said, where it did not end as it has to. */
  readonly attachments: Rendered[] = []
  k6: { version: string; source: string } | undefined
  /** What a search for capacity found, and what that says of the run. */
  search: { readonly capacity: Capacity; readonly searchOutcome: Outcome } | undefined
  /** What the caller accepts. */
  knownFailures: KnownFailures | undefined
  /** The run to compare the load with. */
  baseline: RunRecord | undefined
  /** Why no load may be put on the target. */
  loadRefused: string | undefined
  readonly #options: RecordedOptions
  readonly #startedAt = new Date()
  readonly runId = runIdOf(this.#startedAt)
  readonly #problems: Problem[] = []
  readonly #outcomes: CheckOutcome[] = []
  #ready: Known | undefined
  #runPlan: RunPlan | undefined
  #suiteSpent: SuiteSpent | undefined
  readonly #bought = new OrdersBought()
  #permission: PurchasePermission | undefined
  #plan: RunRecord['plan'] = {
    checks: 0,
    untestedChecks: 0,
    purchasesMax: 0,
    windowSecondsLongest: 0,
    permission: { purchases: false, load: false, reason: 'the target was not reached' },
  }

  constructor(options: RecordedOptions) {
    this.#options = options
  }

  ready(
    preflight: Known,
    permission: Permission,
    run: { selection: Selection; parts: { checks: readonly SelectableCheck[] } },
  ): void {
    this.#ready = preflight
    this.#permission = permission.purchases
    this.hazards.push(...preflight.hazards, ...selectionHazards(run.selection))
    const selected = run.parts.checks.filter(({ id }) => run.selection.checks.includes(id))
    const buckets = selected.flatMap((each) => each.buckets) as Bucket[]
    this.#plan = {
      checks: selected.length,
      untestedChecks: 0,
      purchasesMax: selected.reduce((sum, each) => sum + each.purchases, 0),
      windowSecondsLongest: Math.max(
        0,
        ...buckets.map((each) => preflight.limits[each].windowSeconds),
      ),
      permission: planPermission(permission),
    }
  }

  /** What the run was going to take, known before it began. */
  planned(plan: RunPlan): void {
    this.#runPlan = plan
  }

  /** What the checks took. */
  conformed(spent: SuiteSpent, permission: Permission): void {
    this.#suiteSpent = spent
    this.spent.push(...spent.spent)
    this.bought(spent.purchased, permission)
  }

  /** What was bought, and whether it cost more than was reckoned with. */
  bought(purchased: Purchased, permission: Permission): void {
    const { overcharge } = purchased
    this.#bought.add(purchased)
    const recorded = this.#bought.record(this.#permission)
    if (!overcharge || !recorded) return
    const text = overchargeText(overcharge, recorded)
    this.hazards.push(sentence(text))
    if (permission.purchases?.spendMax)
      this.fail(new HarnessError('E_PRICE', text, priceStep(overcharge.product)))
  }

  /** What a scenario of load bought. */
  boughtByLoad(scenario: string, orders: Iterable<OrderMade>): void {
    this.#bought.addLoad(scenario, orders)
  }

  /** An order of load cost more than was confirmed, and k6 was stopped. */
  overcharged(scenario: string, overcharge: LoadOvercharge, underWay: Micros): void {
    const { charged, planned } = overcharge
    const { spendMax } = this.#permission ?? {}
    if (spendMax) this.#bought.addUnseen(spendMax.currency, overcharge, underWay)
    const { exceededBy, permitted = '' } = this.#bought.record(this.#permission) ?? {}
    const bound =
      exceededBy === undefined
        ? `the permitted ${permitted} was not exceeded`
        : `the permitted ${permitted} may have been exceeded by at most ${exceededBy}`
    const text = `k6 ended scenario ${scenario}: ${OVERCHARGED}: ${charged} instead of ${planned}; requests that were on their way may have bought too, and ${bound}`
    this.hazards.push(`${text}.`)
    this.fail(new HarnessError('E_PRICE', text, LOOK_AT_ORDERS))
  }

  /** Files that lie beside the record. */
  get filesBeside(): readonly Rendered[] {
    const orders = this.#bought.file()
    return orders ? [...this.attachments, orders] : this.attachments
  }

  /** How long the checks took. */
  get suiteSeconds(): number {
    return this.#suiteSpent?.seconds ?? 0
  }

  /** No more load: what has not run stays untested, for this reason. */
  stopLoad(reason: string): void {
    this.loadRefused = reason
    this.hazards.push(sentence(reason))
  }

  add(outcome: CheckOutcome): void {
    this.#outcomes.push(outcome)
  }

  /** Records what ended the run, or part of it. */
  fail(cause: unknown): void {
    this.cause ??= cause
    const error = asHarnessError(cause)
    this.#problems.push({ code: error.code, message: error.message, nextStep: error.nextStep })
  }

  /**
   * What was selected and left no outcome is named, never forgotten: untested where the run ended early, else a fault of ours.
   * Nothing is named where the target was not even reached.
   */
  missing(
    selection: Selection,
    parts: { checks: readonly SelectableCheck[]; scenarios: readonly Selectable[] },
    interrupted: boolean,
  ): void {
    if (!this.#ready) return
    const verdict = interrupted || this.#problems.length > 0 ? 'untested' : 'error'
    const reason = interrupted ? 'the run was interrupted' : this.#reasonForNothing()
    const seen = new Set(this.#outcomes.map(({ check }) => check.id))
    for (const each of parts.checks)
      if (selection.checks.includes(each.id) && !seen.has(each.id))
        this.add(emptyCheck(each, verdict, reason))
    const ran = new Set(this.load.map(({ scenario }) => scenario))
    const why: Parameters<typeof emptyResult>[1] =
      this.loadRefused === undefined
        ? { verdict, reason }
        : {
            verdict: 'untested',
            reason: this.loadRefused,
            ...(this.#plan.permission.load ? {} : { wants: [PERMISSION_FOR_LOAD] }),
          }
    for (const { id, requirements } of parts.scenarios)
      if (selection.scenarios.includes(id) && !ran.has(id))
        this.load.push(emptyResult(id, { ...why, requirements: [...requirements] }))
  }

  /**
   * The target went away: what was answered in its place says nothing about a requirement. What was called a failure for it alone
   * is left open.
   */
  concludeNothingFrom(saysNothing: Absence['saysNothing']): void {
    for (const [index, outcome] of this.#outcomes.entries())
      this.#outcomes[index] = withoutAbsence(outcome, saysNothing)
  }

  /** Names outages, and leaves open what failed across them. */
  setBy(outages: readonly Outage[]): void {
    for (const outage of outages) {
      const before = this.#outcomes.filter(isFailure).length
      for (const [index, outcome] of this.#outcomes.entries())
        this.#outcomes[index] = withoutOutage(outcome, outage)
      const open = before - this.#outcomes.filter(isFailure).length
      const left =
        open === 0 ? '' : `; checks that failed across it and are inconclusive for it: ${open}`
      this.hazards.push(sentence(`${outage.text}${left}`))
    }
  }

  /** Keeps verdicts and what they say, without the exchanges that show it. */
  dropEvidence(): void {
    this.causes.length = 0
    for (const [index, { check }] of this.#outcomes.entries())
      this.#outcomes[index] = { check, exchanges: [], observations: [], windows: [] }
  }

  #reasonForNothing(): string {
    const [first] = this.#problems
    return first ? `the run ended before: ${first.code}` : 'it left no outcome'
  }

  measured(interruptedBy: Measured['interruptedBy'], harnessVersion: string): Measured {
    const { target } = this
    if (!target) throw new Error('a run without a target has nothing to record')
    const suffix = sameTarget(this.#options)
    const purchases = this.#bought.record(this.#permission)
    const folded = foldCauses(this.#outcomes.map(foldableOf), this.causes)
    const checks = folded.checks
      .map((check) => ({ ...check, repeat: check.repeat + suffix }))
      .toSorted(byId)
    const exchanges = new Map(
      this.#outcomes.flatMap((each) => each.exchanges).map((exchange) => [exchange.id, exchange]),
    )
    return {
      runId: this.runId,
      command: this.#options.command,
      startedAt: this.#startedAt,
      endedAt: new Date(),
      ...(interruptedBy ? { interruptedBy } : {}),
      problems: this.#problems,
      hazards: [
        ...this.hazards,
        ...(purchases && this.#permission?.spendMax ? unfinishedHazard(purchases) : []),
        ...gentleHazard(checks),
        ...floorHazard(this.#options.floor),
      ],
      profile: this.#options.profile,
      selectors: selectorsOf(this.#options),
      floor: this.#options.floor,
      target,
      roles: this.roles,
      ...(this.#ready ? { limits: this.#ready.limits } : {}),
      ...(this.#ready?.clockSkewMs ? { clockSkewMs: this.#ready.clockSkewMs } : {}),
      plan: {
        ...this.#plan,
        ...(this.#runPlan ? recordedPlan(this.#runPlan, this.#suiteSpent, this.load) : {}),
        untestedChecks: checks.filter(({ verdict }) => verdict === 'untested').length,
      },
      ...(purchases ? { purchases } : {}),
      checks,
      causes: folded.causes,
      exchanges: [...exchanges.values()].toSorted(byId),
      observations: this.#outcomes.flatMap(({ observations }) => observations),
      windows: this.#outcomes.flatMap(({ windows }) => windows),
      load: this.load.map((result) =>
        result.repeat === undefined
          ? result
          : { ...result, repeat: `${result.repeat}${loadFlags(result, this.#options)}${suffix}` },
      ),
      spent: this.spent,
      ...(this.underLoad ? { underLoad: this.underLoad } : {}),
      ...(this.k6 ? { k6: this.k6 } : {}),
      ...this.search,
      ...(this.baseline && this.load.length > 0
        ? { baseline: compareWithBaseline(this.baseline, this.load, this.#options) }
        : {}),
      ...(Object.keys(this.#options.labels).length > 0 ? { labels: this.#options.labels } : {}),
      ...(this.knownFailures ? { knownFailures: this.knownFailures } : {}),
      harnessVersion,
    }
  }
}

const LOOK_AT_ORDERS =
  'Look up what the account was charged for the orders in orders.csv, and what the products cost; the scenario decided nothing.'

function priceStep(product: string): string {
  return `Look up what the product costs, correct products.${product}.unitPrice in the target file, and run again.`
}

function isFailure({ check }: CheckOutcome): boolean {
  return check.verdict === 'fail'
}

function foldableOf({ check, about = [], stoppedBy = [] }: CheckOutcome): Foldable {
  return { check, about, stoppedBy }
}

function selectorsOf({ only, scenarios, lastFailed }: RecordedOptions): string[] {
  return [...only, ...scenarios, ...(lastFailed ? ['--last-failed'] : [])]
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}

function planPermission({ purchases, load, reason }: Permission): RunRecord['plan']['permission'] {
  const spendMax = purchases?.spendMax
  return {
    purchases: purchases !== undefined,
    load,
    reason,
    ...(purchases?.ordersMax === undefined ? {} : { ordersMax: purchases.ordersMax }),
    ...(spendMax ? { spendMax: `${spendMax.currency} ${formatMoney(spendMax.micros)}` } : {}),
  }
}
