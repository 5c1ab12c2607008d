import type { Role } from '../../contract/capabilities.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Wait } from '../../harness/plan/waits.ts'
import type { CheckContext } from '../check.ts'
import { replay } from './steps.ts'

/** First-time duplicates of one purchase that are released together. */
export const COPIES = 10
export type Burst = {
  readonly referenceId: string
  readonly copies: readonly Exchange[]
}

/** Releases copies of purchases together over warm connections. Refusals are returned: contention is what is looked for. */
export async function releaseTogether(
  context: CheckContext,
  referenceIds: readonly string[],
  copiesOfEach: number,
  role: Role = 'full',
): Promise<readonly Burst[]> {
  const api = context.api.as(role)
  const options = { throttled: 'return', unpaced: true } as const
  const width = referenceIds.length * copiesOfEach
  await waitForRoom(context, width)
  await Promise.all(Array.from({ length: width }, () => api.whoami(options)))
  return Promise.all(
    referenceIds.map(async (referenceId) => ({
      referenceId,
      copies: await Promise.all(
        Array.from({ length: copiesOfEach }, () =>
          api.createOrder({ product: 'voucher', referenceId }, options),
        ),
      ),
    })),
  )
}

/** What a burst waits for at most: a window of its own, where the budget is narrow, and room for what decides and counts it. */
export function burstWaits(references: number, copiesOfEach: number): readonly Wait[] {
  const requests = references * copiesOfEach
  return [
    { windows: 1, of: ['default'], below: 4 * requests },
    { requests: 2 * requests + 2 * references },
    { seconds: 1.5, reason: 'contention to pass' },
  ]
}

/** A burst goes out whole or it does not race: where the window is narrow, it gets one of its own. */
async function waitForRoom({ limit, wait }: CheckContext, requests: number): Promise<void> {
  const { count, windowSeconds } = limit('default')
  if (count < 4 * requests) await wait('a window with room for a burst', windowSeconds * 1000 + 100)
}

/** Repeats copies that were told to come back, or whose answer was lost, until each is decided. */
export async function decideAll(
  context: CheckContext,
  { referenceId, copies }: Burst,
  role: Role = 'full',
): Promise<readonly Exchange[]> {
  const decided: Exchange[] = []
  for (const copy of copies) {
    const open = copy.response === undefined || copy.response.status === 429
    if (open) decided.push(await replay(context, { referenceId }, { role }))
  }
  return [...copies, ...decided]
}
