/** Exit 2: usage or configuration, nothing sent, nothing written. Exit 5: nothing would be verified. More of both: test/hostile/rows/configuration.ts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectNotGreen, expectRefused } from './command-line.ts'
import { run } from './here.ts'
import { frontedService, targetOnDisk } from './servers.ts'

type File = Record<string, unknown>

describe.concurrent('a broken target file is refused and nothing is sent', () => {
  test.each<[string, (file: File) => unknown, RegExp]>([
    [
      'a variable that is not set',
      (file) => ({ ...file, credentials: { full: { env: 'NO_SUCH_VARIABLE' } } }),
      /NO_SUCH_VARIABLE is not set/,
    ],
    ['an unknown role', (file) => ({ ...file, credentials: { ful: { env: 'K' } } }), /full/],
  ])('%s', async (_what, change, sentence) => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, change)
    const ended = await run('gate', ['--target', target.file])
    expectRefused(ended, 2, sentence)
    expect(service.seen).toEqual([])
  })

  test('no key at all', async () => {
    await using service = await frontedService()
    const ended = await run('gate', ['--base-url', service.baseUrl])
    expectRefused(ended, 2, /Set ORDERING_KEY/)
    expect(service.seen).toEqual([])
  })

  test('a reports directory that cannot be', async () => {
    await using service = await frontedService()
    const folder = await mkdtemp(path.join(os.tmpdir(), 'verdict-file-'))
    try {
      await writeFile(path.join(folder, 'file'), '')
      const ended = await run(
        'conformance',
        ['--base-url', service.baseUrl, '--reports', path.join(folder, 'file', 'reports')],
        { ORDERING_KEY: 'some-key-0123456789' },
      )
      expectRefused(ended, 2, /could not be written/)
      expect(service.seen).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe.concurrent('exit 5: too little would be verified', () => {
  test.each<[string[], RegExp]>([
    [['--only', 'nothing'], /"nothing" matches no check.*\nRun with --list|Did you mean/],
    [['--only', 'auth.missing-key', '--only', 'no-such'], /"no-such" matches no check/],
    [['--scenario', 'no-such'], /"no-such" matches no/],
    [['--scenario', 'rate-limit-windows', '--no-load'], /matches no/],
  ])('%j', async (parameters, sentence) => {
    expectRefused(await run('gate', parameters), 5, sentence)
  })

  test('load without a scenario', async () => {
    const ended = await run('load', ['--no-load'])
    expect((await expectNotGreen(ended, 5)).exitReason).toContain('Nothing was selected')
  })

  test('a target whose roles decide nothing', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, (file) => ({
      ...file,
      credentials: { poller: { env: 'ORDERING_KEY_POLLER' } },
    }))
    const ended = await run(
      'conformance',
      ['--target', target.file, '--only', 'auth.scopes-poller-forms,limits.window-listing'],
      { ORDERING_KEY_POLLER: target.env['ORDERING_KEY_POLLER'] ?? '' },
    )
    const record = await expectNotGreen(ended, 5)
    expect(record.exitReason).toMatch(/^0 of \d+ requirements in scope were decided/)
    expect(record.undecided[0]?.reason).toContain('no credential for role "full"')
  })

  test('less than the floor', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, (file) => ({
      ...file,
      credentials: { full: { env: 'ORDERING_KEY_FULL' } },
    }))
    const parameters = ['--target', target.file, '--only', 'auth.missing-key,auth.revoked-key']
    const env = { ORDERING_KEY_FULL: target.env['ORDERING_KEY_FULL'] ?? '' }
    await expectNotGreen(await run('conformance', [...parameters, '--floor', '60'], env), 5)
    const lowered = await run('conformance', [...parameters, '--floor', '50'], env)
    expect(lowered.code).toBe(0)
    expect((await lowered.record()).hazards).toContainEqual(
      expect.stringContaining('The floor was lowered to 50 %'),
    )
  })
})
