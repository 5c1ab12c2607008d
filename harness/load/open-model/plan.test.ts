import { describe, expect, test } from 'vitest'
import { virtualNetwork } from '../../../test/load/virtual-network.ts'
import { key } from '../../../test/load/sample-open-model.ts'
import { accountRate, clientPlansOf, planOpenModel, type OpenModelPlan, type Mix } from './plan.ts'
import { draftOpenModel } from './draft.ts'

const { target, limits, accounts } = virtualNetwork()
const MIX: Mix = [{ kind: 'browse', weight: 1 }]

function plan(
  perSecond: number,
  options: { seconds?: number; retriesMax?: number; mix?: Mix } = {},
): OpenModelPlan {
  const { seconds = 4, mix = MIX, ...rest } = options
  const parts = clientPlansOf(mix, target)
  if ('lacks' in parts) throw new Error(parts.lacks)
  const stages = [{ seconds, fromPerSecond: perSecond, toPerSecond: perSecond }]
  const spec = { scenario: 'browse', workload: 'smoke', stages, mix, keys: [key('a'), key('b')] }
  return planOpenModel({ target, limits }, { ...spec, ...rest }, parts)
}

describe('the plan of the open model', () => {
  test('has exactly the sessions of its stages, and no key in its file', () => {
    const { file, secrets, requestsMin } = plan(5)
    expect(file.sessions).toBe(20)
    expect(file.keyEnvs).toHaveLength(2)
    expect(Object.keys(secrets)).toEqual(file.keyEnvs)
    expect(JSON.stringify(file)).not.toContain('secret of')
    // A page and a lookup.
    expect(requestsMin).toBe(40)
  })

  test('names the operations that its sessions send, and the marks that they fill', () => {
    const { services, lookup } = plan(5).file.operations
    expect(services?.url).toContain('limit=5&offset=harness-load-offset')
    expect(services?.reads).toMatchObject({ items: ['data', 'services', { every: true }] })
    expect(lookup).toMatchObject({ method: 'POST' })
    expect(JSON.parse(lookup?.body ?? '')).toHaveProperty('items')
  })

  test('what the windows admit follows from what a session spends of each', () => {
    const parts = clientPlansOf(MIX, target)
    if ('lacks' in parts) throw new Error(parts.lacks)
    // Four pages of 40 requests in 2 s.
    expect(accountRate(parts, limits)).toBe(5)
  })

  test('beyond what the windows admit, users are planned who wait', () => {
    const [within, beyond] = [plan(8, { seconds: 20 }), plan(20, { seconds: 20 })]
    expect(beyond.file.virtualUsers).toBeGreaterThan(2.5 * within.file.virtualUsers)
    expect(beyond.file.requestsMax).toBeGreaterThan(2.5 * within.file.requestsMax)
    expect(plan(1).file.virtualUsers).toBe(4)
  })

  test('money and orders are those of its buyers alone', () => {
    expect(plan(5).budget).not.toHaveProperty('money')
    const mix: Mix = [
      { kind: 'browse', weight: 3 },
      { kind: 'buyer', weight: 1 },
    ]
    const { budget } = plan(5, { mix })
    const buyersAlone = plan(1.25, { mix: [{ kind: 'buyer', weight: 1 }] }).budget
    expect(budget.ordersMax).toBe(buyersAlone.ordersMax)
    expect(budget.money).toEqual(buyersAlone.money)
  })

  test('a search for capacity ends a session at its first refusal', () => {
    expect(plan(5, { retriesMax: 0 }).file.retriesMax).toBe(0)
  })

  test('no session is no plan', () => {
    expect(() => plan(0.01)).toThrow('0 sessions with 2 keys cannot be planned')
  })
})

describe('the draft of the open model', () => {
  test('leases as many accounts as the rate needs, and tells its cost before', async () => {
    const context = { target, limits, accounts }
    const draft = draftOpenModel('browse', context, {
      workload: 'steady',
      requestsPerSecond: 120,
      seconds: 5,
    })
    if ('lacks' in draft) throw new Error(draft.lacks)
    const planned = await draft.plan()
    // Half of five sessions per second for each account.
    expect(new Set(planned.keys.map(({ account }) => account)).size).toBe(10)
    expect(planned.budget).toEqual(draft.budget)
  })

  test.each([
    { seconds: 1, requestsPerSecond: 1 },
    { stages: { file: 's.json', stages: [{ seconds: 1, fromPerSecond: 0, toPerSecond: 1 }] } },
  ])('%j is refused where no session begins', (choice) => {
    const context = { target, limits, accounts }
    expect(() => draftOpenModel('browse', context, { workload: 'steady', ...choice })).toThrow(
      'the schedule of browse is too short or too slow for one session of about 5 requests',
    )
  })

  test('lives with the accounts of a target file, and says what it lacks', () => {
    const credentials = { ...accounts, make: undefined, roles: ['full', 'sibling'] as const }
    const { make: _made, ...fixed } = credentials
    const context = { target, limits, accounts: fixed }
    expect(() =>
      draftOpenModel('browse', context, { workload: 'steady', requestsPerSecond: 120 }),
    ).toThrow(
      '--rate asks for 120 requests per second, and the windows of 1 accounts admit 25 (sessions of about 5 requests)',
    )
    const none = { ...context, accounts: { ...fixed, roles: [] } }
    expect(draftOpenModel('browse', none, { workload: 'smoke' })).toEqual({
      lacks: 'there is no credential for the role full',
      wants: [{ what: 'a key of role full' }],
    })
  })
})
