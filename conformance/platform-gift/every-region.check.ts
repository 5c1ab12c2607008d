import { sentBody } from '../../harness/client/sent-body.ts'
import { type Exchange, isObject, show, showRequest } from '../engine/kit.ts'
import { giftSnapshotIn } from '../steps/order-results.ts'
import { everySeen, onceFor, ordersSeen, purchasesSeen } from '../steps/orders-seen.ts'
import { valuesOf } from '../steps/platform-gift-body.ts'

/** A snapshot that shows a region, beside the one that its order asked for and those of all gifts. */
type Shown = {
  readonly exchange: Exchange
  readonly shown: unknown
  readonly asked: unknown
  readonly known: ReadonlySet<unknown>
}

const shownIn = onceFor((history): readonly Shown[] => {
  const asked = new Map<unknown, unknown>()
  for (const { exchange, kind, value } of purchasesSeen(history)) {
    const [region] = valuesOf(sentBody(exchange), 'recipient_region')
    const isFirst = !asked.has(value['orderId'])
    if (kind === 'platform-gift' && region !== undefined && isFirst)
      asked.set(value['orderId'], region)
  }
  const known = new Set(asked.values())
  if (known.size < 2) return []
  return ordersSeen(history).flatMap(({ exchange, value }) => {
    const snapshot = giftSnapshotIn(value['result'])
    const shown = isObject(snapshot) ? snapshot['recipientRegion'] : undefined
    const own = asked.get(value['orderId'])
    return typeof shown === 'string' && own !== undefined
      ? [{ exchange, shown, asked: own, known }]
      : []
  })
})

/** Regions may be named in other words than a gift order names them: only the very name of another gift's region is wrong. */
export const everyRegion = everySeen<Shown>({
  id: 'platform-gift.every-region',
  title: 'no snapshot shows the region for which another gift was ordered',
  requirement: 'SNAP-06',
  statement: 'the recipientRegion of a snapshot is not that of another gift',
  subjects: ({ history }) => shownIn(history),
  nothing: 'no gifts for two regions were seen with a recipientRegion',
  isOptional: true,
  breach: ({ exchange, shown, asked, known }) =>
    shown !== asked && known.has(shown)
      ? `${show(shown)} in ${showRequest(exchange)}, for a gift that was ordered for ${show(asked)}`
      : undefined,
})
