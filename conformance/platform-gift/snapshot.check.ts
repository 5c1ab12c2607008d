import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, inconclusive, isObject, show, untested } from '../engine/kit.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { giftSnapshotIn } from '../steps/order-results.ts'
import { dataOf, itemsOf, type Bought, type OrderItem } from '../steps/orders.ts'
import { buyGift, BUYS_GIFTS, sendGift } from '../steps/platform-gift.ts'
import { isFinished, pollEach, type Reading } from '../steps/states.ts'

type Snapshot = Readonly<Record<string, unknown>>

type Field = {
  readonly name: string
  readonly requirement: RequirementId
  readonly expected: string
  /** Beyond the type that the schema gives it. */
  readonly isBroken?: (value: unknown) => boolean
}

const GIFT_STATES: readonly unknown[] = ['pending', 'accepted', 'declined']
const TEXT = 'a text, or left out'
const FLAG = 'true or false, or left out'

const FIELDS: readonly Field[] = [
  { name: 'deliveryState', requirement: 'SNAP-02', expected: TEXT },
  {
    name: 'giftState',
    requirement: 'SNAP-03',
    expected: 'pending, accepted or declined, or not known',
    isBroken: (value) => !GIFT_STATES.includes(value),
  },
  { name: 'editionName', requirement: 'SNAP-04', expected: TEXT },
  { name: 'productName', requirement: 'SNAP-05', expected: TEXT },
  { name: 'recipientRegion', requirement: 'SNAP-06', expected: TEXT },
  {
    name: 'errorCode',
    requirement: 'SNAP-07',
    expected: 'a public code, or left out',
    isBroken: (value) => typeof value === 'string' && looksLikeBody(value),
  },
  { name: 'requiresCustomerAction', requirement: 'SNAP-08', expected: FLAG },
  { name: 'resolutionRequired', requirement: 'SNAP-09', expected: 'true or false' },
  { name: 'retryable', requirement: 'SNAP-11', expected: FLAG },
  { name: 'updatedAt', requirement: 'SNAP-12', expected: 'an ISO 8601 date and time, or left out' },
]

/** A document or several lines, where a code is meant. */
function looksLikeBody(text: string): boolean {
  return /^\s*[<{[]|[\r\n]/.test(text)
}

const OF_SNAPSHOTS: readonly RequirementId[] = [
  'SNAP-01',
  ...FIELDS.map(({ requirement }) => requirement),
  'SNAP-13',
]

export const giftSnapshot = check({
  id: 'platform-gift.snapshot',
  formerIds: ['platform-gift.polling'],
  title:
    'a gift order is polled by orderId or by referenceId, and its snapshot has the declared fields, each of its type',
  requirements: ['EVT-02', ...OF_SNAPSHOTS],
  needs: { ...BUYS_GIFTS, purchases: 1, waits: [{ orders: 1, product: 'platform-gift' }] },
  run: async (context) => {
    const bought = await buyGift(context)
    const { orderId, referenceId } = bought
    const queries = [{ orderId }, { referenceId }]
    const rounds = await pollEach(context, 'platform-gift', orderId, queries)
    const replayed = await sendGift(context, bought.order)
    judgeSnapshots(
      context,
      [
        { exchange: bought.exchange, order: dataOf(bought.exchange) },
        ...rounds.flat().map(({ exchange, item = {} }) => ({ exchange, order: item })),
        { exchange: replayed, order: dataOf(replayed) },
        ...(await listed(context, bought)),
      ].flatMap(({ exchange, order }) => snapshotIn(exchange, order['result'])),
    )
    judgePolling(context, bought.exchange, rounds)
  },
})

type Shown = { readonly exchange: Exchange; readonly value: unknown }

function judgeSnapshots({ expect, leaveUndecided }: CheckContext, shown: readonly Shown[]): void {
  const odd = shown.find(({ value }) => !isObject(value))
  const snapshots = shown.flatMap(({ value, exchange }) =>
    isObject(value) ? [{ value, exchange }] : [],
  )
  if (shown.length > 0)
    expect('SNAP-01').that(`platformGift in ${shown.length} answers`, {
      holds: odd === undefined,
      expected: 'an object',
      observed: odd ? show(odd.value) : 'an object in each',
      exchanges: (odd ? [odd] : shown).map(({ exchange }) => exchange),
    })
  if (snapshots.length === 0) {
    const none = 'no answer about the gift order has result.platformGift, which is optional'
    const verdict = shown.length === 0 ? 'inapplicable' : 'untested'
    for (const each of OF_SNAPSHOTS)
      leaveUndecided(each, odd ? 'there is no snapshot to look at' : none, verdict)
    return
  }
  for (const field of FIELDS) {
    const broken = snapshots.find(({ value }) => isBreach(field, value))
    expect(field.requirement).that(`${field.name} in ${snapshots.length} snapshots`, {
      holds: broken === undefined,
      expected: field.expected,
      observed: show((broken ?? snapshots[0])?.value[field.name]),
      exchanges: (broken ? [broken] : snapshots).map(({ exchange }) => exchange),
    })
  }
  const telling = snapshots.map((each) => ({ ...each, names: unsafeNamesIn(each.value) }))
  const unsafe = telling.find(({ names }) => names.length > 0)
  expect('SNAP-13').that(`the fields of ${snapshots.length} snapshots are safe ones`, {
    holds: unsafe === undefined,
    expected: 'no field named for a credential, a transaction of the platform or a raw error',
    observed: unsafe ? show(unsafe.names) : 'none in any',
    exchanges: (unsafe ? [unsafe] : snapshots).map(({ exchange }) => exchange),
  })
}

/** The same order in the listing, where nobody else lists. */
async function listed(
  { api, isFresh }: CheckContext,
  { orderId }: Bought,
): Promise<readonly { readonly exchange: Exchange; readonly order: OrderItem }[]> {
  if (!isFresh) return []
  const exchange = await api.as('full').getOrders()
  return (itemsOf(exchange) ?? [])
    .filter((order) => order['orderId'] === orderId)
    .map((order) => ({ exchange, order }))
}

/** What must not be told is known by its name alone: its values are not known to a client. */
const UNSAFE_NAME =
  /password|credential|secret|cookie|(?:transaction|txn|tx)_?id$|^raw_?(?:error|body|response)|stack_?trace|^bot.*(?:key|login|session|token)/i

/** A longer name tells no more. */
const NAME_LENGTH_MAX = 200

function unsafeNamesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    ...(UNSAFE_NAME.test(name.slice(0, NAME_LENGTH_MAX)) && child !== null ? [name] : []),
    ...unsafeNamesIn(child),
  ])
}

