import { describe, expect, it } from 'vitest'
import { virtualRun } from '../support/virtual-run.ts'

const RUNS = 20
const PHASES = ['epoch', 'start', 'first-request'] as const
/** Verdicts that a clean service may get: what it does not have or has configured otherwise is inapplicable. */
const GREEN = ['pass', 'warn', 'observed', 'inapplicable']

describe('the clean service', () => {
  it.each(
    Array.from({ length: RUNS }, (_, run) => ({
      run,
      windowPhase: PHASES[run % PHASES.length] ?? 'epoch',
    })),
  )('is all green, run $run, windows by $windowPhase', async ({ run, windowPhase }) => {
    const { outcomes } = await virtualRun({ service: { windowPhase, seed: run } })
    const others = outcomes.filter(({ check }) => !GREEN.includes(check.verdict))
    expect(
      others.map(({ check }) => `${check.verdict} ${check.id}: ${check.reason ?? check.observed}`),
    ).toEqual([])
  })

  it.each(PHASES)(
    'is all green with platform gifts enabled, windows by %s',
    async (windowPhase) => {
      const { outcomes } = await virtualRun({ service: { platformGift: 'enabled', windowPhase } })
      const others = outcomes.filter(({ check }) => !GREEN.includes(check.verdict))
      expect(
        others.map(
          ({ check }) => `${check.verdict} ${check.id}: ${check.reason ?? check.observed}`,
        ),
      ).toEqual([])
      const gifts = outcomes.filter(({ check }) => check.id.startsWith('platform-gift.'))
      const idle = gifts.filter(({ check }) => check.verdict === 'inapplicable')
      expect(idle.map(({ check }) => check.id)).toEqual(['platform-gift.gate-shut'])
    },
  )

  it('is all green at the default windows of the interface', async () => {
    const { outcomes, virtualSeconds } = await virtualRun({ windowSeconds: 60 })
    const others = outcomes.filter(({ check }) => !GREEN.includes(check.verdict))
    expect(
      others.map(({ check }) => `${check.verdict} ${check.id}: ${check.reason ?? check.observed}`),
    ).toEqual([])
    expect(virtualSeconds).toBeGreaterThan(60)
  })
})
