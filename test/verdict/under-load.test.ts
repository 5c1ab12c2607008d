/** `--under-load` with real k6: what is recorded, and what ends it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectNotGreen, start } from './command-line.ts'

const hasK6 = k6AtHand !== undefined

describe.concurrent('the checks under load', () => {
  test.skipIf(!hasK6)('say what lay on the target meanwhile', async () => {
    const selected = ['--only', 'catalog', '--under-load', 'browse:5/s']
    await using running = await start('conformance', selected)
    const ended = await running.ended
    const record = await ended.record()
    expect(ended.code, ended.out).toBe(0)
    const { underLoad, load } = record
    expect(underLoad).toMatchObject({ workload: 'browse:5/s', isKeptUp: true })
    const { background, checks, together } = underLoad ?? {}
    expect(background?.sent).toBeGreaterThan(0)
    expect(together?.sent).toBe((background?.sent ?? 0) + (checks?.sent ?? 0))
    expect(load).toEqual([expect.objectContaining({ scenario: 'under-load', verdict: 'pass' })])
    expect(ended.out).toContain('Under load: browse:5/s by 8 other accounts')
    expect(await ended.file('index.html')).toContain('id="under-load"')
    expect(await ended.file('summary.md')).toContain('### Under load')
  })

  test.skipIf(!hasK6)('decide nothing where k6 is ended meanwhile', async () => {
    await using folder = await brokenK6()
    const selected = ['--only', 'limits', '--window-seconds', '8', '--under-load', 'browse:5/s']
    await using running = await start('conformance', selected, { K6_BIN: folder.path })
    await running.shows('carries out')
    await folder.end()
    const ended = await running.ended
    const record = await ended.record()
    expect(ended.code, ended.out).toBe(6)
    expect(record.load[0]).toMatchObject({ scenario: 'under-load', verdict: 'inconclusive' })
    expect(record.load[0]?.reason).toContain('The background load ended before the checks')
    expect(await ended.file('k6.log')).toBeDefined()
  })

  test.skipIf(!hasK6)('and k6 end with a signal, and leave a partial record', async () => {
    // It needs four windows of 4 s. Lines of progress are 3 s apart: meanwhile the clients of six seconds have come.
    const selected = ['--only', 'transaction-limit.concurrent', '--window-seconds', '4']
    await using running = await start('conformance', [...selected, '--under-load', 'orders:5/s'])
    await running.shows(/(?:0 of 1 checks ended[^]*){3}/)
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect(record.partial).toBe(true)
    expect(record.load).toEqual([
      expect.objectContaining({ scenario: 'under-load', verdict: 'inconclusive' }),
    ])
    expect(record.underLoad?.background.sent).toBeGreaterThan(0)
  })
})

/** A k6 that is killed when it is told to end. */
async function brokenK6(): Promise<
  AsyncDisposable & { readonly path: string; readonly end: () => Promise<void> }
> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'broken-k6-'))
  const file = path.join(folder, 'k6')
  const real = k6AtHand?.path ?? ''
  const told = path.join(folder, 'end')
  const script = `#!/bin/sh\n[ "$1" = run ] || exec "${real}" "$@"\n"${real}" "$@" &\nwhile [ ! -e "${told}" ]; do sleep 0.1; done\nkill -9 $!\nwait $!\n`
  await writeFile(file, script, { mode: 0o755 })
  return {
    path: file,
    end: () => writeFile(told, ''),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
