import os from 'node:os'
import path from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Role } from '../../contract/capabilities.ts'
import type { AccountSource, Keyring } from '../accounts/accounts.ts'
import { RealClock } from '../clock.ts'
import { findK6 } from '../load/k6-binary.ts'
import { planLoad } from '../load/plan.ts'
import { runLoad, type LoadStream } from '../load/run-load.ts'
import { HarnessError } from '../errors.ts'
import { isLoopback, permissionOf } from './permission.ts'
import type { Target } from '../target/target.ts'
import type { Gathered } from './gathered.ts'
import type { Interruption } from './interruption.ts'
import type { RunOptions } from './options.ts'
import type { Preflight } from './preflight.ts'
import type { ProgressLine } from './progress.ts'
import type { Selection } from './selection.ts'

type LoadRun = {
  readonly options: RunOptions
  readonly selection: Selection
  readonly progress: ProgressLine
  readonly interruption: Interruption
  readonly gathered: Gathered
}

/** What is offered against which counter: endpoint, query, and the keys that share it. */
type StreamPlan = {
  readonly name: string
  readonly bucket: Bucket
  readonly operation: OperationName
  readonly query: string
  readonly roles: readonly Role[]
}

/** A reference that no order has: reading it spends the filtered window and needs no purchase. */
const NO_ORDER = 'referenceId=harness-load-no-such-order'

const STREAMS: readonly StreamPlan[] = [
  {
    name: 'services',
    bucket: 'default',
    operation: 'listServices',
    query: 'limit=1',
    roles: ['full', 'sibling'],
  },
  {
    name: 'orders-filtered',
    bucket: 'orders.filtered',
    operation: 'getOrders',
    query: NO_ORDER,
    roles: ['full', 'sibling'],
  },
  {
    name: 'orders-listing',
    bucket: 'orders.list',
    operation: 'getOrders',
    query: '',
    roles: ['full', 'sibling'],
  },
  {
    name: 'services-of-another-account',
    bucket: 'default',
    operation: 'listServices',
    query: 'limit=1',
    roles: ['stranger'],
  },
]

/**
 * What the selected scenarios will send; undefined when there are none or load is not permitted. Throws E_PERMISSION where they
 * would send too much: before anything is bought.
 */
export async function prepareLoad(
  { options, selection, gathered }: Pick<LoadRun, 'options' | 'selection' | 'gathered'>,
  target: Target,
  accounts: AccountSource,
  ready: Preflight,
): Promise<readonly LoadStream[] | undefined> {
  if (selection.scenarios.length === 0) return undefined
  if (!permissionOf(target, options).load) {
    gathered.loadRefused = 'load on this target needs --allow-load'
    gathered.hazards.push(`Load scenarios did not run: ${gathered.loadRefused}.`)
    return undefined
  }
  const streams = await streamsOf(target, accounts, ready)
  requireWithinRequests({ options, selection }, target, streams)
  return streams
}

/** Runs the selected load scenarios with k6 and keeps what they measured. */
export async function loadPhase(
  { selection, progress, interruption, gathered }: LoadRun,
  target: Target,
  streams: readonly LoadStream[],
): Promise<void> {
  const k6 = await findK6({
    env: process.env,
    onProgress: (text) => progress.status(text),
    signal: interruption.signal,
  })
  gathered.k6 = { version: k6.version, source: k6.source }
  progress.phase(`runs ${selection.scenarios.join(', ')} with k6 ${k6.version} (${k6.source})`)
  const runDir = await mkdtemp(path.join(os.tmpdir(), 'ordering-harness-'))
  try {
    const results = await runLoad({
      target,
      streams,
      k6,
      runDir,
      clock: new RealClock(),
      signal: interruption.signal,
      onProgress: (text) => progress.status(text),
      scenarios: [...selection.scenarios],
    })
    gathered.load.push(...results)
  } finally {
    await rm(runDir, { recursive: true, force: true })
  }
}

/** Anywhere but on loopback the load stays under the permitted number of requests. */
function requireWithinRequests(
  { options, selection }: Pick<LoadRun, 'options' | 'selection'>,
  target: Target,
  streams: readonly LoadStream[],
): void {
  const planned = selection.scenarios.map((name) => planLoad(name, target, streams).requestsMax)
  const total = planned.reduce((sum, each) => sum + each, 0)
  if (isLoopback(target.baseUrl) || total <= options.requestsMax) return
  throw new HarnessError(
    'E_PERMISSION',
    `the load scenarios may send ${total} requests, ${options.requestsMax} are permitted`,
    `Raise --max-requests to ${total}, choose fewer scenarios with --scenario, or leave the load out with --no-load.`,
  )
}

async function streamsOf(
  target: Target,
  accounts: AccountSource,
  { limits }: Preflight,
): Promise<LoadStream[]> {
  const roles = (['full', 'sibling', 'stranger'] as const).filter((role) =>
    accounts.roles.includes(role),
  )
  const keyring = await accounts.open({ roles })
  return STREAMS.flatMap((plan) => streamOf(plan, target, keyring, limits) ?? [])
}

function streamOf(
  plan: StreamPlan,
  target: Target,
  keyring: Keyring,
  limits: Preflight['limits'],
): LoadStream | undefined {
  const operation = target.operations[plan.operation]
  const keys = plan.roles.filter((role) => keyring.has(role)).map((role) => keyring.key(role))
  const [first] = keys
  if (operation.path === undefined || !first) return undefined
  const partition = `account ${first.account}${plan.bucket === 'default' ? ` ${plan.operation}` : ''}`
  return {
    name: plan.name,
    bucket: plan.bucket,
    partition,
    limit: limits[plan.bucket],
    method: operation.method,
    path: operation.path + (plan.query === '' ? '' : `?${plan.query}`),
    keys,
  }
}
