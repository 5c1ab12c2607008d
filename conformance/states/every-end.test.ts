import { expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../registry.ts'

const STAYS = 'states.every-success-stays'

/** Masked reads show an order as pending for so long after the first purchase that was answered by its end. */
const copiedAfter =
  (lateMs: number) =>
  (transport: Transport, clock: Clock): Transport => {
    let endedMs: number | undefined
    return {
      ...transport,
      send: async (request, hooks, signal) => {
        const response = await transport.send(request, hooks, signal)
        const isEnd = response.body.includes('"SUCCESS"') && response.body.includes('qrCodeText')
        if (request.method === 'POST' && isEnd) endedMs ??= clock.nowMs()
        const isMasked = request.method === 'GET' && !request.url.includes('unhide=true')
        const isCopy = isMasked && endedMs !== undefined && clock.nowMs() < endedMs + lateMs
        return isCopy
          ? {
              ...response,
              body: response.body.replace(/("items":.*?"status":)"SUCCESS"/, '$1"IN_PROGRESS"'),
            }
          : response
      },
    }
  }

test.each([
  [300, 'pass', 'pass'],
  [5_000, 'fail', 'untested'],
] as const)(
  'masked reads that follow the end of an order after %i ms',
  async (lateMs, stays, followed) => {
    const { outcomes } = await virtualRun({
      checks: ALL_CHECKS.filter(({ id }) => id === 'esim.followed-by-replays'),
      invariants: ALL_INVARIANTS.filter(({ id }) => id === STAYS),
      network: copiedAfter(lateMs),
    })
    const verdicts = new Map(outcomes.map(({ check }) => [check.id, check.verdict]))
    expect([verdicts.get(STAYS), verdicts.get('esim.followed-by-replays')]).toEqual([
      stays,
      followed,
    ])
  },
)
