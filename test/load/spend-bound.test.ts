/** The permitted sum under load: services whose prices rise after the first order, and what the record names then. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { k6AtHand } from '../support/k6.ts'
import type { Ended } from '../verdict/command-line.ts'
import { run } from '../verdict/here.ts'
import {
  dearer,
  debitedBy,
  frontedService,
  productionTarget,
  type Front,
  type FrontedService,
} from '../verdict/servers.ts'

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

/** The nth POST to this path, and each that follows, costs so many times its price. */
function raisedFrom(what: string, first: number, factor = 2): Front {
  let posts = 0
  return ({ method, url }) => {
    if (method !== 'POST' || new URL(url, 'http://any').pathname !== what) return 'pass'
    posts += 1
    return posts < first ? 'pass' : { change: (answer) => dearer(answer, factor) }
  }
}

/** In dollars. */
function debited(service: FrontedService): number {
  return (
    debitedBy(service)
      .values()
      .reduce((sum, cents) => sum + cents, 0) / 100
  )
}

async function runOn(
  front: Front,
  command: 'load' | 'capacity',
  flags: readonly string[],
): Promise<Ended> {
  await using service = await frontedService(front, { limits: LIMITS })
  return await runAt(service, command, flags)
}

async function runAt(
  service: FrontedService,
  command: 'load' | 'capacity',
  flags: readonly string[],
): Promise<Ended> {
  await using target = await productionTarget(service)
  return await run(command, ['--target', target.file, ...BOUND, ...flags], target.env)
}

async function orderLines(ended: Ended): Promise<string[][]> {
  const [, ...lines] = (await ended.file('orders.csv')).trim().split('\n')
  return lines.map((line) => line.split(','))
}

describe.skipIf(k6AtHand === undefined).concurrent('the permitted sum under load', () => {
  test.for([
    ['checkout', '/carts', 2],
    ['replay-storm', '/carts', 2],
  ] as const)('a price that rises during %s ends it', async ([scenario, path, first]) => {
    const ended = await runOn(raisedFrom(path, first), 'load', [
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

  describe('a burst whose prices rise after the confirmation', () => {
    const flags = ['--scenario', 'spend-contention', '--max-spend']

    /** What the scenario needs, with the orders that confirm its prices: not a cent more. */
    let bound = 0
    beforeAll(async () => {
      const first = await runOn(() => 'pass', 'load', [...flags, 'USD:1'])
      const [refused] = (await first.record()).load
      const [, needed] = /twice that is set aside \(([\d.]+)\)/.exec(refused?.reason ?? '') ?? []
      expect(Number(needed), first.out + first.err).toBeGreaterThan(100)
      await using atRest = await frontedService(() => 'pass', { limits: LIMITS })
      const second = await runAt(atRest, 'load', [...flags, `USD:${needed}`])
      expect((await second.record()).load[0]).toMatchObject({ verdict: 'untested' })
      bound = Number(needed) + debited(atRest)
    })

    /** Each order of k6 costs so many times its price. */
    async function burst(factor: number): Promise<{ ended: Ended; spent: number }> {
      const front: Front = ({ method, body }) =>
        method === 'POST' && !body.includes('-8000-999')
          ? { change: (answer) => dearer(answer, factor) }
          : 'pass'
      await using service = await frontedService(front, { limits: LIMITS })
      const ended = await runAt(service, 'load', [...flags, `USD:${bound.toFixed(2)}`])
      return { ended, spent: debited(service) }
    }

    test('doubled prices do not pass the permitted sum', async () => {
      const { ended, spent } = await burst(2)
      const { problems, purchases } = await ended.record()
      expect(problems, ended.out + ended.err).toMatchObject([{ code: 'E_PRICE' }])
      expect(problems[0]?.message).toMatch(/the permitted USD [\d.]+ was not exceeded/)
      expect(purchases?.exceededBy).toBeUndefined()
      expect(spent).toBeLessThanOrEqual(bound)
      expect(spent).toBeGreaterThan(0)
    })

    test('where they rise further, the verdict says by how much it may have been passed', async () => {
      const { ended, spent } = await burst(400)
      const { problems, purchases } = await ended.record()
      expect(problems[0]?.message, ended.out + ended.err).toContain(
        `may have been exceeded by at most ${purchases?.exceededBy}`,
      )
      expect(spent).toBeGreaterThan(bound)
      expect(spent).toBeLessThanOrEqual(bound + Number(purchases?.exceededBy?.slice(4)))
      expect(ended.code).toBe(5)
    })
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
    const ended = await runOn(raisedFrom('/api/v1/orders', 1), 'capacity', flags)
    const record = await ended.record()
    expect(record.purchases, ended.out + ended.err).toMatchObject({ made: 1, money: 'USD 2.00' })
    expect(record.problems[0]).toMatchObject({ code: 'E_PRICE' })
    expect(record.capacity).toBeUndefined()
    expect(ended.code).toBe(5)
  })

  test('capacity ends where a price rises in a step', async () => {
    const flags = ['--scenario', 'mixed', '--max-spend', 'USD:90000']
    const short = ['--start-rate', '20', '--max-rate', '40', '--step-seconds', '3']
    const ended = await runOn(raisedFrom('/carts', 1), 'capacity', [...flags, ...short])
    const record = await ended.record()
    expect(record.problems, ended.out + ended.err).toMatchObject([{ code: 'E_PRICE' }])
    expect(record.capacity?.steps).toEqual([])
    expect(ended.code).toBe(5)
  })
})