function snapshotIn(exchange: Exchange, result: unknown): readonly Shown[] {
  const value = giftSnapshotIn(result)
  return value === undefined ? [] : [{ exchange, value }]
}

/** Whether null stands for a value that is not known is not shown, so where the schema lets it pass it does. */
function isBreach({ name, isBroken }: Field, snapshot: Snapshot): boolean {
  const violations = validateMessage('platform-gift-snapshot', snapshot)
  if (violations.some(({ pointer }) => pointer === `/${name}`)) return true
  const value = snapshot[name] ?? undefined
  return value !== undefined && isBroken?.(value) === true
}

/** Readings in turn by both filters. */
function judgePolling(
  context: CheckContext,
  exchange: Exchange,
  rounds: readonly (readonly Reading[])[],
): void {
  const readings = rounds.flat()
  const statuses = readings.map(statusOf)
  const missing = readings.filter(({ item }) => item === undefined)
  if (missing.length === readings.length)
    untested('the gift order is found by neither, which GIFT-17 decides')
  if (missing.length === 0 && !readings.some(isFinished))
    inconclusive(`the gift order did not finish: ${show(statuses)}`)
  for (const series of [0, 1]) {
    const own = rounds.flatMap((round) => round.slice(series, series + 1))
    if (own.some(isFinished) && !neverTurnsBack(own.map(statusOf)))
      untested(`the finished order turned back, which STATE-03 decides: ${show(statuses)}`)
  }
  context.expect('EVT-02').that('readings in turn by orderId and by referenceId agree', {
    holds: missing.length === 0 && neverTurnsBack(statuses),
    expected: 'every reading finds the order, and once one shows it finished, all later ones do',
    observed: show(statuses),
    exchanges: [exchange, ...(rounds.at(-1) ?? []).map((reading) => reading.exchange)],
  })
}

function statusOf({ item }: Reading): unknown {
  return item?.['status'] ?? 'not found'
}

/** Pending for a while, then one terminal status: between two readings the order may have gone on, never back. */
function neverTurnsBack(statuses: readonly unknown[]): boolean {
  const first = statuses.findIndex((status) => status !== 'IN_PROGRESS')
  return first !== -1 && statuses.slice(first).every((status) => status === statuses[first])
}
