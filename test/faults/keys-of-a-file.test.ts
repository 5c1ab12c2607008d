/** Keys of a target file, shared by all checks, at the windows that the interface has: doubts that repeat themselves end as findings. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { FaultName } from '../../reference/faults/faults.ts'
import { WINDOW_PHASES } from '../../reference/base/types.ts'
import { suiteRun } from '../support/suite-run.ts'

const DECIDING: readonly (readonly [FaultName, string])[] = [
  ['default-window-half', 'limits.window-services'],
  ['listing-window-half', 'limits.window-listing'],
  ['filtered-window-half', 'limits.window-filtered'],
  ['check-window-half', 'dtu-check.window'],
  ['default-window-double', 'limits.window-services'],
  ['filtered-window-double', 'limits.window-filtered'],
  ['listing-window-double', 'limits.window-listing'],
  ['check-window-double', 'dtu-check.window'],
  ['admission-window-double', 'unhide.pending-refill'],
  ['listing-counted-as-filtered', 'limits.reads-apart'],
  ['lookups-counted-as-services', 'limits.separate-endpoints'],
  ['window-sliding-log', 'limits.window-services'],
  ['window-sliding-log', 'dtu-check.window'],
  ['admission-window-half', 'unhide.admission-held'],
  ['admission-one-more', 'unhide.admission'],
  ['unhide-completed-window-short', 'unhide.completed-window'],
  ['unhide-pending-window-longer', 'unhide.pending-refill'],
  ['cap-refusal-debits', 'funds.refused-not-debited'],
  ['cap-refusal-leaks-reservation', 'transaction-limit.lasting-headroom'],
]

/** Such a window may end while one window is waited for. */
const UNHIDE_TWICE = [
  ['unhide-pending-window-twice', 'unhide.pending-refill'],
  ['unhide-completed-window-twice', 'unhide.completed-refill'],
] as const satisfies typeof DECIDING

/** Of a cap that a refusal uses up: the checks that refuse, and one that comes after them. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'transaction-limit.lasting-headroom': [
    'transaction-limit.refusal',
    'transaction-limit.refusal-costs-nothing',
  ],
}

async function redOf(
  ids: readonly string[],
  more: Pick<Parameters<typeof suiteRun>[0], 'faults' | 'service'>,
): Promise<readonly string[]> {
  const { outcomes } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds: 60,
    checks: ALL_CHECKS.filter(({ id }) => ids.includes(id)),
    ...more,
  })
  const red = outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))
  return red.map(({ check }) => check.id)
}

describe('keys of a file', () => {
  test.each(DECIDING)('show %s', async (fault, id) => {
    expect(await redOf([id, ...(BESIDE[id] ?? [])], { faults: [fault] })).toContain(id)
  })

  test.each([1, 4])(
    'show unhide windows twice as long, wherever those of an order begin (seed %i)',
    async (seed) => {
      const service = { windowPhase: 'counter', seed } as const
      for (const [fault, id] of UNHIDE_TWICE)
        expect([fault, await redOf([id], { faults: [fault], service })]).toEqual([fault, [id]])
    },
  )

  test.each([1, 0.5])(
    'blame no small window of which others use all they can, every %f s',
    async (everySeconds) => {
      const { outcomes, toOthers } = await suiteRun({
        accounts: { shared: 'all' },
        windowSeconds: 60,
        checks: ALL_CHECKS.filter(({ id }) => id === 'limits.window-listing'),
        others: {
          atSeconds: Array.from({ length: 900 / everySeconds }, (_, time) => time * everySeconds),
          send: (api) => api.as('full').getOrders({}, { throttled: 'return' }),
        },
      })
      expect(toOthers).toContain(200)
      expect(outcomes[0]?.check.verdict).toBe('inconclusive')
    },
  )

  test.each([
    ['the listing', 7, {}],
    ['masked reads', 2, { referenceId: 'of-nobody' }],
  ] as const)(
    'blame nothing while others poll the same account: %s, every %i s',
    async (_, everySeconds, query) => {
      const { outcomes, toOthers } = await suiteRun({
        accounts: { shared: 'all' },
        windowSeconds: 60,
        isPersistent: true,
        others: {
          atSeconds: Array.from({ length: 1500 / everySeconds }, (_, time) => time * everySeconds),
          send: (api) => api.as('full').getOrders(query, { throttled: 'return' }),
        },
      })
      expect(toOthers).toContain(429)
      expect(outcomes.filter(({ check }) => check.verdict === 'fail')).toEqual([])
    },
  )

  test('show a small window of orders that is counted after it is looked at', async () => {
    const service = { variants: ['limits-small'] } as const
    const ids = ['limits.orders-at-once']
    expect(await redOf(ids, { service, faults: ['purchases-counted-late'] })).toEqual(ids)
    expect(await redOf(ids, { service })).toEqual([])
  })

  test('blame no masked reads that share the default window with all reads', async () => {
    const service = { variants: ['listing-rules-absent', 'reads-counted-in-default'] } as const
    const { outcomes } = await suiteRun({
      accounts: { shared: 'all' },
      windowSeconds: 2,
      checks: ALL_CHECKS.filter(({ id }) => id === 'unhide.filtered-apart'),
      service,
    })
    expect(outcomes[0]?.check).toMatchObject({
      id: 'unhide.filtered-apart',
      verdict: 'inapplicable',
    })
  })

  test('show a refusal that uses the cap up where no purchase could follow it', async () => {
    const beside = ['transaction-limit.refusal', 'transaction-limit.asynchronous']
    const ids = ['transaction-limit.lasting-headroom', ...beside]
    expect(await redOf(ids, { faults: ['cap-refusal-leaks-reservation'] })).toContain(ids[0])
    expect(await redOf(ids, {})).toEqual([])
  })

  test.each(WINDOW_PHASES)('blame no service whose windows start by %s', async (windowPhase) => {
    const ids = DECIDING.flatMap(([, id]) => [id, ...(BESIDE[id] ?? [])])
    expect(await redOf(ids, { service: { windowPhase } })).toEqual([])
  })

  test('show a small window of carts that each key has for itself, and blame none of the account', async () => {
    const service = { variants: ['carts-window-tighter'] } as const
    const ids = ['limits.carts-shared-by-keys']
    expect(await redOf(ids, { service, faults: ['checkouts-counted-per-key'] })).toEqual(ids)
    expect(await redOf(ids, { service })).toEqual([])
  })

  test('blame no service that refuses a reference again as it was refused', async () => {
    const ids = ['transaction-limit.no-trace', 'transaction-limit.lasting-headroom']
    expect(await redOf(ids, { service: { variants: ['refusals-replayed'] } })).toEqual([])
  })
})
