import { type CheckContext, isObject, isOffered } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, dataOf } from './orders.ts'

/** Whether answers to purchases show no result at all, or null (OPEN-75): then the new state is all that a replay can show. */
export async function answersHaveNoResult(context: CheckContext): Promise<boolean> {
  if (!isOffered(context.target, BUYS_VOUCHERS)) return true
  const { exchange } = await buy(context)
  const isAbsent = (dataOf(exchange)['result'] ?? undefined) === undefined
  context.observe('OPEN-75', `a voucher's first answer has ${isAbsent ? 'no' : 'a'} result`, [
    exchange,
  ])
  return isAbsent
}

/** The snapshot in the result of a gift order; undefined where it has none. */
export function giftSnapshotIn(result: unknown): unknown {
  return isObject(result) ? (result['platformGift'] ?? undefined) : undefined
}
