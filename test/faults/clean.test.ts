import { describe, expect, it } from 'vitest'
import { conditionsOf, conformingRow, lineOf, othersThanGreen } from '../support/conforming.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** `npm run false-alarms` runs more. */
const RUNS = 4

// A second of work each on an idle machine; a busy one takes many times as long.
describe('the clean service', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => ({ run, ...conditionsOf('clean', run) })))(
    'is all green, run $run: $windowSeconds s by $windowPhase, up to $delayMsMax ms',
    async ({ run }) => {
      const { alarms, undecided, decided } = await conformingRow('clean', run)
      expect([...alarms, ...undecided]).toEqual([])
      expect(decided).toBeGreaterThan(0)
    },
  )

  it('is all green while other accounts send', async () => {
    const row = await conformingRow('clean', 0, { underLoad: { name: 'mixed', ratePerSecond: 20 } })
    expect([...row.alarms, ...row.undecided]).toEqual([])
    expect(row.decided).toBeGreaterThan(0)
  })

  // The runs above have platform gifts with the other windows.
  it.each(['start', 'counter'] as const)(
    'decides platform gifts, windows by %s',
    async (windowPhase) => {
      const service = { platformGift: 'enabled', windowPhase } as const
      const { outcomes } = await virtualRun({ service })
      expect(othersThanGreen(outcomes).map(lineOf)).toEqual([])
      const gifts = outcomes.filter(({ check }) => check.id.startsWith('platform-gift.'))
      const idle = gifts.filter(({ check }) => check.verdict === 'inapplicable')
      expect(idle.map(({ check }) => check.id).toSorted()).toEqual([
        'platform-gift.gate-shut',
        'platform-gift.quote-upstream-missing',
        // A quote of the embedded service outlives windows as short as these.
        'platform-gift.token-expires',
      ])
    },
  )
})
