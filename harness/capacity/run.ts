import { targetText } from '../text.ts'
import { mixOf } from '../../load/protocol/arrival-schedule.ts'
import type { Requirement } from '../../contract/requirements/types.ts'
import type { CapacityStep } from '../../schemas/generated/run-record.ts'
import type { AccountSource } from '../accounts/accounts.ts'
import { RealClock } from '../clock.ts'
import { HarnessError, usageError } from '../errors.ts'
import { approach } from '../gate/approach.ts'
import { conclude, requirePlace } from '../gate/conclude.ts'
import { withDeadline } from '../gate/deadline.ts'
import { RunState } from '../gate/run-state.ts'
import type { GateParts } from '../gate/parts.ts'
import { keepingK6Log } from '../gate/k6-log.ts'
import { openTarget, type OpenedTarget } from '../gate/open-target.ts'
import { permissionOf } from '../gate/permission.ts'
import { preflight, type Preflight } from '../gate/preflight.ts'
import { absence } from '../gate/presence.ts'
import type { ProgressLine } from '../gate/progress.ts'
import { supervised, type GateStreams, type Supervised } from '../gate/supervise.ts'
import { clientPlansOf } from '../load/open-model/plan.ts'
import { openTemporaryFolder } from '../temporary-folder.ts'
import { OPEN_MODELS } from '../load/open-model/scenarios.ts'
import { pagesTurned } from '../load/open-model/session-size.ts'
import { k6Of } from '../gate/found-k6.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import { countsRequests } from '../plan/bounds.ts'
import { isLoopback } from '../network/loopback.ts'
import { startEmbedded } from '../test-server/embedded.ts'
import { isTargetNamed } from '../target-file/resolve.ts'
import type { Target } from '../target-file/target.ts'
import { conductSearch, type StepRunner } from './conduct.ts'
import { k6Runner, type K6Steps } from './k6-steps.ts'
import type { CapacityOptions } from './options.ts'
import { planCapacity, planLines } from './plan.ts'
import { outcomeOfCapacity } from './outcome.ts'
import { capacityOf } from './result.ts'
import { requestsWithinPurchases, scenarioCost } from './scenario-cost.ts'
import { purchasesLeft } from './known-prices.ts'
import { generatorBounds } from './verdict.ts'

/** What the command line composes a search of. */
export type CapacityParts = Pick<GateParts, 'catalogue' | 'harnessVersion'>

type Run = Supervised & {
  readonly options: CapacityOptions
  readonly out: NodeJS.WriteStream
}

/**
 * Searches for the capacity of a target: opens it, asks whether it is there, plans, runs one k6 per step, writes the record and the
 * reports, and returns the exit code. Throws what is refused before any load: bad usage, no permission, too few accounts.
 */
export async function runCapacity(
  options: CapacityOptions,
  parts: CapacityParts,
  streams: GateStreams,
): Promise<number> {
  const runState = new RunState({ ...options.run, command: 'capacity' })
  return supervised(runState, streams, {
    carryOut: (run) => measure({ ...run, options, out: streams.out }),
    conclude: (ending) => {
      const catalogue = citedBy(runState, parts.catalogue)
      const cited = { ...NO_CHECKS, ...parts, catalogue }
      return conclude({ runState, options: options.run, parts: cited }, ending)
    },
  })
}

/** A search carries out no check. */
const NO_CHECKS = { checks: [], scenarios: [] } as const

/** Only what steps have broken is said of requirements: none was selected. */
function citedBy({ load }: RunState, catalogue: readonly Requirement[]): readonly Requirement[] {
  const broken = new Set(load.flatMap(({ findings }) => findings.map((each) => each.requirement)))
  return catalogue.filter(({ id }) => broken.has(id))
}

async function measure(run: Run): Promise<'planned' | 'measured'> {
  const { options, progress, interruption, runState, redactor, out } = run
  await using opened = await open(options, (text) => progress.phase(text))
  const { target } = opened
  runState.target = target
  runState.hazards.push(...opened.hazards, ...sharedMachine(target))
  await requirePlace(options.run)
  const { runId } = runState
  await using probing = approach(target, redactor, { runId, signal: interruption.signal })
  const { accounts } = probing
  runState.roles = accounts.roles
  progress.phase(`asks ${targetText(target)} who it is`)
  const ready = await withDeadline(probing, progress, preflight)
  const permission = permissionOf(target, options.run)
  runState.ready(ready, permission, { selection: NO_CHECKS, parts: NO_CHECKS })
  if (!permission.load) throw notPermitted(permission.reason)
  const context = { target, limits: ready.limits, accounts }
  const purchases = await purchasesLeft(run, probing)
  const { plan, parts } = planFor(options, context, ready, purchases)
  if (options.planOnly) {
    progress.end()
    out.write(`${planLines(plan).join('\n')}\n`)
    return 'planned'
  }
  for (const line of planLines(plan)) progress.phase(line)
  const requireThere = async (): Promise<void> => {
    const absent = await withDeadline(probing, progress, (asked) =>
      absence(asked, ready.introduction),
    )
    if (absent) throw absent.error
  }
  await search(run, { plan, parts, context, scenario: options.requested.scenario }, requireThere)
  if (!interruption.by) await requireThere()
  return 'measured'
}

async function open(
  { run, pace }: CapacityOptions,
  onPhase: (text: string) => void,
): Promise<OpenedTarget> {
  if (!pace) return openTarget(run, process.env, onPhase)
  if (run.image !== undefined || isTargetNamed({ flags: run.target, env: process.env }))
    throw usageError(
      '--workers and --service-ms were given together with a target or an image',
      'They belong to the embedded service: leave out --target, --base-url and --image.',
    )
  onPhase('starts the embedded reference service, at a pace')
  const { faults, windowSeconds } = run
  return startEmbedded({ faults, windowSeconds, pace })
}

