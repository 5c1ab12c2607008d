import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, inapplicable, isObject, show, untested } from '../engine/kit.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { giftSnapshotIn } from '../steps/order-results.ts'
import { dataOf, itemsOf, pollToEnd, type Bought, type OrderItem } from '../steps/orders.ts'
import { buyGift, BUYS_GIFTS, sendGift } from '../steps/platform-gift.ts'

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

export const giftSnapshot = check({
  id: 'platform-gift.snapshot',
  title: 'the snapshot of a gift order has the declared fields, each of its type',
  requirements: ['SNAP-01', ...FIELDS.map(({ requirement }) => requirement), 'SNAP-13'],
  needs: { ...BUYS_GIFTS, purchases: 1, waits: [{ orders: 1, product: 'platform-gift' }] },
  run: async (context) => {
    const { expect } = context
    const bought = await buyGift(context)
    const readings = await pollToEnd(context, 'platform-gift', { orderId: bought.orderId })
    const replayed = await sendGift(context, bought.order)
    const shown = [
      { exchange: bought.exchange, order: dataOf(bought.exchange) },
      ...readings.map(({ exchange, item }) => ({ exchange, order: item })),
      { exchange: replayed, order: dataOf(replayed) },
      ...(await otherReadings(context, bought)),
    ].flatMap(({ exchange, order }) => snapshotIn(exchange, order['result']))
    if (shown.length === 0)
      inapplicable('no answer about the gift order has result.platformGift, which is optional')
    const odd = shown.find(({ value }) => !isObject(value))
    expect('SNAP-01').that(`platformGift in ${shown.length} answers`, {
      holds: odd === undefined,
      expected: 'an object',
      observed: odd ? show(odd.value) : 'an object in each',
      exchanges: (odd ? [odd] : shown).map(({ exchange }) => exchange),
    })
    const snapshots = shown.flatMap(({ value, exchange }) =>
      isObject(value) ? [{ value, exchange }] : [],
    )
    if (snapshots.length === 0) untested('there is no snapshot to look at')
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
  },
})

/** The same order by its reference, and where nobody else lists, in the listing. */
async function otherReadings(
  { api, isFresh }: CheckContext,
  { orderId, referenceId }: Bought,
): Promise<readonly { readonly exchange: Exchange; readonly order: OrderItem }[]> {
  const full = api.as('full')
  const read = [await full.getOrders({ referenceId })]
  if (isFresh) read.push(await full.getOrders())
  return read.flatMap((exchange) =>
    (itemsOf(exchange) ?? [])
      .filter((order) => order['orderId'] === orderId)
      .map((order) => ({ exchange, order })),
  )
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

function snapshotIn(
  exchange: Exchange,
  result: unknown,
): readonly { readonly exchange: Exchange; readonly value: unknown }[] {
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
