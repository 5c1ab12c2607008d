/** Probes that are no single run: two at once, one that is killed, and a machine without room for Node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { demoEnvironment } from '../../reference/seed.ts'
import { k6AtHand } from '../support/k6.ts'
import { REQUESTS_SENT, run, runsIn, start, validRecord } from '../verdict/command-line.ts'
import { frontedService, targetOnDisk } from '../verdict/servers.ts'
import { processesNaming } from './signal-phases.ts'

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hostile-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('93: two runs at once under one directory leave two records', () =>
  withFolder(async (folder) => {
    const parameters = ['--only', 'auth.missing-key', '--reports', folder]
    const both = await Promise.all([run('conformance', parameters), run('conformance', parameters)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const runs = await runsIn(folder)
    expect(runs).toHaveLength(2)
    for (const each of runs)
      expect(
        validRecord(await readFile(path.join(folder, each, 'run.json'), 'utf8')).exitCode,
      ).toBe(0)
  }))

test.skipIf(k6AtHand === undefined || process.platform !== 'linux')(
  '89: k6 ends where the harness is killed, long before its plan does, and no key is left on the disk',
  async () => {
    // The target outlives the harness: k6 could go on.
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const plan = ['--scenario', 'browse', '--seconds', '90']
    await using running = await start('load', ['--target', target.file, ...plan], target.env)
    await running.shows(REQUESTS_SENT)
    expect(processesNaming(running.tempDir)).not.toEqual([])
    running.signal('SIGKILL')
    await expect.poll(() => processesNaming(running.tempDir)).toEqual([])
    const left = await readdir(running.tempDir, { recursive: true, withFileTypes: true })
    const files = left.filter((each) => each.isFile())
    expect(files.length).toBeGreaterThan(0)
    for (const { parentPath, name } of files) {
      const text = await readFile(path.join(parentPath, name), 'latin1')
      expect(Object.values(demoEnvironment()).filter((key) => text.includes(key))).toEqual([])
    }
  },
)

/** A run in a shell, with its output led to somewhere; its exit code is the child's. */
async function inShell(folder: string, before: string, to: string): Promise<number | null> {
  const line = `${before} "${process.execPath}" scripts/conformance.ts --only auth.missing-key --reports "${folder}" ${to}`
  const cwd = path.join(import.meta.dirname, '..', '..')
  const child = spawn('bash', ['-c', line], { cwd, stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

test.skipIf(process.platform !== 'linux').each([
  ['is on a full disk', '>/dev/full 2>&1'],
  ['has gone', '2>&1 | head -c 1; exit "${PIPESTATUS[0]}"'],
])('a run whose reader %s ends, leaves its record, and nothing below HOME', (_, to) =>
  withFolder(async (folder) => {
    const home = path.join(folder, 'home')
    expect(await inShell(folder, `HOME="${home}" XDG_DATA_HOME=`, to)).toBe(0)
    expect(await runsIn(folder)).toHaveLength(1)
    expect(existsSync(home)).toBe(false)
  }),
)

test.skipIf(process.platform !== 'linux')(
  '96: where V8 finds no room it ends before our code begins: not green, and without a record',
  () =>
    withFolder(async (folder) => {
      const code = await inShell(folder, 'ulimit -v 1000000; exec', '')
      expect(code).not.toBe(0)
      expect(await runsIn(folder)).toEqual([])
    }),
)
