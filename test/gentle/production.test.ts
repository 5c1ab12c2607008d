/** A target that is declared production, on loopback: what is declared beats where it is. */
import { expect, test, vi } from 'vitest'
import { runHere } from '../verdict/here.ts'
import { frontedService, targetOnDisk, type FrontedService } from '../verdict/servers.ts'

async function ended(
  service: FrontedService,
  environment: string,
  ...parameters: string[]
): ReturnType<typeof runHere> {
  await using target = await targetOnDisk(service.baseUrl, (file) => ({ ...file, environment }))
  for (const [name, value] of Object.entries(target.env)) vi.stubEnv(name, value)
  return await runHere('gate', ['--target', target.file, '--no-load', ...parameters])
}

const LIMITS = { default: { count: 60, windowSeconds: 1 } } as const

test('its windows are left alone without --allow-load, with one reason; every request names the run', async () => {
  await using service = await frontedService(() => 'pass', { limits: LIMITS })
  const only = ['--only', 'limits.window-services,answers.lookup']
  const gentle = await ended(service, 'production', ...only)
  const record = await gentle.record()
  expect(gentle.code).toBe(5)
  expect(service.seen.length).toBeLessThan(12)
  expect(record.hazards.join('\n')).toMatch(
    /below a quarter of each window, so 1 checks.*--allow-load/,
  )
  const reasons = record.undecided.map(({ reason }) => reason)
  expect(new Set(reasons).size).toBe(1)
  expect(reasons[0]).toContain('--allow-load')
  const names = new Set(service.seen.map(({ request }) => request.headers['user-agent']))
  expect([...names]).toEqual([`ordering-harness run/${record.runId}`])
})

test('with --allow-load they are spent', async () => {
  // Small and long enough for a busy machine to spend one before it ends.
  const limits = { default: { count: 20, windowSeconds: 6 } }
  await using service = await frontedService(() => 'pass', { limits })
  const only = ['--only', 'limits.window-services']
  const loaded = await ended(service, 'production', ...only, '--allow-load')
  expect(loaded.code, loaded.out).toBe(0)
  expect(service.seen.length).toBeGreaterThan(limits.default.count)
})

test.each(['production', 'sandbox'])(
  'the profile read-only takes fewer than 100 requests: %s',
  async (environment) => {
    await using service = await frontedService(() => 'pass', { limits: LIMITS })
    const { code, ...rest } = await ended(service, environment, '--profile', 'read-only')
    expect(code).toBe(0)
    expect(service.seen.length).toBeLessThan(100)
    const record = await rest.record()
    expect(record.hazards.join('\n')).toContain('--allow-load')
    expect(record.requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(
      60,
    )
  },
)
