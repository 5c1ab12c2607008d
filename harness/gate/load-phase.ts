import type { Lacks } from '../load/shared/lacks.ts'
import type { AccountSource } from '../accounts/accounts.ts'
import { RealClock } from '../clock.ts'
import { OPEN_MODEL_NAMES, isOpenModelName } from '../load/open-model/scenarios.ts'
import { goalsFor, mixFor } from '../load/open-model/draft.ts'
import { openTemporaryFolder } from '../temporary-folder.ts'
import { k6Of } from './found-k6.ts'
import { sumOfBudgets, whyNotPermitted, type LoadBudget } from '../load/shared/budget.ts'
import {
  openModelScenario,
  burstScenario,
  rateLimitScenario,
  type PricedScenario,
} from '../load/attempts.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { emptyResult } from '../load/shared/conclusion.ts'
import { unknownWindows } from '../load/shared/known-windows.ts'
import { runLoad } from '../load/run-load.ts'
import {
  selectScenarios,
  startOrder,
  type LoadScenario,
  type ScenarioName,
} from '../load/shared/scenarios.ts'
import { streamsOf } from '../load/rate-limits/window-streams.ts'
import type { WorkloadChoice } from '../load/open-model/workloads.ts'
import { requireWatchable } from '../load/evidence/watched-process.ts'
import { requireWithoutKeys } from '../load/k6/marks.ts'
import { keysOfFile } from '../target-file/keys.ts'
import { HarnessError, usageError } from '../errors.ts'
import { countsRequests } from '../plan/bounds.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import type { Introducing } from './introduce.ts'
import { PERMISSION_TO_BUY, PERMISSION_TO_BUY_MORE } from '../target-file/wants.ts'
import { permissionOf } from './permission.ts'
import { confirmAtRest, restOf } from './rest-prices.ts'
import type { Target } from '../target-file/target.ts'
import type { RunState } from './run-state.ts'
import type { Interruption } from './interruption.ts'
import { keepingK6Log } from './k6-log.ts'
import type { RunOptions } from './options.ts'
import type { GateParts } from './parts.ts'
import { sharesCap, type Selected } from './plan-checks.ts'
import type { Preflight } from './preflight.ts'
import type { ProgressLine } from './progress.ts'
import type { Selection } from './selection.ts'

type LoadRun = {
  readonly options: RunOptions
  readonly parts: Pick<GateParts, 'checks'>
  readonly selection: Selection
  readonly progress: ProgressLine
  readonly interruption: Interruption
  readonly runState: RunState
}

/**
 * The selected scenarios that this target can carry out and that the permission covers, with their cost; undefined when there are
 * none. The others are recorded as untested, with the reason. Throws E_PERMISSION where they would send too many requests: before
 * anything is bought.
 */
export async function prepareLoad(
  run: Pick<LoadRun, 'options' | 'parts' | 'selection' | 'runState'>,
  { target, accounts, ready }: Pick<Selected, 'target' | 'accounts' | 'ready'>,
): Promise<readonly PricedScenario[] | undefined> {
  const { options, parts, selection, runState } = run
  requireShown(options.workload, selection.scenarios)
  if (options.watchPid !== undefined) requireWatched(options.watchPid, selection.scenarios)
  requireWithoutKeys(
    options.marks,
    keysOfFile(target).map(({ secret }) => secret),
  )
  if (selection.scenarios.length === 0) return undefined
  const permission = permissionOf(target, options)
  if (!permission.load) {
    runState.loadRefused = 'load on this target needs --allow-load'
    runState.hazards.push(`Load scenarios did not run: ${runState.loadRefused}.`)
    return undefined
  }
  const isCapShared = sharesCap(parts, selection, { target, accounts, permission })
  const scenarios: PricedScenario[] = []
  for (const scenario of startOrder(selectScenarios(selection.scenarios), accounts)) {
    const prepared = repeated(
      await prepareScenario(
        scenario.name,
        { target, accounts, ready, isCapShared },
        options.workload,
      ),
      options.repeats,
    )
    const lacks =
      'lacks' in prepared
        ? prepared
        : whyRefused(run, target, sumOfBudgets([...scenarios, prepared].map(budgetOf)))
    if (lacks) {
      runState.load.push(untestedScenario(scenario, lacks))
      runState.hazards.push(`The load scenario ${scenario.name} did not run: ${lacks.lacks}.`)
    } else if (!('lacks' in prepared)) scenarios.push(prepared)
  }
  requireWithinRequests(options, target, scenarios)
  return scenarios.length > 0 ? scenarios : undefined
}

/** Throws E_USAGE where nothing would show what the process took. */
function requireWatched(pid: number, scenarios: readonly string[]): void {
  requireWatchable(pid)
  if (scenarios.some(isOpenModelName)) return
  throw new HarnessError(
    'E_USAGE',
    '--watch-pid was given, and no selected load scenario is drawn over time',
    `Choose one that is: npm run load -- --scenario ${OPEN_MODEL_NAMES.join(', or ')}.`,
  )
}

