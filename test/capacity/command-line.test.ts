/** `npm run capacity` with real k6 and real sockets, against services whose capacity is known from their configuration. */
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { capacityOf } from '../../reference/paced.ts'
import { expectNotGreen, expectRefused, start } from '../verdict/command-line.ts'
import { run } from '../verdict/here.ts'
import { frontedService, targetOnDisk } from '../verdict/servers.ts'

const hasK6 = k6AtHand !== undefined

/** Far below what any machine can do; goals that a busy machine keeps as well. */
const PACE = { workers: 1, serviceMs: 25 }
const PATIENT = ['--goal', 'p95=2s', '--goal', 'achieved=85%', '--max-cpu', '100%']
const PACED = ['--workers', String(PACE.workers), '--service-ms', String(PACE.serviceMs)]
const SHORT = ['--step-seconds', '3', '--confirm-seconds', '4']

describe.skipIf(!hasK6)('npm run capacity', () => {
  test('finds the capacity that a service was configured with, and confirms it', async () => {
    const rates = ['--start-rate', '30', '--precision', '100%']
    const ended = await run('capacity', [...PACED, ...PATIENT, ...SHORT, ...rates])
    expect(ended.code, ended.out + ended.err).toBe(0)
    const { capacity, verdict, command } = await ended.record()
    expect({ verdict, command }).toEqual({ verdict: 'pass', command: 'capacity' })
    expect(capacity).toMatchObject({ ending: 'found', constraint: 'service' })
    expect(capacity?.interval.goodPerSecond).toBeLessThanOrEqual(capacityOf(PACE))
    expect(capacity?.interval.badPerSecond).toBeGreaterThan(capacityOf(PACE))
    // On a busy machine a step below the capacity may be bad at first; it is repeated then.
    const bad = capacity?.steps.find(
      (step) => step.verdict === 'bad' && step.plannedPerSecond === capacity.interval.badPerSecond,
    )
    // The service never did more than it can, whatever was offered.
    expect(bad?.achievedPerSecond).toBeLessThanOrEqual(1.1 * capacityOf(PACE))
    expect(bad?.offeredPerSecond).toBeGreaterThan(1.3 * capacityOf(PACE))
    expect(ended.out).toContain('binding: service')
    expect(await ended.file('index.html')).toContain('knee 30 to 60/s')
  })

  test('says that a rate is missed, and that a limiter is wrong', async () => {
    const fault = ['--fault', 'window-counter-global', '--window-seconds', '2']
    const rates = ['--start-rate', '120', '--max-steps', '2', '--min-rate', '120']
    const ended = await run('capacity', [...fault, ...PATIENT, ...SHORT, ...rates])
    const record = await expectNotGreen(ended, 1)
    expect(record.capacity?.steps[0]).toMatchObject({ verdict: 'bad', constraint: 'limiter' })
    expect(record.capacity?.steps[0]?.refused.count).toBeGreaterThan(0)
    expect(record.requirements).toContainEqual(
      expect.objectContaining({ id: 'RATE-09', verdict: 'fail' }),
    )
  })

  test('ends where the service goes away, instead of searching for a lower rate', async () => {
    await using service = await frontedService(() => (service.seen.length > 40 ? 'lose' : 'pass'))
    await using target = await targetOnDisk(service.baseUrl)
    const rates = ['--target', target.file, '--start-rate', '20']
    const ended = await run('capacity', [...rates, ...PATIENT, ...SHORT], target.env)
    const record = await expectNotGreen(ended, 3)
    expect(record.problems).toContainEqual(expect.objectContaining({ code: 'E_ENVIRONMENT_LOST' }))
    expect(record.capacity?.steps).toMatchObject([{ verdict: 'bad', constraint: 'service' }])
  })

  test('Ctrl-C leaves a partial record of the steps until then', async () => {
    await using running = await start('capacity', [
      ...PACED,
      ...PATIENT,
      ...SHORT,
      '--start-rate',
      '20',
    ])
    await running.shows('step 2, ramp')
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect(record.partial).toBe(true)
    expect(record.capacity?.ending).toBe('inconclusive')
    expect(record.capacity?.steps).toHaveLength(1)
    expect(await readdir(running.tempDir)).toEqual([])
  })
})

describe.concurrent('npm run capacity refuses', () => {
  test('a rate that its accounts do not admit, and says how many it takes', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const ended = await run('capacity', ['--target', target.file, '--max-rate', '500'], target.env)
    expectRefused(ended, 2, /--max-rate is 500 requests per second, which needs \d+ accounts/)
    expect(ended.err).toContain('the target file has 2')
    // The preflight alone was sent.
    expect(service.seen.length).toBeLessThan(10)
  })

  test('load on a target of production', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, (file) => ({
      ...file,
      environment: 'production',
    }))
    const ended = await run('capacity', ['--target', target.file], target.env)
    expectRefused(ended, 2, /E_PERMISSION.*load/)
    expect(service.seen.length).toBeLessThan(10)
  })

  test('a goal that it does not understand', async () => {
    expectRefused(await run('capacity', ['--goal', 'p99']), 2, /--goal was "p99"/)
  })

  test('nothing where only the plan is asked for', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const ended = await run('capacity', ['--target', target.file, '--plan'], target.env)
    expect(ended.code, ended.out + ended.err).toBe(0)
    expect(ended.out).toContain('accounts: 2 of the target file')
    expect(ended.runs).toEqual([])
    expect(service.seen.length).toBeLessThan(10)
  })
})
