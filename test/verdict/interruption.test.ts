/** Ctrl-C and SIGTERM: at any time a quick end, and a partial record of what was measured. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectNotGreen, preload, start } from './command-line.ts'

const POLLING = { timeout: 30_000 }

/** A run that waited for its windows would need more than one of them. A busy machine needs seconds for the report alone. */
const LOAD_WINDOW_SECONDS = '30'
const SECONDS_MAX = 20

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
    await using running = await start('load', ['--window-seconds', LOAD_WINDOW_SECONDS])
    await running.shows(/[1-9]\d* (?:of at least \d+ )?requests sent/)
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

/** Says that it is k6, hears no signal, and leaves the number of its process. */
const DEAF_K6 = `#!${process.execPath}
const { writeFileSync } = require('node:fs')
if (process.argv[2] === 'version') {
  console.log('k6 v2.2.0 (deaf)')
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
writeFileSync(__dirname + '/pid', String(process.pid))
setInterval(() => {}, 1000)
`

/** A process whose parent has gone may be named until somebody asks how it ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

describe.skipIf(process.platform === 'win32')('a k6 that hears no signal', () => {
  test.each([
    ['one signal', 1],
    ['two signals', 2],
  ])('is gone with its folder after %s', { timeout: 60_000 }, async (_what, signals) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'deaf-k6-'))
    try {
      const k6 = path.join(folder, 'k6')
      await writeFile(k6, DEAF_K6, { mode: 0o755 })
      await using running = await start('load', ['--window-seconds', '8'], { K6_BIN: k6 })
      const pidFile = path.join(folder, 'pid')
      await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), POLLING).toMatch(/\d/)
      running.signal('SIGINT')
      await running.shows('a second signal ends at once')
      if (signals === 2) running.signal('SIGINT')
      expect((await running.ended).code).toBe(130)
      await expect.poll(() => readFile(pidFile, 'utf8').then(Number).then(isAlive)).toBe(false)
      expect(await readdir(running.tempDir)).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test(
  'checks that are busy and hear nothing are ended, and what was measured is recorded',
  { timeout: 60_000 },
  async () => {
    await using running = await start(
      'conformance',
      ['--only', 'auth,limits', '--window-seconds', '8'],
      preload(
        "import { writeSync } from 'node:fs'; if (!isMainThread) setTimeout(() => { writeSync(2, 'busy'); for (;;); }, 2500)",
      ),
    )
    await running.shows('busy')
    const signalledMs = performance.now()
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect((performance.now() - signalledMs) / 1000).toBeLessThan(SECONDS_MAX)
    expect(record.hazards).toContainEqual(expect.stringContaining('did not stop in time'))
    expect(record.partial).toBe(true)
  },
)

/** What a command does when it is started, with this in place of its modules. */
async function started(
  load: string,
): Promise<{ code: number | null; said: string; seconds: number }> {
  const script = `import { guarded } from './scripts/start.ts'; await guarded(async () => { ${load} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = text(child.stderr)
  child.stdout.once('data', () => child.kill('SIGINT'))
  const startedMs = performance.now()
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said: await said, seconds: (performance.now() - startedMs) / 1000 }
}

describe.concurrent('a command', { timeout: 60_000 }, () => {
  test('answers a signal while its modules are loaded', async () => {
    const { code, said } = await started(
      "console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 60_000))",
    )
    expect([code, said]).toEqual([130, 'Interrupted (exit 130); there is no record.\n'])
  })

  test('ends after its verdict, whatever is still open', async () => {
    const { code, said } = await started(
      "const { createServer } = await import('node:net'); createServer().listen(0); process.exitCode = 3",
    )
    expect(code).toBe(3)
    expect(said).toMatch(/Still open 5 s after the end: .*TCPServerWrap.* ends anyway/)
  })
})