/** Throws E_USAGE where no selected scenario sends what a goal is about: it would be neither met nor missed. */
function requireShown(choice: WorkloadChoice, scenarios: readonly string[]): void {
  if (choice.mix !== undefined && !scenarios.includes('mixed'))
    throw usageError(
      '--mix was given, and the scenario mixed is not selected',
      'Say npm run load -- --scenario mixed.',
    )
  const { goals = [] } = choice
  const shown = scenarios
    .filter(isOpenModelName)
    .flatMap((name) => goalsFor(mixFor(name, choice), goals))
  const open = goals.find((goal) => !shown.includes(goal))
  if (open === undefined) return
  throw usageError(
    `--goal was given, and no selected load scenario sends ${open.operation ?? 'requests that it could judge'}`,
    `Choose one that does: npm run load -- --scenario mixed. Goals are for ${OPEN_MODEL_NAMES.join(', ')}.`,
  )
}

/** A scenario that is carried out several times costs so much more. */
function repeated<T extends PricedScenario | Lacks>(scenario: T, repeats: number): T {
  if ('lacks' in scenario || repeats === 1) return scenario
  const { budget } = scenario
  const all = sumOfBudgets(Array.from({ length: repeats }, () => budget))
  return { ...scenario, budget: { ...budget, ...all } }
}

const LOAD_BY_ITSELF = { what: 'a run of load by itself (npm run load)' } as const

type Prepared = {
  readonly target: Target
  readonly accounts: AccountSource
  readonly ready: Pick<Preflight, 'limits' | 'servicesListed'>
  /** Checks of the run buy on the same capped key. */
  readonly isCapShared?: boolean
}

/** One scenario with its cost, or why this target cannot carry it out. Sends nothing to it. */
export async function prepareScenario(
  name: ScenarioName,
  { target, accounts, ready, isCapShared }: Prepared,
  workload: WorkloadChoice,
): Promise<PricedScenario | Lacks> {
  if (name === 'spend-contention' && isCapShared)
    return {
      lacks:
        'checks of this run buy on the capped key, and what they leave of its cap is too little or not known; run the scenario by itself with npm run load',
      wants: [LOAD_BY_ITSELF],
      isCovered: true,
    }
  const { limits, servicesListed } = ready
  const context = { target, limits, accounts }
  if (isOpenModelName(name))
    return openModelScenario(
      name,
      { ...context, ...(servicesListed !== undefined && { servicesListed }) },
      workload,
    )
  if (name !== 'rate-limit-windows') return burstScenario(name, context)
  const streams = await streamsOf(target, accounts, { limits })
  if (streams.length === 0) {
    const services = { bucket: 'default', endpoint: 'listServices' } as const
    const unknown = unknownWindows(limits, [services])
    return { lacks: unknown ?? 'no credential can send any of its streams' }
  }
  return rateLimitScenario(target, streams)
}

/**
 * Where a sum is permitted: buys one of each product alone, and keeps the scenarios whose prices are then known and which the rest of
 * the permission covers. The others are recorded as untested, with the reason.
 */
export async function withKnownPrices(
  { options, runState }: Pick<LoadRun, 'options' | 'runState'>,
  scenarios: readonly PricedScenario[],
  probing: Introducing,
  catalog: readonly CatalogPrice[],
): Promise<readonly PricedScenario[]> {
  const permission = permissionOf(probing.target, options)
  const { purchases } = permission
  const purchasables = scenarios.flatMap(({ buys = [] }) => buys)
  if (!purchases?.spendMax || purchasables.length === 0) return scenarios
  const { purchased, unconfirmed } = await confirmAtRest(probing, purchasables, purchases, catalog)
  runState.bought(purchased, permission)
  const left = restOf(purchases, purchased)
  const kept: PricedScenario[] = []
  for (const scenario of scenarios) {
    const why = whyUnpriced(scenario, unconfirmed) ?? beyond(scenario, kept, left)
    if (why === undefined) kept.push(scenario)
    else {
      const [described] = selectScenarios([scenario.name])
      if (described) runState.load.push(untestedScenario(described, { lacks: why }))
      runState.hazards.push(`The load scenario ${scenario.name} did not run: ${why}.`)
    }
  }
  return kept
}

function whyUnpriced(
  { buys = [] }: PricedScenario,
  unconfirmed: ReadonlyMap<ProductAbility, string>,
): string | undefined {
  const open = buys.find(({ ability }) => unconfirmed.has(ability))
  return (
    open &&
    `the price of the product ${open.ability} is not confirmed: ${unconfirmed.get(open.ability)}`
  )
}

function beyond(
  scenario: PricedScenario,
  others: readonly PricedScenario[],
  left: PurchasePermission,
): string | undefined {
  return whyNotPermitted(sumOfBudgets([...others, scenario].map(budgetOf)), left)
}

