/** `--under-load` with real k6: what is recorded, and what ends it. */
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectNotGreen, start } from './command-line.ts'

const hasK6 = k6AtHand !== undefined

describe.concurrent('the checks under load', { timeout: 60_000 }, () => {
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

  test.skipIf(!hasK6)('and k6 end with a signal, and leave a partial record', async () => {
    const selected = ['--only', 'limits', '--window-seconds', '8', '--under-load', 'orders:5/s']
    await using running = await start('conformance', selected)
    await running.shows(/[1-9]\d* of \d+ checks ended/)
    running.signal('SIGINT')
    const record = await expectNotGreen(await running.ended, 130)
    expect(record.partial).toBe(true)
    expect(record.load).toEqual([
      expect.objectContaining({ scenario: 'under-load', verdict: 'inconclusive' }),
    ])
    expect(record.underLoad?.background.sent).toBeGreaterThan(0)
  })
})
