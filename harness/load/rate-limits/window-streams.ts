import type { Role } from '../../../contract/capabilities.ts'
import { CHECK_BUCKET_NAMED, type Bucket, type WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { referenceIdOf } from '../../../contract/reference-id.ts'
import type { AccountSource, Keyring } from '../../accounts/accounts.ts'
import { amountOf, renderOrder } from '../../client/bodies.ts'
import { newReferences } from '../../client/references.ts'
import {
  isAssumed,
  isSameLimit,
  limitOf,
  type EffectiveLimits,
} from '../../quota/effective-limits.ts'
import type { Target } from '../../target-file/target.ts'
import { renderTemplate } from '../../target-file/template.ts'
import { operationPath } from '../shared/operation-url.ts'
import type { LoadStream } from './plan.ts'

/** What is offered against which counter: endpoint, queries in turns, and the keys that share it. */
type StreamPlan = {
  readonly name: string
  readonly bucket: Bucket
  readonly operation: OperationName
  /** Left out: one without parameters. A `referenceId` is the number of one that no order has: that read needs no purchase. */
  readonly queries?: readonly Readonly<Record<string, string>>[]
  /** Left out: full and sibling. */
  readonly roles?: readonly Role[]
}

const STREAMS: readonly StreamPlan[] = [
  {
    name: 'services',
    bucket: 'default',
    operation: 'listServices',
    queries: [{ limit: '1' }],
  },
  {
    name: 'orders-filtered',
    bucket: 'orders.filtered',
    operation: 'getOrders',
    // Whichever orders they ask for, and whether unhide is left out or false: all are counted together.
    queries: [{ referenceId: '1' }, { referenceId: '2' }, { referenceId: '3', unhide: 'false' }],
  },
  {
    name: 'orders-listing',
    bucket: 'orders.list',
    operation: 'getOrders',
  },
  {
    name: 'services-of-another-account',
    bucket: 'default',
    operation: 'listServices',
    queries: [{ limit: '1' }],
    roles: ['stranger'],
  },
  {
    name: 'lookup',
    bucket: 'default',
    operation: 'lookupItems',
    roles: ['full'],
  },
  {
    name: 'checks',
    bucket: 'orders.check',
    operation: 'createOrder',
  },
  {
    name: 'checks-of-another-account',
    bucket: 'orders.check',
    operation: 'createOrder',
    roles: ['stranger'],
  },
]

/** What the scenario of windows offers, as far as there are keys for it and the target file tells how. */
export async function streamsOf(
  target: Target,
  accounts: AccountSource,
  { limits }: { readonly limits: EffectiveLimits },
): Promise<LoadStream[]> {
  const roles = (['full', 'sibling', 'stranger'] as const).filter((role) =>
    accounts.roles.includes(role),
  )
  const keyring = await accounts.open({ roles })
  const streams = STREAMS.flatMap((plan) => streamOf(plan, keyring, { target, limits }) ?? [])
  return accounts.fresh ? streams : streams.map((stream) => ({ ...stream, isShared: true }))
}

function streamOf(
  plan: StreamPlan,
  keyring: Keyring,
  { target, limits }: { readonly target: Target; readonly limits: EffectiveLimits },
): LoadStream | undefined {
  const operation = target.operations[plan.operation]
  const { queries = [{}], roles = ['full', 'sibling'] } = plan
  const keys = roles.filter((role) => keyring.has(role)).map((role) => keyring.key(role))
  const [first] = keys
  const variables = target.products.voucher?.variables ?? {}
  const body = operation.method === 'POST' ? bodyOf(plan.operation, target) : undefined
  const limit = limitOf(limits, plan.bucket, plan.operation)
  // What is assumed is never judged, and a window that may be any size is not put under load.
  if (operation.path === undefined || !first || isAssumed(limit)) return undefined
  // Whether checks count for POST /orders as well is not shown: its windows must not get in between.
  if (
    plan.bucket === 'orders.check' &&
    !isWithin(limits['orders.check'], limitOf(limits, 'default', 'createOrder'))
  )
    return undefined
  if (operation.method === 'POST' && body === undefined) return undefined
  // Without a rule of its own the listing may be counted with all other reads of orders (GET /orders, rule 1).
  if (plan.bucket === 'orders.list' && isSameLimit(limits['orders.list'], limits.default))
    return undefined
  const references = newReferences(target.referenceForm)
  const paths = queries.map(({ referenceId: number, ...others }) => {
    const query =
      number === undefined
        ? others
        : { ...others, referenceId: referenceIdOf(references, 0, Number(number)) }
    return operationPath(target, plan.operation, { variables, query }) ?? ''
  })
  return {
    name: plan.name,
    bucket: plan.bucket,
    partition: `account ${first.account}${plan.bucket === 'default' ? ` ${plan.operation}` : ''}`,
    limit,
    method: operation.method,
    path: paths[0] ?? '',
    ...(paths.length > 1 && { paths }),
    ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
    ...(plan.bucket === 'orders.check' && { refusalNames: CHECK_BUCKET_NAMED.source }),
    keys,
  }
}

/** A body that buys nothing; undefined where the target file tells none. */
function bodyOf(operation: OperationName, target: Target): string | undefined {
  if (operation === 'lookupItems') {
    const { body } = target.operations.lookupItems
    const { voucher } = target.products
    return body === undefined || !voucher
      ? undefined
      : JSON.stringify(renderTemplate(body, voucher.variables))
  }
  const { dtu } = target.products
  const isChecked = target.capabilities.includes('dtu-check') && dtu !== undefined
  if (!isChecked || target.operations.createOrder.bodies['dtu-check'] === undefined)
    return undefined
  const amount = amountOf(target, 'dtu')
  const order = {
    product: 'dtu',
    referenceId: referenceIdOf(newReferences(target.referenceForm), 0, 1),
    ...amount,
  } as const
  return JSON.stringify(renderOrder(target, order, 'dtu-check'))
}

/** Windows of the same length, and a budget that is spent before the wider one. */
function isWithin(limit: WindowLimit, wider: WindowLimit): boolean {
  return limit.windowSeconds === wider.windowSeconds && limit.count < wider.count
}
