import os from 'node:os'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { otherMachine, readBaseline, requireSameSetting } from '../baseline/read.ts'
import { HarnessError } from '../errors.ts'
import { proxySecrets } from '../network/proxy.ts'
import type { Target } from '../target-file/target.ts'
import { approach } from './approach.ts'
import { readCatalogPrices } from './catalog-prices.ts'
import { conclude, requirePlace } from './conclude.ts'
import type { GateParts } from './parts.ts'
import { RunState } from './run-state.ts'
import { lastFailed } from './last-failed.ts'
import { loadPhase, prepareLoad, withKnownPrices } from './load-phase.ts'
import { openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { introduce, type Introducing } from './introduce.ts'
import { permissionOf, requireCurrency } from './permission.ts'
import type { AccountSource } from '../accounts/accounts.ts'
import { secretsOfMarks } from '../load/k6/marks.ts'
import type { PricedScenario } from '../load/attempts.ts'
import { requireTime } from '../plan/bounds.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import { readKnownFailures } from './known-failures.ts'
import { joinPlan, outlook, type RunPlan } from '../plan/run-plan.ts'
import { planSelected, type Selected } from './plan-checks.ts'
import { preflight, type Preflight } from './preflight.ts'
import { absence, lostMeanwhile, type Absence } from './presence.ts'
import { withDeadline } from './deadline.ts'
import { select, type Selection } from './selection.ts'
import type { UnderLoadDraft } from '../load/under-load/plan.ts'
import type { Requests } from '../load/under-load/traffic.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import { formatSeconds, plural, targetText } from '../text.ts'
import { permissionBeside, requireUnderLoad, underLoad } from './under-load.ts'
import { supervised, type GateStreams, type Supervised } from './supervise.ts'

/**
 * The main job: opens the target, asks whether it is there, and carries out the selected checks and load scenarios. Then judges, writes
 * the record and the reports, and returns the exit code. Nothing already measured is lost: whatever ends a run early leaves a record.
 */
export async function runGate(
  options: RunOptions,
  parts: GateParts,
  streams: GateStreams,
): Promise<number> {
  const selection = select(parts.checks, options.load ? parts.scenarios : [], {
    ...options,
    loadOnly: options.command === 'load',
    ...(options.lastFailed ? { only: lastFailed(options) } : {}),
  })
  const runState = new RunState(options)
  return supervised(runState, streams, {
    carryOut: async (run) => {
      await measure({ ...run, options, parts, selection })
      return 'measured'
    },
    conclude: (ending) => {
      runState.missing(selection, parts, ending.interruptedBy !== undefined)
      return conclude({ runState, options, parts }, ending)
    },
  })
}

type Run = Supervised & {
  readonly options: RunOptions
  readonly parts: GateParts
  readonly selection: Selection
}

async function measure(run: Run): Promise<void> {
  const { options, progress, interruption, runState, redactor } = run
  await openBaseline(run)
  await openKnownFailures(run)
  await using open = await openTarget(options, process.env, (text) => progress.phase(text))
  const { target } = open
  runState.target = target
  runState.hazards.push(...open.hazards)
  for (const secret of proxySecrets(target.baseUrl, process.env))
    redactor.addSecret(secret, 'password of the proxy')
  for (const secret of secretsOfMarks(options.marks)) redactor.addSecret(secret, 'header')
  await requirePlace(options)
  if (buysAnything(run)) requireCurrency(target, options)
  const { runId } = runState
  await using probing = approach(target, redactor, { runId, signal: interruption.signal })
  const { accounts } = probing
  runState.roles = accounts.roles
  progress.phase(`asks ${targetText(target)} who it is`)
  const ready = await withDeadline(probing, progress, preflight)
  runState.ready(ready, permissionOf(target, options), run)
  if (runState.baseline) requireSameSetting(runState.baseline, { ...target, ...ready })
  const prices = await catalogPrices(run, probing)
  const streams = await prepareLoad(run, { target, accounts, ready })
  const opened = { target, accounts, ready, prices, scenarios: streams ?? [] }
  const { plan, background } = requirePlan(run, opened)
  const expected = outlook(plan)
  if (expected !== undefined) progress.phase(expected)
  const whyAbsent = (): Promise<Absence | undefined> =>
    withDeadline(probing, progress, (asked) => absence(asked, ready.introduction))
  const requireThere = async (): Promise<void> => {
    if (interruption.by) return
    const absent = await whyAbsent()
    if (absent) {
      runState.concludeNothingFrom(absent.saysNothing)
      throw absent.error
    }
    if (runState.isLost) throw lostMeanwhile(target)
  }
  const { purchases } = permissionOf(target, options)
  const permission = background
    ? await permissionBeside(run, background, probing, prices)
    : purchases
  const checks = (): Promise<Requests | undefined> =>
    conformancePhase(run, opened, { plan, purchases: permission })
  if (background && !interruption.by) await underLoad(run, opened, background, checks)
  else await checks()
  await requireThere()
  if (!streams || interruption.by) return
  const known = await withKnownPrices(run, streams, probing, prices)
  if (known.length === 0) return
  await loadPhase(run, target, known, async () => (await whyAbsent()) === undefined)
  await requireThere()
}

/** Reads the run to compare with, if there is to be one. Throws E_BASELINE. */
async function openBaseline({ options, parts, selection, runState }: Run): Promise<void> {
  if (options.baselineFile === undefined) return
  const baseline = await readBaseline(options.baselineFile, {
    scenarios: selection.scenarios,
    workload: options.workload.workload,
    harnessVersion: parts.harnessVersion,
    isRegressionBounded: options.regressionPercentMax !== undefined,
  })
  runState.baseline = baseline
  const platform = `${process.platform} ${process.arch}`
  const hazard = otherMachine(baseline, { platform, cpus: os.cpus().length })
  if (hazard !== undefined) runState.hazards.push(hazard)
}

/** Reads what the caller accepts, if anything. Throws E_KNOWN_FAILURES. */
async function openKnownFailures({ options, parts, runState }: Run): Promise<void> {
  const { knownFailuresFile: file } = options
  if (file !== undefined) runState.knownFailures = await readKnownFailures(file, parts)
}

/** Plans the whole run, for the record. Throws E_BUDGET where it takes longer than is permitted. */
function requirePlan(
  { options, parts, selection, runState }: Run,
  opened: {
    readonly target: Target
    readonly accounts: AccountSource
    readonly ready: Preflight
    readonly prices: readonly CatalogPrice[]
    readonly scenarios: readonly PricedScenario[]
  },
): { readonly plan: RunPlan; readonly background: UnderLoadDraft | undefined } {
  const permission = permissionOf(opened.target, options)
  const suite = planSelected({ parts, selection, permission, ...opened })
  const load = opened.scenarios.map(({ name, budget }) => ({ scenario: name, budget }))
  const background = requireUnderLoad(
    options,
    opened,
    suite.boundSeconds,
    load.map(({ budget }) => budget),
  )
  const plan = joinPlan({ suite, load, permission, underLoad: background })
  requireTime(plan, options)
  runState.planned(plan)
  return { plan, background }
}

function buysAnything({ parts, selection }: Pick<Run, 'parts' | 'selection'>): boolean {
  const selected = new Set(selection.checks)
  return (
    selection.scenarios.length > 0 ||
    parts.checks.some(({ id, purchases }) => purchases > 0 && selected.has(id))
  )
}

/** What the catalog asks for what the run may buy; nothing where it buys nothing. */
async function catalogPrices(run: Run, probing: Introducing): Promise<readonly CatalogPrice[]> {
  const { options, runState } = run
  const { target } = probing
  if (!buysAnything(run) || !permissionOf(target, options).purchases) return []
  const abilities = Object.keys(target.products) as ProductAbility[]
  const { prices, hazards } = await readCatalogPrices(await introduce(probing), target, abilities)
  runState.hazards.push(...hazards)
  return prices
}

async function conformancePhase(
  run: Run,
  { target, ready, prices = [] }: Pick<Selected, 'target' | 'ready' | 'prices'>,
  {
    plan,
    purchases,
  }: { readonly plan: RunPlan; readonly purchases: PurchasePermission | undefined },
): Promise<Requests | undefined> {
  const { options, parts, selection, progress, interruption, runState, redactor } = run
  if (selection.checks.length === 0 || interruption.by) return undefined
  progress.phase(`carries out ${plural(selection.checks.length, 'check')} side by side`)
  const running = new Map<string, string>()
  let ended = 0
  let [startedMs, endedMs] = [0, 0]
  const permission = permissionOf(target, options)
  const result = await parts.conformance({
    target,
    runId: runState.runId,
    limits: ready.limits,
    ...(purchases ? { permission: purchases } : {}),
    prices,
    isGentle: !permission.load,
    ...(selection.requestsMax === undefined ? {} : { requestsMax: selection.requestsMax }),
    planned: {
      requests: plan.suite.requestsMax,
      money: plan.suite.purchases.money,
      moneyMax: plan.suite.purchases.moneyMax,
    },
    selected: selection.checks,
    signal: interruption.signal,
    onOutcome: (outcome) => runState.add(outcome),
    onSecret: (value, label) => redactor.addSecret(value, label),
    onHazard: (text) => {
      runState.hazards.push(text)
      progress.phase(text)
    },
    onLost: () => void (runState.isLost = true),
    onStopped: (reason) => runState.fail(new HarnessError('E_STOPPED', reason, STOPPED_STEP)),
    onProgress: ({ check, state, text }) => {
      endedMs = performance.now()
      startedMs ||= endedMs
      if (state === 'ended') {
        running.delete(check)
        ended += 1
      } else running.set(check, state === 'waiting' ? text : '')
      const beyondSeconds = (endedMs - startedMs) / 1000 - plan.suite.boundSeconds
      progress.status(() =>
        statusText({ ended, total: selection.checks.length, running, beyondSeconds }),
      )
    },
  })
  runState.conformed({ ...result, seconds: (endedMs - startedMs) / 1000 }, permission)
  runState.causes.push(...(result.causes ?? []))
  runState.hazards.push(...(result.hazards ?? []))
  runState.setBy(result.outages ?? [])
  for (const fault of result.faults)
    runState.fail(new HarnessError('E_HARNESS', fault, 'Report it with the run record.'))
  return result.traffic
}

const STOPPED_STEP =
  'Read in the report what the target answered; run again with fewer checks (--only, --profile), or when the target is well.'

type Status = {
  readonly ended: number
  readonly total: number
  /** What each check that runs waits for, or nothing. */
  readonly running: ReadonlyMap<string, string>
  readonly beyondSeconds: number
}

function statusText({ ended, total, running, beyondSeconds }: Status): string {
  const waiting = [...running].filter(([, text]) => text !== '')
  const [first] = waiting.length > 0 ? waiting : [...running]
  const what = first ? ` · ${first[0]} ${first[1]}` : ''
  const late = beyondSeconds > 1 ? ` · ${formatSeconds(beyondSeconds)} beyond the plan` : ''
  return `${ended} of ${total} checks ended, ${waiting.length} waiting${late}${what}`
}
