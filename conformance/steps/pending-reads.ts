import type { CheckContext } from '../engine/kit.ts'
import { itemsOf } from './orders.ts'
import { reveal, type Revealed } from './reading.ts'
import { look } from './states.ts'

/** Apart by more than a service takes between the last that an order shows and its state. */
const APART_MS = 500

export type PendingReads = {
  readonly pending: readonly Revealed[]
  /** A read in clear that found the order ended: another one may be refused in its window. */
  readonly ended?: Revealed
}

/** Reads an order twice with unhide=true while it is pending; fewer where it ends before. */
export async function readTwicePending(
  context: CheckContext,
  orderId: string,
): Promise<PendingReads> {
  const pending: Revealed[] = []
  for (const waitMs of [0, APART_MS]) {
    await context.wait('what an order shows just before its state changes', waitMs)
    // A look first: once the order has ended, it is shown in clear once in a window.
    const { item } = await look(context, { orderId }, orderId)
    if (item?.['status'] !== 'IN_PROGRESS') break
    const revealed = await reveal(context, orderId)
    if (statusOf(revealed) !== 'IN_PROGRESS') return { pending, ended: revealed }
    pending.push(revealed)
  }
  return { pending }
}

export function statusOf({ exchange }: Revealed): unknown {
  return itemsOf(exchange)?.[0]?.['status']
}

/** In how many of the reads what is asked for shows. */
export function showShare(found: readonly Revealed[], { pending }: PendingReads): string {
  return `in ${found.length} of ${pending.length} reads, ${APART_MS} ms apart`
}
