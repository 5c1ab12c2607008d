import { expect, test } from 'vitest'
import { simulatedCapacity, REQUESTED } from '../../test/capacity/sample-capacity.ts'
import type { CapacityStep } from '../../schemas/generated/run-record.ts'
import { outcomeOfCapacity } from './outcome.ts'
import { planCapacity } from './plan.ts'
import { capacityOf } from './result.ts'

const PLAN = planCapacity(REQUESTED, { requestsPerSession: 1, waitSeconds: 0, spends: [] })

async function confirmStep(): Promise<CapacityStep> {
  const { steps } = await simulatedCapacity({ workers: 4, serviceMs: 10 })
  return steps.findLast(
    ({ purpose, verdict }) => purpose === 'confirm' && verdict === 'good',
  ) as CapacityStep
}

test('a rate that held only at times says how often', async () => {
  const held = await confirmStep()
  const rate = held.plannedPerSecond
  const steps = [
    { ...held, verdict: 'inconclusive', constraint: 'generator' },
    { ...held, verdict: 'bad', constraint: 'service' },
    held,
  ] as const
  const end = { ending: 'at-least', goodPerSecond: rate } as const
  const capacity = capacityOf({ plan: PLAN, steps: [...steps], end, accounts: 1 })
  expect(capacity.reason).toContain(`every goal held for ${held.seconds} s in 1 of 3 tries (p99`)
  const once = capacityOf({ plan: PLAN, steps: [held], end, accounts: 1 })
  expect(once.reason).toContain(`every goal held for ${held.seconds} s (p99`)
})

test('other processes bind, with the option that helps', async () => {
  const held = await confirmStep()
  const steps: CapacityStep[] = [{ ...held, verdict: 'inconclusive', constraint: 'machine' }]
  const end = { ending: 'inconclusive', stoppedBy: 'generator' } as const
  const capacity = capacityOf({ plan: PLAN, steps, end, accounts: 1 })
  expect(capacity.constraint).toBe('machine')
  const outcome = outcomeOfCapacity(capacity)
  expect(outcome.exitCode).toBe(6)
  expect(outcome.nextStep).toContain('--max-cpu 100')
})

test('a rate that its samples left open is no capacity, and no failure either', async () => {
  const held = await confirmStep()
  const { constraint: _none, ...open } = { ...held, verdict: 'inconclusive' as const }
  const rate = held.plannedPerSecond
  const end = { ending: 'found', goodPerSecond: rate / 2, badPerSecond: rate } as const
  const plan = { ...PLAN, settings: { ...PLAN.settings, wantedPerSecond: rate } }
  const capacity = capacityOf({ plan, steps: [open], end, accounts: 1 })
  expect(outcomeOfCapacity(capacity).exitCode).toBe(6)
  const missed = capacityOf({ plan, steps: [{ ...open, verdict: 'bad' }], end, accounts: 1 })
  expect(outcomeOfCapacity(missed).exitCode).toBe(1)
})
