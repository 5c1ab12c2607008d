/** Purchases on a target that is neither on loopback nor a sandbox: none without permission, never more than permitted. */
import { describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { run } from './here.ts'
import { debitedBy, frontedService, productionTarget, type FrontedService } from './servers.ts'

const ORDERS = '/api/v1/orders'

type Money = { readonly orders: number; readonly cents: number }

/** Orders that the service really made. */
function bought(service: FrontedService): Money {
  const cents = [...debitedBy(service).values()]
  return { orders: cents.length, cents: cents.reduce((sum, each) => sum + each, 0) }
}

/** Everything that buys, without the waits for windows. */
const BUYING = 'content-type,auth.scopes-suffice,idempotency,contention'

const LIMITS: LimitRules = {
  default: { count: 40, windowSeconds: 1 },
  'orders.list': { count: 2, windowSeconds: 1 },
  'orders.filtered': { count: 12, windowSeconds: 1 },
}

function buying(file: string, orders: string, spend: string): string[] {
  const permission = ['--allow-purchases', '--max-orders', orders, '--max-spend', spend]
  return ['--target', file, '--only', BUYING, ...permission]
}

describe.concurrent('purchases elsewhere', () => {
  test('without permission no POST reaches the orders', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run(
      'gate',
      ['--target', target.file, '--no-load', '--only', BUYING],
      target.env,
    )
    expect(ended.code, ended.out + ended.err).not.toBe(0)
    const posts = service.seen.filter(
      ({ request }) => request.method === 'POST' && /orders|carts/.test(request.url),
    )
    expect(posts.map(({ request }) => request.body)).toEqual([])
    const record = await ended.record()
    expect(record.plan.permission).toMatchObject({ purchases: false, load: false })
    expect(JSON.stringify(record.checks)).toContain('--allow-purchases')
  })

  test('load needs a permission of its own', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run('load', ['--target', target.file], target.env)
    expect(ended.code).toBe(5)
    expect(ended.out).toContain('--allow-load')
    expect(service.seen.length).toBeLessThan(10)
    const tooMuch = await run(
      'load',
      ['--target', target.file, '--allow-load', '--max-requests', '5'],
      target.env,
    )
    expect(tooMuch.code).toBe(2)
    expect(tooMuch.err).toMatch(/E_PERMISSION.*\nRaise --max-requests to \d+/)
  })

  test.each([
    ['answers that come', 0],
    ['answers that are lost', 3],
  ])('never more orders than permitted, with %s', async (_what, loseEvery) => {
    let posts = 0
    await using service = await frontedService(
      ({ method, url }) => {
        if (method !== 'POST' || !url.startsWith(ORDERS)) return 'pass'
        posts += 1
        return loseEvery > 0 && posts % loseEvery === 0 ? 'lose' : 'pass'
      },
      { limits: LIMITS },
    )
    await using target = await productionTarget(service)
    const ended = await run('conformance', buying(target.file, '4', 'USD:1000'), target.env)
    const { orders } = bought(service)
    expect(orders).toBeGreaterThan(0)
    expect(orders).toBeLessThanOrEqual(4)
    expect((await ended.record()).plan.permission).toMatchObject({ purchases: true, ordersMax: 4 })
    expect(ended.code).not.toBe(0)
  })

  test('never more money than permitted', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service)
    await run('conformance', buying(target.file, '1000', 'USD:3.50'), target.env)
    const { orders, cents } = bought(service)
    expect(orders).toBeGreaterThan(0)
    expect(cents).toBeLessThanOrEqual(350)
  })

  test('a service that buys again for every duplicate stays within the permission too', async () => {
    await using service = await frontedService(() => 'pass', {
      limits: LIMITS,
      faults: ['replay-creates-second-order'],
    })
    await using target = await productionTarget(service)
    await run('conformance', buying(target.file, '6', 'USD:1000'), target.env)
    const { orders } = bought(service)
    expect(orders).toBeGreaterThan(0)
    expect(orders).toBeLessThanOrEqual(6)
  })
})
