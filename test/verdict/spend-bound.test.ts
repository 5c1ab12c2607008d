/** The permitted sum is a bound: servers that charge otherwise than the target file and the catalog say, elsewhere than on loopback. */
import { describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { run } from './here.ts'
import { dearer, debitedBy, frontedService, productionTarget, type Front } from './servers.ts'

const LIMITS: LimitRules = {
  default: { count: 400, windowSeconds: 1 },
  'orders.filtered': { count: 400, windowSeconds: 1 },
}

const BUYING = 'content-type.missing,content-type.other,idempotency.replay'

function isOf(url: string, what: string): boolean {
  return new URL(url, 'http://any').pathname === `/api/v1/${what}`
}

/** Charges double, and says so in each answer about orders. */
const chargesDouble: Front = ({ url }) =>
  isOf(url, 'orders') ? { change: (answer) => dearer(answer, 2) } : 'pass'

function sum(cents: ReadonlyMap<string, number>): number {
  return [...cents.values()].reduce((total, each) => total + each, 0)
}

function buying(file: string, spend: string): string[] {
  const permission = ['--allow-purchases', '--max-orders', '500', '--max-spend', spend]
  return ['--target', file, '--only', BUYING, '--no-load', ...permission]
}

describe.concurrent('the permitted sum', () => {
  test('a price above what was reckoned with ends purchases at the first order', async () => {
    await using service = await frontedService(chargesDouble, { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run('gate', buying(target.file, 'USD:40'), target.env)
    const record = await ended.record()
    expect(debitedBy(service).size).toBe(1)
    expect(record.purchases).toMatchObject({ made: 1, money: 'USD 2.00', permitted: 'USD 40.00' })
    expect(record.purchases?.orders).toMatchObject([
      { product: 'voucher', state: 'SUCCESS', reserved: 'USD 1.00', charged: 'USD 2.00' },
    ])
    const text = /was charged USD 2\.00, but at most 1\.00 was expected; purchases were stopped/
    expect(record.hazards.join('\n')).toMatch(text)
    expect(record.problems[0]).toMatchObject({ code: 'E_PRICE' })
    expect(ended.out).toMatch(text)
    expect(ended.code).toBe(5)
    expect(record.exitReason).toMatch(text)
  })

  test('the bound is passed by one order at most, and it is said by how much', async () => {
    await using service = await frontedService(chargesDouble, { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run('gate', buying(target.file, 'USD:1.50'), target.env)
    const record = await ended.record()
    expect([debitedBy(service).size, sum(debitedBy(service))]).toEqual([1, 200])
    expect(record.purchases).toMatchObject({ exceededBy: 'USD 0.50' })
    expect(record.exitReason).toContain('may have been exceeded by USD 0.50')
  })

  test('prices of the file that are too low are found in the catalog before anything is bought', async () => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    await using target = await productionTarget(service, (file) => {
      const products = Object.entries(file['products'] as Record<string, object>)
      const cheap = products.map(([name, product]) => [name, { ...product, unitPrice: '0.01' }])
      return { ...file, products: Object.fromEntries(cheap) }
    })
    const ended = await run('gate', buying(target.file, 'USD:0.50'), target.env)
    expect(debitedBy(service).size).toBe(0)
    const record = await ended.record()
    expect(record.hazards.join('\n')).toContain(
      'The catalog asks USD 1.00 for the product voucher, the target file states 0.01',
    )
    expect(record.toAdd?.map(({ what }) => what)).toContain(
      'permission to buy more (--max-orders, --max-spend)',
    )
  })

  test('what completes later is priced before a check holds the counter of its readings', async () => {
    const limits = { ...LIMITS, 'orders.filtered': { count: 12, windowSeconds: 2 } }
    await using service = await frontedService(() => 'pass', { limits, asyncCompletionMs: 300 })
    await using target = await productionTarget(service)
    const only = ['--only', 'esim.activation,limits.window-filtered,idempotency.replay']
    const bounds = ['--max-orders', '500', '--max-spend', 'USD:400', '--max-requests', '9000']
    const permission = ['--allow-purchases', '--allow-load', ...bounds]
    const argv = ['--target', target.file, ...only, ...permission]
    const ended = await run('conformance', argv, target.env)
    const record = await ended.record()
    expect(record.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
    const bodies = service.seen.flatMap(({ request: { method, url, body } }) =>
      method === 'POST' && isOf(url, 'orders') ? [body] : [],
    )
    expect(bodies[0]).toContain('esim-europe-1gb')
    // Without such a check, nothing is bought beside what the checks buy.
    const alone = ['--target', target.file, '--only', 'esim.one-per-order', ...permission]
    const small = await run('conformance', alone, target.env)
    expect((await small.record()).purchases).toMatchObject({ made: 1 })
  })

  test('load does not begin on a price that an order at rest did not confirm', async () => {
    await using service = await frontedService(chargesDouble, { limits: LIMITS })
    await using target = await productionTarget(service)
    const permission = ['--max-orders', '5000', '--max-spend', 'USD:90000', '--allow-load']
    const ended = await run(
      'load',
      ['--target', target.file, '--scenario', 'replay-storm', '--allow-purchases', ...permission],
      target.env,
    )
    const record = await ended.record()
    expect([debitedBy(service).size, ended.code]).toEqual([1, 5])
    expect(record.purchases).toMatchObject({ made: 1, money: 'USD 2.00' })
    expect(record.load).toMatchObject([{ scenario: 'replay-storm', verdict: 'untested' }])
    expect(record.load[0]?.reason).toMatch(/the price of the product voucher is not confirmed/)
    expect(record.problems[0]).toMatchObject({ code: 'E_PRICE' })
  })

  test('an answer of 500 after the order was made counts as spent until a replay tells', async () => {
    let posts = 0
    const broken: Front = ({ method, url }) => {
      if (method !== 'POST' || !isOf(url, 'orders')) return 'pass'
      posts += 1
      return posts % 2 === 1
        ? { change: (answer) => ({ ...answer, status: 500, body: '{"statusCode":5}' }) }
        : 'pass'
    }
    await using service = await frontedService(broken, { limits: LIMITS })
    await using target = await productionTarget(service)
    const ended = await run('gate', buying(target.file, 'USD:6'), target.env)
    const record = await ended.record()
    const spent = Number(record.purchases?.money.replace('USD ', ''))
    expect(spent).toBeLessThanOrEqual(6)
    expect(100 * spent).toBeGreaterThanOrEqual(sum(debitedBy(service)))
    expect(record.purchases?.unanswered).toBeGreaterThan(0)
  })
})
