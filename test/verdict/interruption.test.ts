/** Ctrl-C and SIGTERM: at any time a quick end, and a partial record of what was measured. */
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectNotGreen, start } from './command-line.ts'

/** Waiting for a signal: nothing of this may take longer than the promised few seconds. */
const SECONDS_MAX = 6

const hasK6 = k6AtHand !== undefined

describe.concurrent('an interrupted run', { timeout: 60_000 }, () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s during conformance: %i', async (signal, exitCode) => {
    await using running = await start('conformance', [
      '--window-seconds',
      '8',
      '--only',
      'auth,limits',
    ])
    await running.shows(/[1-9]\d* of \d+ checks ended/)
    const signalledMs = performance.now()
    running.signal(signal)
    const ended = await running.ended
    expect((performance.now() - signalledMs) / 1000).toBeLessThan(SECONDS_MAX)
    const record = await expectNotGreen(ended, exitCode)
    expect(record.partial).toBe(true)
    expect(record.checks.some(({ verdict }) => verdict === 'pass')).toBe(true)
    expect(record.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(record.undecided).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('the run was interrupted') }),
    )
    expect(ended.out).toContain('partial record')
    expect(await readdir(running.tempDir)).toEqual([])
  })

  test('a signal before the first check: still a record, and no check is started', async () => {
    await using running = await start('conformance', ['--only', 'auth,limits'])
    await running.shows('carries out')
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect(record.partial).toBe(true)
    expect(record.checks.filter(({ verdict }) => verdict !== 'untested')).toEqual([])
  })

  test('a second signal ends at once', async () => {
    await using running = await start('conformance', ['--window-seconds', '8', '--only', 'limits'])
    await running.shows('checks ended')
    running.signal('SIGINT')
    await running.shows('a second signal ends at once')
    const signalledMs = performance.now()
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(performance.now() - signalledMs).toBeLessThan(1_000)
  })

  test.skipIf(!hasK6).each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s during load: %i', async (signal, exitCode) => {
    await using running = await start('load', ['--window-seconds', '8'])
    await running.shows(/[1-9]\d* of at least/)
    const signalledMs = performance.now()
    running.signal(signal)
    const ended = await running.ended
    expect((performance.now() - signalledMs) / 1000).toBeLessThan(SECONDS_MAX)
    const record = await expectNotGreen(ended, exitCode)
    expect(record.partial).toBe(true)
    expect(record.load[0]?.requests.sent).toBeGreaterThan(0)
    expect(record.load.some(({ verdict }) => verdict === 'pass' || verdict === 'fail')).toBe(false)
    expect(await readdir(running.tempDir)).toEqual([])
  })
})
