/** The plan: what a run would take, from the preflight alone, and a refusal of what does not fit. */
import { describe, expect, test } from 'vitest'
import { LOAD_SCENARIOS } from '../../harness/load/shared/scenarios.ts'
import type { LimitRules } from '../../reference/service.ts'
import { expectRefused, run as runApart } from './command-line.ts'
import { run } from './here.ts'
import { frontedService, productionTarget, type FrontedService } from './servers.ts'

const LIMITS: LimitRules = {
  default: { count: 40, windowSeconds: 1 },
  'orders.list': { count: 2, windowSeconds: 1 },
  'orders.filtered': { count: 12, windowSeconds: 1 },
}

/** What the preflight reads. */
const READS = ['/whoami', '/api/v1/services', '/rate-limits']

function expectOnlyReads({ seen }: FrontedService): void {
  expect(seen.length).toBeGreaterThan(0)
  for (const { request } of seen) {
    expect(request.method).toBe('GET')
    expect(READS).toContain(request.url.split('?')[0])
  }
}

type Plan = {
  readonly suite: {
    readonly selected: number
    readonly isFresh: boolean
    readonly queue: { readonly counters: readonly { readonly counter: string }[] }
    readonly lacking: readonly { readonly check: string; readonly reason: string }[]
    readonly boundSeconds: number
    readonly expectedSeconds: number
    readonly purchases: { readonly orders: number; readonly money: Record<string, string> }
  }
  readonly load: readonly { readonly scenario: string; readonly lacks?: string }[]
}

describe.concurrent('npm run plan', () => {
  test('tells the queue for shared accounts, and sends the preflight alone', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run('plan', ['--target', target.file], target.env)
    expect(ended.code, ended.err).toBe(0)
    expect(ended.out).toContain('they share counters and wait for each other')
    expect(ended.out).toMatch(/permission to buy \(--allow-purchases .*\): \d+ checks/)
    expect(ended.out).toContain('load on this target needs --allow-load')
    expectOnlyReads(service)
    expect(ended.runs).toEqual([])
  })

  test('says what an order beyond the cap takes of a permitted sum', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const permission = ['--allow-purchases', '--max-orders', '2000', '--max-spend', 'USD:9000']
    const ended = await run('plan', ['--target', target.file, ...permission], target.env)
    expect(ended.out).toContain('leave more than USD 500.00 of --max-spend for it')
    const free = await run('plan', ['--target', target.file], target.env)
    expect(free.out).not.toContain('of --max-spend for it')
  })

  test('gives the same as JSON, with amounts as text', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const permission = ['--allow-purchases', '--max-orders', '2000', '--max-spend', 'USD:9000']
    // In a process of its own: nothing else may stand on its standard output.
    const json = ['--target', target.file, '--json', ...permission]
    const ended = await runApart('plan', json, target.env)
    expect(ended.code, ended.err).toBe(0)
    const { suite, load } = JSON.parse(ended.out) as Plan
    expect(suite.isFresh).toBe(false)
    expect(suite.boundSeconds).toBeCloseTo(1.15 * suite.expectedSeconds, 6)
    expect(suite.purchases.orders).toBeGreaterThan(50)
    expect(suite.purchases.money['USD']).toMatch(/^\d+\.\d\d$/)
    expect(load.every(({ lacks }) => lacks?.includes('--allow-load'))).toBe(true)
    expectOnlyReads(service)
  })

  test('refuses orders, money and time that are not permitted, with the numbers', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const permission = ['--allow-purchases', '--max-orders', '5', '--max-spend', 'USD:3']
    const ended = await run(
      'plan',
      ['--target', target.file, '--max-seconds', '1', ...permission],
      target.env,
    )
    expectRefused(ended, 2, /E_BUDGET: the plan does not fit: the checks make \d+ orders, 5 are/)
    expect(ended.err).toMatch(
      /the checks spend USD [\d.]+, USD 3\.00 are permitted \(--max-spend\)/,
    )
    expect(ended.err).toMatch(/it takes up to \d+ s \(\d+ s of checks\), 1 s are permitted/)
    expect(ended.out).toContain('Purchases of checks')
    expectOnlyReads(service)
  })

  test('refuses load that is not permitted', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const parameters = ['--target', target.file, '--scenario', 'rate-limit-windows']
    const forbidden = await run('plan', parameters, target.env)
    expectRefused(forbidden, 2, /E_PERMISSION: .*--allow-load\): rate-limit-windows/)
    expectOnlyReads(service)
  })

  test('refuses load that sends more than is permitted', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const parameters = ['--target', target.file, '--scenario', 'rate-limit-windows']
    const tooMuch = await run(
      'plan',
      [...parameters, '--allow-load', '--max-requests', '5'],
      target.env,
    )
    expectRefused(tooMuch, 2, /E_BUDGET: .*the load sends up to \d+ requests, 5 are permitted/)
    expectOnlyReads(service)
  })
})

test('plans the load alone, with the scenarios that only load has', async () => {
  const ended = await run('plan', ['--for', 'load', '--json'])
  expect(ended.code, ended.err).toBe(0)
  const { suite, load } = JSON.parse(ended.out) as Plan
  expect(suite.selected).toBe(0)
  expect(load.map(({ scenario }) => scenario)).toEqual(LOAD_SCENARIOS.map(({ name }) => name))
  expect(load.filter(({ lacks }) => lacks !== undefined)).toEqual([])
  expectRefused(await run('plan', ['--for', 'nothing']), 2, /E_USAGE: --for was "nothing"/)
})

test('the gate refuses a plan that is longer than --max-seconds, before it sends anything', async () => {
  await using service = await frontedService(() => 'pass', { limits: LIMITS })
  await using target = await productionTarget(service)
  const ended = await run(
    'conformance',
    ['--target', target.file, '--only', 'limits', '--max-seconds', '1'],
    target.env,
  )
  expectRefused(ended, 2, /E_BUDGET: the plan does not fit: it takes up to \d+ s/)
  expectOnlyReads(service)
})
