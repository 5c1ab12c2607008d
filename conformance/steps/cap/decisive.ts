/** Whether the cap answered a purchase, or a window that was in its way. */
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import type { Exchange } from '../../engine/kit.ts'
import { inconclusive, isAccepted } from '../../engine/kit.ts'
import type { Buyer } from '../buyer.ts'

const DECISIVE_ATTEMPTS_MAX = 3

/** The longest window that the interface names. */
const WINDOW_WAIT_SECONDS_MAX = 60

export type Decided = { readonly refused: Exchange; readonly controls: readonly Exchange[] }

/** A 429 that a fitting purchase follows may be one that the shop service relays: it must come again. */
const DECISIVE = 2

/** An answer of the cap to a purchase, told from one of a window by a purchase that fits right after it. */
export async function decisively(
  buyer: Buyer,
  purchase: () => Promise<Exchange>,
  {
    needRoom,
    fitting: buyFitting = () => buyer.send(1, buyer.context.reference(), { throttled: 'return' }),
  }: {
    /** Insists that another purchase fits. */
    readonly needRoom?: () => void
    readonly fitting?: (() => Promise<Exchange>) | undefined
  } = {},
): Promise<Decided> {
  const { context } = buyer
  const controls: Exchange[] = []
  for (let attempt = 1; attempt <= DECISIVE_ATTEMPTS_MAX; attempt++) {
    const refused = await purchase()
    if (refused.response?.status !== 429) return { refused, controls: [] }
    needRoom?.()
    const fitting = await buyFitting()
    if (isAccepted(fitting)) controls.push(fitting)
    if (controls.length === DECISIVE) return { refused, controls }
    const told = isAccepted(fitting) ? refused : fitting
    const seconds = Math.min(retryAfterSeconds(told) ?? 1, WINDOW_WAIT_SECONDS_MAX)
    await context.wait('a limit that is in the way', seconds * 1000)
  }
  inconclusive(`a 429 was in the way of ${DECISIVE_ATTEMPTS_MAX} purchases that fit the cap`)
}
