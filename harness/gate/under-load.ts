/** The checks beside traffic of other accounts (--under-load). */
import type { AccountSource } from '../accounts/accounts.ts'
import { RealClock } from '../clock.ts'
import { HarnessError, usageError } from '../errors.ts'
import {
  setAsideFor,
  sumOfBudgets,
  whyNotPermitted,
  type LoadBudget,
} from '../load/shared/budget.ts'
import { k6Of } from './found-k6.ts'
import { openTemporaryFolder } from '../temporary-folder.ts'
import { sessionOrders, underWayMax } from '../load/load-orders.ts'
import { UNDER_LOAD } from '../load/shared/scenarios.ts'
import { draftUnderLoad, type UnderLoadDraft } from '../load/under-load/plan.ts'
import { brokenOff, underLoadOf, type ChecksTraffic } from '../load/under-load/result.ts'
import { startBackground } from '../load/under-load/run.ts'
import type { Requests, Stretch } from '../load/under-load/traffic.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import type { Target } from '../target-file/target.ts'
import type { RunState } from './run-state.ts'
import type { Interruption } from './interruption.ts'
import { keepingK6Log } from './k6-log.ts'
import type { RunOptions } from './options.ts'
import { countsRequests } from '../plan/bounds.ts'
import { permissionOf } from './permission.ts'
import { confirmAtRest, restOf } from './rest-prices.ts'
import type { Introducing } from './introduce.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import type { Preflight } from './preflight.ts'
import type { ProgressLine } from './progress.ts'

export type UnderLoadRun = {
  readonly options: RunOptions
  readonly progress: ProgressLine
  readonly interruption: Interruption
  readonly runState: RunState
}

type On = {
  readonly target: Target
  readonly accounts: AccountSource
  readonly ready: Pick<Preflight, 'limits'>
}

/** Checks that wait for the target, and a slower target, take longer than planned: the load must not end before them. */
const LONGER = { factor: 1.5, seconds: 60 } as const

/**
 * What --under-load asks for on this target, if it does. `checkSeconds`: most that the checks take by their plan. `beside`: the load
 * scenarios of the run. Throws E_USAGE or E_PERMISSION where it cannot be: nothing but the preflight has been sent then.
 */
export function requireUnderLoad(
  options: RunOptions,
  { target, accounts, ready }: On,
  checkSeconds: number,
  beside: readonly LoadBudget[],
): UnderLoadDraft | undefined {
  const { underLoad: choice } = options
  if (!choice) return undefined
  const permission = permissionOf(target, options)
  if (!permission.load)
    throw refused('load on this target is not permitted', 'Add --allow-load and --max-requests N.')
  if (checkSeconds <= 0)
    throw usageError(
      '--under-load was given, and no check that could run beside it was selected',
      'Select checks, or run load alone with npm run load.',
    )
  const seconds = Math.ceil(LONGER.factor * checkSeconds + LONGER.seconds)
  const draft = draftUnderLoad(choice, { target, limits: ready.limits, accounts }, seconds)
  if ('lacks' in draft)
    throw usageError(
      `--under-load ${choice.name} cannot be carried out: ${draft.lacks}`,
      'Give the target file what is missing, or choose another workload.',
    )
  const why = whyNotPermitted(draft.budget, permission.purchases)
  if (why !== undefined)
    throw refused(
      `${draft.workload} cannot run beside the checks: ${why}`,
      'Raise what the message names, ask for a lower rate, or use --under-load browse, which buys nothing.',
    )
  requireWithinRequests(options, target, draft, beside)
  return draft
}

/** The background sends its requests besides those of the load scenarios. */
function requireWithinRequests(
  options: RunOptions,
  target: Target,
  { workload, budget }: UnderLoadDraft,
  beside: readonly LoadBudget[],
): void {
  const { requestsMax } = sumOfBudgets([...beside, budget])
  if (!countsRequests(options, target) || requestsMax <= options.requestsMax) return
  throw refused(
    `${workload} and the load scenarios may send ${requestsMax} requests, ${options.requestsMax} are permitted`,
    `Raise --max-requests to ${requestsMax}, or ask for a lower rate.`,
  )
}

function refused(message: string, nextStep: string): HarnessError {
  return new HarnessError('E_PERMISSION', message, nextStep)
}

/**
 * What the checks may buy: what the background may buy at most belongs to it alone. Where a sum is permitted, one of each product of
 * the background is bought alone first. Throws E_PRICE where its price is not confirmed by that, or is too high.
 */
