/** Several k6 processes share one run against one service: what they find together is what one process finds alone. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { carryOut as carryOutScenario } from './real-k6.ts'

const k6 = k6AtHand

/** Long beside the slack. */
const WINDOW_SECONDS = 3

/** What a run found, and what the service itself says was bought. */
type Carried = {
  readonly result: LoadResult
  readonly orders: number
  readonly spent: string
  readonly secrets: readonly string[]
  readonly written: string
}

function carryOut(
  name: ScenarioName,
  instances: number,
  faults: readonly string[] = [],
): Promise<Carried> {
  const used = new Map<string, string>()
  const run = { faults, windowSeconds: WINDOW_SECONDS, instances, used }
  return carryOutScenario(name, run, async ({ result, target, files }) => ({
    result,
    ...(await boughtBy(target.control?.baseUrl ?? '', new Set(used.values()))),
    secrets: [...used.keys()],
    written: [...files.values()].join('\n'),
  }))
}

/** Asks the service's control side. */
async function boughtBy(
  control: string,
  accounts: ReadonlySet<string>,
): Promise<{ orders: number; spent: string }> {
  let orders = 0
  let micros = 0n
  for (const account of accounts) {
    const response = await fetch(`${control}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account }),
    })
    const facts = (await response.json()) as { orders: { price: string | number }[] }
    orders += facts.orders.length
    micros += facts.orders.reduce((sum, { price }) => sum + (parseMoney(String(price)) ?? 0n), 0n)
  }
  return { orders, spent: formatMoney(micros) }
}

function verdicts({ findings }: LoadResult): Record<string, string> {
  return Object.fromEntries(findings.map(({ requirement, verdict }) => [requirement, verdict]))
}

/** Only some races decide these: whether two copies both succeeded, or an order was refused before another won. */
const DECIDED_BY_RACE = /^(BUSY-|IDEM-12$)/

/** What every run of the scenario decides, whoever wins its races. */
function certain(result: LoadResult): Record<string, string> {
  const entries = Object.entries(verdicts(result))
  return Object.fromEntries(entries.filter(([requirement]) => !DECIDED_BY_RACE.test(requirement)))
}

function failed({ findings }: LoadResult): string[] {
  return findings.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)
}

/** Each process had its share, and together they account for every request. */
function expectShared({ instances = [], requests }: LoadResult, count: number): void {
  expect(instances).toHaveLength(count)
  expect(instances.every(({ exchanges }) => exchanges > 0)).toBe(true)
  expect(instances.reduce((sum, { exchanges }) => sum + exchanges, 0)).toBe(requests.sent)
  for (const { exchanges, requestsPlannedMax = Infinity } of instances)
    expect(exchanges).toBeLessThanOrEqual(requestsPlannedMax)
}

describe('one run on several k6 processes', { concurrent: true }, () => {
  beforeEach((context) => {
    if (k6 === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
  })

  test.each(['spend-contention', 'rate-limit-windows'] as const)(
    '%s passes on one, two and four alike, within its budgets',
    async (name) => {
      const alone = await carryOut(name, 1)
      expect(alone.result.verdict, alone.result.reason).toBe('pass')
      expect(alone.result.instances).toBeUndefined()
      for (const instances of [2, 4]) {
        const { result, orders, spent, secrets, written } = await carryOut(name, instances)
        expect(result.verdict, result.reason).toBe('pass')
        expect(Object.values(verdicts(result))).not.toContain('inconclusive')
        expect(certain(result)).toEqual(certain(alone.result))
        expect(result.requests.planned).toBe(alone.result.requests.planned)
        expectShared(result, instances)
        expect(orders).toBe(result.measurements['ordersMade'] ?? 0)
        expect(orders).toBeLessThanOrEqual(Number(result.measurements['ordersPlannedMax'] ?? 0))
        if (orders > 0) expect(result.measurements['moneySpent']).toBe(`USD ${spent}`)
        expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
      }
    },
  )

  test.each([
    ['rate-limit-windows', 'window-count-plus-one', 'RATE-02'],
    ['spend-contention', 'spend-check-then-act', 'CAP-13'],
    // Here the purchases that meet on one key come from different processes.
    ['checkout', 'spend-check-then-act', 'CAP-21'],
    ['checkout', 'contention-bad-gateway', 'BUSY-01'],
  ] as const)('%s finds %s (%s) on two and four', async (name, fault, requirement) => {
    for (const instances of [2, 4]) {
      const { result } = await carryOut(name, instances, [fault])
      expect(result.verdict, result.reason).toBe('fail')
      expect(failed(result)).toContain(requirement)
      expectShared(result, instances)
    }
  })

  test('a scenario with less to do than there are processes gets fewer of them', async () => {
    const { result } = await carryOut('unhide-budgets', 64)
    expect(result.verdict, result.reason).toBe('pass')
    const count = result.instances?.length ?? 0
    expect(count).toBeLessThan(64)
    expectShared(result, count)
  })
})
