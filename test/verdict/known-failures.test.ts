import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { expectNotGreen, expectRefused, type Ended } from './command-line.ts'
import { run } from './here.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'known-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0

/** Runs the one check of AUTH-03 with a list of known failures. */
function withList(list: string, ...more: readonly string[]): Promise<Ended> {
  const file = path.join(directory, `${files++}.yaml`)
  writeFileSync(file, list)
  return run('conformance', ['--only', 'auth.revoked-key', '--known-failures', file, ...more])
}

const entry = (expires: string, requirement = 'AUTH-03'): string =>
  `failures:\n  - requirement: ${requirement}\n    reason: OPS-1\n    owner: platform\n    expires: ${expires}\n`

const BROKEN = ['--fault', 'revoked-key-accepted']

describe.concurrent('known failures', () => {
  test('one that fails as known passes, and says so first', async () => {
    const ended = await withList(entry('2999-01-01'), ...BROKEN)
    expect(ended.code, ended.out + ended.err).toBe(0)
    expect(ended.out).toMatch(
      /^! Pass with known failures \(exit 0\) AUTH-03 fails as known until 2999-01-01 \(platform: OPS-1\)\./,
    )
    const record = await ended.record()
    expect(record.requirements.find(({ id }) => id === 'AUTH-03')?.verdict).toBe('fail')
    expect(record.exceptions).toMatchObject([{ requirement: 'AUTH-03', state: 'accepted' }])
    expect(await ended.file('junit.xml')).toMatch(/<testsuites [^>]*failures="0" errors="0"/)
    expect(await ended.file('summary.md')).toContain('### Known failures and severities')
    expect(await ended.file('index.html')).toContain('fails as known until 2999-01-01')
  })

  test('one that passes now is red', async () => {
    const record = await expectNotGreen(await withList(entry('2999-01-01')), 1)
    expect(record.exitReason).toContain('The known failure AUTH-03 passes now: remove its entry.')
  })

  test('one that expired is red', async () => {
    const record = await expectNotGreen(await withList(entry('2020-01-01'), ...BROKEN), 1)
    expect(record.exitReason).toContain('expired on 2020-01-01 and still fails')
  })

  test('what is off is reported first', async () => {
    const list = 'severity:\n  - { requirement: AUTH-03, level: off, reason: not sold }\n'
    const ended = await withList(list, ...BROKEN, '--only', 'auth.missing-key')
    expect(ended.code, ended.out + ended.err).toBe(0)
    expect(ended.out).toMatch(/\(exit 0\) AUTH-03 is not scored \(not sold\)\./)
  })

  test('a list that cannot be used is refused before anything is sent', async () => {
    expectRefused(await withList('failures: ['), 2, /E_KNOWN_FAILURES/)
  })
})
