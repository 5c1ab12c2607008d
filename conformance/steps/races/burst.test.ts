import { expect, test } from 'vitest'
import { virtualRun } from '../../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../../registry.ts'

test('copies of a cart leave together where POST /carts has a narrow window of its own', async () => {
  const { outcomes, session } = await virtualRun({
    windowSeconds: 60,
    service: { variants: ['carts-window-tighter'] },
    checks: ALL_CHECKS.filter(({ id }) => id === 'cart.copies'),
    invariants: [],
  })
  expect(outcomes.map(({ check }) => check.verdict)).toEqual(['pass'])
  const sentAtMs = new Map(session.history.all().map((each) => [each.id, each.sentAtMs]))
  for (const { exchanges } of outcomes[0]?.check.findings ?? []) {
    // What follows the six copies is the cart once more, and a read.
    const times = exchanges.map((id) => sentAtMs.get(id) ?? 0).toSorted((a, b) => a - b)
    expect((times[5] ?? 0) - (times[0] ?? 0)).toBeLessThan(1000)
  }
})
