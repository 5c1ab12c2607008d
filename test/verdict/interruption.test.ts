/** Ctrl-C, SIGTERM and a closed terminal: at any time a quick end, and a partial record of what was measured. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { processesNaming } from '../hostile/signal-phases.ts'
import { k6AtHand } from '../support/k6.ts'
import {
  environment,
  expectNotGreen,
  preload,
  REQUESTS_SENT,
  run,
  runsIn,
  start,
  validRecord,
  whenCarriedOut,
  type Running,
} from './command-line.ts'

/** Who waited for one of its windows would not end in the time of a test. */
const WINDOW = ['--window-seconds', '900']

/** One that ends at once, and one that waits for windows. */
const FEW = ['--only', 'auth.missing-key,limits.window-listing']

const hasK6 = k6AtHand !== undefined

describe.concurrent('an interrupted run', () => {
  // One handler hears all signals in all commands, so each phase takes one of them.
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s during conformance: %i', async (signal, exitCode) => {
    await using running = await start('conformance', [...WINDOW, ...FEW])
    await running.shows(/[1-9]\d* of \d+ checks ended/)
    running.signal(signal)
    const ended = await running.ended
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
    // From within: a signal of ours may come late on a busy machine.
    const signals = preload(whenCarriedOut("process.kill(process.pid, 'SIGINT')"))
    const ended = await run('conformance', FEW, signals)
    const record = await expectNotGreen(ended, 130)
    expect(record.partial).toBe(true)
    expect(record.checks.filter(({ verdict }) => verdict !== 'untested')).toEqual([])
  })

  test('two signals while vitest begins: no folder is left', async () => {
    const interrupt = "process.kill(process.pid, 'SIGINT')"
    const twice = `setTimeout(() => { ${interrupt}; setTimeout(() => ${interrupt}, 60) }, 100)`
    await using running = await start('conformance', FEW, preload(whenCarriedOut(twice)))
    expect(await running.ended).toMatchObject({ code: 130, runs: [] })
    expect(await readdir(running.tempDir)).toEqual([])
  })

  test.skipIf(!hasK6).each([['SIGINT', 130]] as const)(
    '%s during load: %i',
    async (signal, exitCode) => {
      await using running = await start('load', WINDOW)
      await running.shows(REQUESTS_SENT)
      running.signal(signal)
      const ended = await running.ended
      const record = await expectNotGreen(ended, exitCode)
      expect(record.partial).toBe(true)
      expect(record.load[0]?.requests.sent).toBeGreaterThan(0)
      expect(record.load.some(({ verdict }) => verdict === 'pass' || verdict === 'fail')).toBe(
        false,
      )
      expect(await readdir(running.tempDir)).toEqual([])
    },
  )
})

const sentByLoad = ({ load }: RunRecord): number => load[0]?.requests.sent ?? 0
const passed = ({ checks }: RunRecord): number =>
  checks.filter(({ verdict }) => verdict === 'pass').length

const hasTerminals = spawnSync('script', ['--version']).status === 0

describe.skipIf(process.platform !== 'linux' || !hasTerminals)('a terminal that is closed', () => {
  test.each([
    ['conformance', [...WINDOW, ...FEW], /[1-9]\d* of \d+ checks ended/, passed] as const,
    ...(hasK6 ? [['load', WINDOW, REQUESTS_SENT, sentByLoad] as const] : []),
  ])('during %s: a partial record, and nothing goes on', async (...given) => {
    const [command, parameters, shown, measured] = given
    const home = await mkdtemp(path.join(os.tmpdir(), 'terminal-'))
    try {
      const [reports, temp] = [path.join(home, 'reports'), await mkdtemp(path.join(home, 'tmp-'))]
      const words = [process.execPath, `scripts/${command}.ts`, '--reports', reports, ...parameters]
      // Wide enough for all that a line of progress says.
      const line = `stty cols 300; exec ${words.map((word) => `'${word}'`).join(' ')}`
      const env = environment({ TMPDIR: temp })
      // It holds the terminal, which is gone when it is killed: what writes there then gets an error.
      const terminal = spawn('script', ['-qec', line, '/dev/null'], { env })
      let said = ''
      for await (const chunk of terminal.stdout.setEncoding('utf8')) {
        said += chunk as string
        if (shown.test(said)) break
      }
      terminal.kill('SIGKILL')
      await expect.poll(() => processesNaming(home)).toEqual([])
      expect(await runsIn(reports), said).toHaveLength(1)
      const record = validRecord(await readFile(path.join(reports, 'latest', 'run.json'), 'utf8'))
      expect(record).toMatchObject({ exitCode: 129, partial: true })
      expect(measured(record)).toBeGreaterThan(0)
      expect(await readdir(temp)).toEqual([])
    } finally {
      await rm(home, { recursive: true })
    }
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
  ])('is gone with its folder after %s', async (_what, signals) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'deaf-k6-'))
    try {
      const k6 = path.join(folder, 'k6')
      await writeFile(k6, DEAF_K6, { mode: 0o755 })
      await using running = await start('load', ['--window-seconds', '8'], { K6_BIN: k6 })
      const pidFile = path.join(folder, 'pid')
      await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toMatch(/\d/)
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

/** Checks that are busy from the third second on, and hear nothing. */
function startBusy(): Promise<Running> {
  const busy =
    "import { writeSync } from 'node:fs'; if (!isMainThread) setTimeout(() => { writeSync(2, 'busy'); for (;;); }, 2500)"
  return start('conformance', [...FEW, '--window-seconds', '8'], preload(busy))
}

describe('checks that are busy and hear nothing', () => {
  test('are ended after one signal, and what was measured is recorded', async () => {
    await using running = await startBusy()
    await running.shows('busy')
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect(record.hazards).toContainEqual(expect.stringContaining('did not stop in time'))
    expect(record.partial).toBe(true)
  })

  test('are ended at once after two signals: nothing more is written', async () => {
    await using running = await startBusy()
    await running.shows('busy')
    running.signal('SIGINT')
    await running.shows('a second signal ends at once')
    running.signal('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, runs: [] })
  })
})

/** What a command does when it is started, with this in place of its modules. */
async function started(load: string): Promise<{ code: number | null; said: string }> {
  const script = `import { guarded } from './scripts/start.ts'; await guarded(async () => { ${load} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = text(child.stderr)
  child.stdout.once('data', () => child.kill('SIGINT'))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said: await said }
}

describe.concurrent('a command', () => {
  test('answers a signal while its modules are loaded', async () => {
    const { code, said } = await started(
      "console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 3_600_000))",
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