/** What was permitted up to a bound belongs to the checks where they buy too: two ledgers could not keep one bound. */
function whyRefused(
  { options, selection }: Pick<LoadRun, 'options' | 'selection'>,
  target: Target,
  budget: LoadBudget,
): Lacks | undefined {
  const { purchases } = permissionOf(target, options)
  const isBounded = purchases?.ordersMax !== undefined || purchases?.spendMax !== undefined
  if (budget.ordersMax > 0 && isBounded && selection.checks.length > 0)
    return {
      lacks:
        'the permitted purchases belong to the checks of this run; run the scenario by itself with npm run load',
      wants: [LOAD_BY_ITSELF],
    }
  if (options.prepareDir !== undefined && purchases?.spendMax && budget.ordersMax > 0)
    return {
      lacks:
        'no price can be confirmed by a purchase before a run that others carry out; run it with npm run load',
    }
  const lacks = whyNotPermitted(budget, purchases)
  if (lacks === undefined) return undefined
  return { lacks, wants: [purchases ? PERMISSION_TO_BUY_MORE : PERMISSION_TO_BUY] }
}

function untestedScenario(
  { name, requirements }: LoadScenario,
  { lacks, wants = [], isCovered = false }: Lacks,
): LoadResult {
  return emptyResult(name, {
    verdict: isCovered ? 'inapplicable' : 'untested',
    reason: lacks,
    ...(wants.length > 0 && { wants: [...wants] }),
    requirements: [...requirements],
  })
}

/** Runs the prepared load scenarios with k6 and keeps what they measured. */
export async function loadPhase(
  { options, progress, interruption, runState }: Omit<LoadRun, 'selection'>,
  target: Target,
  scenarios: readonly PricedScenario[],
  isThere: () => Promise<boolean>,
): Promise<void> {
  const k6 = await k6Of({ progress, interruption, runState })
  const names = scenarios.map(({ name }) => name).join(', ')
  progress.phase(`runs ${names} with k6 ${k6.version} (${k6.source})`)
  const deadline = deadlineOf(options, runState.suiteSeconds)
  const watchPid = options.watchPid ?? target.processId
  await using runDirectory = await openTemporaryFolder()
  const results = await keepingK6Log(runState, runDirectory.path, () =>
    runLoad(scenarios, {
      k6,
      reached: target,
      runDir: runDirectory.path,
      runId: runState.runId,
      isPriceBound: permissionOf(target, options).purchases?.spendMax !== undefined,
      instances: options.instances,
      outputs: options.outputs,
      marks: options.marks,
      ...(watchPid !== undefined && { watchPid }),
      clock: new RealClock(),
      signal: deadline ? AbortSignal.any([interruption.signal, deadline]) : interruption.signal,
      attemptsMax: mayRepeat(options, target, scenarios) ? 2 : 1,
      repeats: options.repeats,
      isThere,
      onProgress: (text) => progress.status(text),
      onOrders: (scenario, orders) => runState.boughtByLoad(scenario, orders),
      onOvercharge: (...told) => runState.overcharged(...told),
      onHazard: (text) => {
        if (!runState.hazards.includes(text)) runState.hazards.push(text)
      },
    }),
  )
  runState.load.push(...results)
  if (deadline?.aborted)
    runState.stopLoad(`the load was stopped after ${options.secondsMax} s (--max-seconds)`)
}

/** What the checks left of the permitted time is for the load. */
function deadlineOf({ secondsMax }: RunOptions, suiteSeconds: number): AbortSignal | undefined {
  return secondsMax === undefined
    ? undefined
    : AbortSignal.timeout(1000 * Math.max(0, secondsMax - suiteSeconds))
}

function budgetOf({ budget }: PricedScenario): LoadBudget {
  return budget
}

/** Whether the permission covers every scenario twice. What a sum is permitted for is bought once. */
function mayRepeat(
  options: RunOptions,
  target: Target,
  scenarios: readonly PricedScenario[],
): boolean {
  if (permissionOf(target, options).purchases?.spendMax) return false
  const once = scenarios.map(budgetOf)
  const twice = sumOfBudgets([...once, ...once])
  const isCovered = !countsRequests(options, target) || twice.requestsMax <= options.requestsMax
  return isCovered && whyNotPermitted(twice, permissionOf(target, options).purchases) === undefined
}

/** The load stays under the permitted number of requests. */
function requireWithinRequests(
  options: RunOptions,
  target: Target,
  scenarios: readonly PricedScenario[],
): void {
  const { requestsMax: total } = sumOfBudgets(scenarios.map(budgetOf))
  if (!countsRequests(options, target) || total <= options.requestsMax) return
  throw new HarnessError(
    'E_PERMISSION',
    `the load scenarios may send ${total} requests, ${options.requestsMax} are permitted`,
    `Raise --max-requests to ${total}, choose fewer scenarios with --scenario, or leave the load out with --no-load.`,
  )
}