export async function permissionBeside(
  { options, runState }: Pick<UnderLoadRun, 'options' | 'runState'>,
  draft: UnderLoadDraft,
  probing: Introducing,
  prices: readonly CatalogPrice[],
): Promise<PurchasePermission | undefined> {
  const permission = permissionOf(probing.target, options)
  const { purchases } = permission
  const { budget, buys, workload } = draft
  if (!purchases || budget.ordersMax === 0) return purchases
  const { money } = budget
  const reserved = {
    orders: budget.ordersMax,
    money: new Map(money ? [[money.currency, setAsideFor(budget)]] : []),
  }
  if (!purchases.spendMax) return restOf(purchases, reserved)
  const { purchased, unconfirmed } = await confirmAtRest(probing, buys, purchases, prices)
  runState.bought(purchased, permission)
  const [open] = unconfirmed
  const left = restOf(purchases, purchased)
  const why = open
    ? `the price of the product ${open[0]} is not confirmed: ${open[1]}`
    : whyNotPermitted(budget, left)
  if (why === undefined) return restOf(left, reserved)
  throw new HarnessError(
    'E_PRICE',
    `${workload} cannot run beside the checks: ${why}`,
    'Correct the price in the target file or raise --max-spend; or use --under-load browse, which buys nothing.',
  )
}

/** Carries the checks out beside the background: it begins before the first of them, and is stopped after the last. */
export async function underLoad(
  { options, progress, interruption, runState }: UnderLoadRun,
  { target, accounts, ready }: On,
  draft: UnderLoadDraft,
  checks: () => Promise<Requests | undefined>,
): Promise<void> {
  const k6 = await k6Of({ progress, interruption, runState })
  const { workload, ratePerSecond, accounts: count } = draft
  progress.phase(
    `puts the load of ${workload} by ${count} other ${count === 1 ? 'account' : 'accounts'} on the target, with k6 ${k6.version}`,
  )
  await using runDirectory = await openTemporaryFolder()
  let isOn = false
  const carriedOut = keepingK6Log(runState, runDirectory.path, async () => {
    const plan = await draft.plan()
    const context = { target, limits: ready.limits, accounts }
    const background = await startBackground(plan, context, {
      k6,
      reached: target,
      runDir: runDirectory.path,
      runId: runState.runId,
      isPriceBound: permissionOf(target, options).purchases?.spendMax !== undefined,
      clock: new RealClock(),
      signal: interruption.signal,
      // The checks tell theirs.
      onProgress: () => undefined,
    })
    isOn = true
    const ranThen = { fromMs: Date.now(), toMs: Infinity }
    const over = (): void => void (ranThen.toMs = Math.min(ranThen.toMs, Date.now()))
    interruption.signal.addEventListener('abort', over, { once: true })
    const requests = await checks().catch(async (cause: unknown) => {
      await background.stop().catch(() => undefined)
      throw cause
    })
    over()
    const run = await background.stop()
    runState.boughtByLoad(UNDER_LOAD, sessionOrders(plan, run.evidence.sessions))
    if (run.overcharge) runState.overcharged(UNDER_LOAD, run.overcharge, underWayMax(plan))
    const asked = { workload, ratePerSecond }
    const given = { checks: trafficIn(requests, ranThen), target, k6Version: k6.version }
    const { result, underLoad: told } = underLoadOf(plan, run, asked, given)
    runState.underLoad = told
    runState.load.push(result)
  })
  await carriedOut.catch((cause: unknown) => {
    const isBrokenOff = isOn && cause instanceof HarnessError && cause.code === 'E_K6_FAILED'
    if (!isBrokenOff) throw cause
    runState.load.push(brokenOff(workload, cause.message, k6.version))
  })
}

const NONE: Requests = {
  sentMs: new Float64Array(),
  receivedMs: new Float64Array(),
  statuses: new Uint16Array(),
}

/** From the first request of the checks to their last answer. Where they were ended before they told what they sent: while they ran. */
function trafficIn(requests: Requests | undefined, ranThen: Stretch): ChecksTraffic {
  if (!requests || requests.sentMs.length === 0) return { requests: NONE, stretch: ranThen }
  const { sentMs, receivedMs } = requests
  const fromMs = sentMs.reduce((least, ms) => Math.min(least, ms), Infinity)
  const toMs = receivedMs.reduce((most, ms) => Math.max(most, ms), fromMs)
  return { requests, stretch: { fromMs, toMs } }
}
