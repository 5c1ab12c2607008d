import type { Exchange } from '../../../harness/client/exchange.ts'
import type { Wait } from '../../../harness/plan/waits.ts'
import type { Trial } from './race.ts'
import { makeRoom, trialOf } from './burst.ts'
import type { Buyer } from '../buyer.ts'

/** First-time duplicates of one purchase that are released together. */
export const COPIES = 10

/** Copies of one purchase that were released together, and whether they arrived so. */
export type Burst = Trial & {
  readonly referenceId: string
  readonly copies: readonly Exchange[]
}

/** Releases copies of purchases together over warm connections. Refusals are returned: contention is what is looked for. */
export async function releaseTogether(
  buyer: Buyer,
  references: number,
  copiesOfEach: number,
): Promise<readonly Burst[]> {
  const { context, role } = buyer
  const options = { throttled: 'return', unpaced: true } as const
  const width = references * copiesOfEach
  await waitForRoom(buyer, width)
  await Promise.all(Array.from({ length: width }, () => context.api.as(role).whoami(options)))
  const released = await Promise.all(
    Array.from({ length: references }, async () => {
      const referenceId = context.reference()
      const send = (): Promise<Exchange> => buyer.send(1, referenceId, options)
      return { referenceId, copies: await Promise.all(Array.from({ length: copiesOfEach }, send)) }
    }),
  )
  return released.map((burst) => ({ ...burst, ...trialOf(burst.copies, buyer.exchanges) }))
}

/** What bursts wait for at most: room for them, for what decides each of their copies and for a last replay; where others spend the window, one to begin with. */
export function burstWaits(
  bursts: number,
  references: number,
  copiesOfEach: number,
): readonly Wait[] {
  const width = references * copiesOfEach
  return [
    { windows: bursts, of: ['default'], below: 4 * width, onlyShared: true },
    { requests: 2 * bursts * (width + references) },
    { seconds: 1.5, reason: 'contention to pass' },
  ]
}

/** A burst goes out whole or it does not race: where the window is narrow and others spend it too, it gets one of its own. */
async function waitForRoom(buyer: Buyer, requests: number): Promise<void> {
  const { isFresh, limit, wait } = buyer.context
  const { count, windowSeconds } = limit('default', 'createOrder')
  if (isFresh) await makeRoom(buyer, Math.min(count, requests))
  else if (count < 4 * requests)
    await wait('a window with room for a burst', windowSeconds * 1000 + 100)
}

/** Repeats copies that were refused with a Retry-After, or whose answer was lost, until each is decided. */
export async function decideAll(
  buyer: Buyer,
  { referenceId, copies }: Burst,
): Promise<readonly Exchange[]> {
  const decided: Exchange[] = []
  for (const { response } of copies) {
    const isOpen = response === undefined || response.status === 429
    if (isOpen) decided.push(await buyer.send(1, referenceId))
  }
  return [...copies, ...decided]
}