function sharedMachine({ kind, baseUrl }: Target): string[] {
  if (!isLoopback(baseUrl)) return []
  const where =
    kind === 'embedded'
      ? 'The embedded service runs in the process of the harness and shares this machine with k6'
      : 'The target shares this machine with k6'
  return [`${where}: the figure holds beside a load generator, not for a machine of its own.`]
}

function notPermitted(reason: string): HarnessError {
  return new HarnessError(
    'E_PERMISSION',
    `a search for capacity sends load to the target, which is not permitted: ${reason}`,
    'Say --allow-load --max-requests N --max-seconds S if you may, or declare the environment a sandbox in its target file.',
  )
}

type Context = K6Steps['context']

/** Accounts are static where the target makes none; then their windows bound the rates. */
function planFor(
  { requested, run }: CapacityOptions,
  context: Context,
  ready: Pick<Preflight, 'servicesListed'>,
  purchases: PurchasePermission | undefined,
): Pick<K6Steps, 'plan' | 'parts'> {
  const { target, limits, accounts } = context
  const { mix } = OPEN_MODELS[requested.scenario]
  const parts = clientPlansOf(mix, target)
  if ('lacks' in parts)
    throw usageError(
      `the scenario ${requested.scenario} cannot be carried out: ${parts.lacks}`,
      'Say it in the target file: see targets/README.md.',
    )
  const cost = scenarioCost(
    { parts, turnSessions: mixOf(mix).length },
    pagesTurned(ready.servicesListed),
    limits,
    staticAccounts(accounts),
  )
  const requestsMax = Math.min(
    countsRequests(run, target) ? run.requestsMax : Infinity,
    requestsWithinPurchases(parts, purchases) ?? Infinity,
  )
  const plan = planCapacity({ ...requested, ...(requestsMax < Infinity && { requestsMax }) }, cost)
  return { plan, parts }
}

/** Roles of a target file that stand for an account each. */
function staticAccounts(accounts: AccountSource): number | undefined {
  if (accounts.make) return undefined
  return (['full', 'stranger'] as const).filter((role) => accounts.roles.includes(role)).length
}

/** Whatever ends the search early leaves the steps that were carried out. */
async function search(
  { options, progress, interruption, runState }: Run,
  prepared: Pick<K6Steps, 'plan' | 'parts' | 'context' | 'scenario'>,
  requireThere: () => Promise<void>,
): Promise<void> {
  const { signal } = interruption
  const k6 = await k6Of({ progress, interruption, runState })
  await using runDirectory = await openTemporaryFolder()
  const { path: runDir } = runDirectory
  const { plan } = prepared
  const steps: CapacityStep[] = []
  let accounts = 0
  const runner = k6Runner({
    ...prepared,
    k6: {
      k6,
      reached: prepared.context.target,
      runDir,
      runId: runState.runId,
      clock: new RealClock(),
      signal,
      isPriceBound:
        permissionOf(prepared.context.target, options.run).purchases?.spendMax !== undefined,
    },
    onOrders: (orders) => runState.boughtByLoad(prepared.scenario, orders),
    onOvercharge: (...told) => runState.overcharged(prepared.scenario, ...told),
    onProgress: (text) => progress.status(text),
    onBroken: (result) => void runState.load.push(result),
    onAccounts: (count) => {
      accounts = plan.cost.accounts ?? accounts + count
    },
  })
  const keep = (end: Parameters<typeof capacityOf>[0]['end']): void => {
    const capacity = capacityOf({ plan, steps, end, accounts })
    runState.search = { capacity, searchOutcome: outcomeOfCapacity(capacity) }
  }
  // Stands in the record if a step throws.
  keep(BEGUN)
  try {
    const bounds = generatorBounds(plan.goals, options.busyShareMax)
    const limitMs = Math.min(...plan.goals.latencies.map((goal) => goal.limitMs))
    const rested: StepRunner = async (step, number) => {
      if (steps.at(-1)?.verdict === 'bad' && !signal.aborted) await rest(requireThere, limitMs)
      return runner(step, number)
    }
    const end = await keepingK6Log(runState, runDir, () =>
      conductSearch(plan, bounds, told(rested, steps, progress), steps),
    )
    keep(end)
  } catch (cause) {
    keep(BEGUN)
    throw cause
  }
}

const RESTS_MAX = 20
const REST_MS = 500

/**
 * After a step beyond its capacity a service may still work on what nobody waits for any more: the next one begins when it answers as
 * fast as it has to, or has had its time. Throws E_ENVIRONMENT_* where it is gone.
 */
async function rest(requireThere: () => Promise<void>, limitMs: number): Promise<void> {
  const clock = new RealClock()
  for (let count = 0; count < RESTS_MAX; count++) {
    const startedMs = clock.nowMs()
    await requireThere()
    if (clock.nowMs() - startedMs <= limitMs) return
    await clock.sleep(REST_MS)
  }
}

const BEGUN = { ending: 'inconclusive', stoppedBy: 'interruption' } as const

/** Says what came of the last step before the next one begins. */
function told(
  runner: StepRunner,
  steps: readonly CapacityStep[],
  progress: ProgressLine,
): StepRunner {
  return (step, number) => {
    const last = steps.at(-1)
    if (last) progress.phase(`${last.verdict}: ${last.reason}`)
    progress.phase(
      `step ${number}, ${step.purpose}: ${step.ratePerSecond} requests per second for ${step.seconds} s`,
    )
    return runner(step, number)
  }
}
