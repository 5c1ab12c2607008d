/** The permitted sum under load: services whose prices rise after the first order, and what the record names then. */
import { describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { k6AtHand } from '../support/k6.ts'
import { run, type Ended } from '../verdict/command-line.ts'
import { frontedService, targetOnDisk, type Answer, type Front } from '../verdict/servers.ts'

const LIMITS: LimitRules = {
  default: { count: 400, windowSeconds: 1 },
  'orders.filtered': { count: 400, windowSeconds: 1 },
}
const BOUND = [
  '--allow-load',
  '--max-requests',
  '100000',
  '--allow-purchases',
  '--max-orders',
  '9000',
]

/** The nth POST to this path, and each that follows, costs double. */
function doubledFrom(what: string, first: number): Front {
  let posts = 0
  return ({ method, url }) => {
    if (method !== 'POST' || new URL(url, 'http://any').pathname !== what) return 'pass'
    posts += 1
    return posts < first ? 'pass' : { change: doubled }
  }
}

function doubled(answer: Answer): Answer {
  return { ...answer, body: answer.body.replaceAll(/"(price|totalPrice)":([0-9.]+)/g, twice) }
}

function twice(_: string, name: string, price: string): string {
  return `"${name}":${2 * Number(price)}`
}

/** A production target, at an address that is not recognised as this machine's. */
async function runOn(
  front: Front,
  command: 'load' | 'capacity',
  flags: readonly string[],
): Promise<Ended> {
  await using service = await frontedService(front, { limits: LIMITS })
  await using target = await targetOnDisk(`http://0.0.0.0:${service.port}`, (file) => ({
    ...file,
    environment: 'production',
  }))
  return await run(command, ['--target', target.file, ...BOUND, ...flags], target.env)
}

async function orderLines(ended: Ended): Promise<string[][]> {
  const [, ...lines] = (await ended.file('orders.csv')).trim().split('\n')
  return lines.map((line) => line.split(','))
}

describe
  .skipIf(k6AtHand === undefined)
  .concurrent('the permitted sum under load', { timeout: 120_000 }, () => {
    test.for([
      ['checkout', '/carts', 2],
      ['replay-storm', '/carts', 2],
    ] as const)('a price that rises during %s ends it', async ([scenario, path, first]) => {
      const ended = await runOn(doubledFrom(path, first), 'load', [
        '--scenario',
        scenario,
        '--max-spend',
        'USD:90000',
      ])
      const record = await ended.record()
      expect(record.problems, ended.out + ended.err).toMatchObject([{ code: 'E_PRICE' }])
      expect(record.problems[0]?.message).toMatch(/charged more than planned: \d+ instead of \d+/)
      expect(ended.code).toBe(5)
      expect(record.load[0]).toMatchObject({ scenario, verdict: 'inconclusive' })
      const lines = await orderLines(ended)
      const [source, , , , state, charged, reserved] =
        lines.find((line) => line[0] !== 'checks' && line[5] !== line[6] && line[5] !== '') ?? []
      expect([source, state], JSON.stringify(lines)).toEqual([
        scenario,
        expect.stringMatching(/SUCCESS|IN_PROGRESS/),
      ])
      expect(Number(charged?.slice(4))).toBe(2 * Number(reserved?.slice(4)))
    })

    test('the record names each order of load, in a file of its own', async () => {
      const ended = await runOn(() => 'pass', 'load', [
        '--scenario',
        'checkout',
        '--max-spend',
        'USD:90000',
      ])
      const { purchases, load } = await ended.record()
      const lines = await orderLines(ended)
      const orders = lines.flatMap((line) => line[2]?.split(' ') ?? [])
      expect(purchases).toMatchObject({ made: orders.length, ordersFile: 'orders.csv' })
      expect(new Set(orders).size).toBe(orders.length)
      const atRest = lines.filter(([source]) => source === 'checks').length
      expect(orders.length - atRest).toBe(load[0]?.measurements['ordersMade'])
      const sum = lines.reduce((total, line) => total + Number(line[5]?.slice(4)), 0)
      expect(purchases?.money).toBe(`USD ${sum.toFixed(2)}`)
      expect(lines.every((line) => line[4] === 'SUCCESS')).toBe(true)
    })

    test('capacity begins no step on a price that an order at rest did not confirm', async () => {
      const flags = ['--scenario', 'mixed', '--max-spend', 'USD:90000']
      const ended = await runOn(doubledFrom('/api/v1/orders', 1), 'capacity', flags)
      const record = await ended.record()
      expect(record.purchases, ended.out + ended.err).toMatchObject({ made: 1, money: 'USD 2.00' })
      expect(record.problems[0]).toMatchObject({ code: 'E_PRICE' })
      expect(record.capacity).toBeUndefined()
      expect(ended.code).toBe(5)
    })

    test('capacity ends where a price rises in a step', async () => {
      const flags = ['--scenario', 'mixed', '--max-spend', 'USD:90000']
      const short = ['--start-rate', '20', '--max-rate', '40', '--step-seconds', '3']
      const ended = await runOn(doubledFrom('/carts', 1), 'capacity', [...flags, ...short])
      const record = await ended.record()
      expect(record.problems, ended.out + ended.err).toMatchObject([{ code: 'E_PRICE' }])
      expect(record.capacity?.steps).toEqual([])
      expect(ended.code).toBe(5)
    })
  })
