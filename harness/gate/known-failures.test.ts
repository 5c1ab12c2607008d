import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readKnownFailures } from './known-failures.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'known-failures-'))
afterAll(() => rmSync(directory, { recursive: true }))

const source = (id: string, requirements: string[]) => ({ id, title: '', requirements })
const KNOWN = {
  catalogue: [{ id: 'AUTH-02' }, { id: 'AUTH-03' }],
  checks: [
    { ...source('auth.revoked-key', ['AUTH-03']), formerIds: ['auth.revoked-before'] },
    source('auth.missing-key', ['AUTH-01']),
  ],
  scenarios: [source('browse', ['AUTH-03'])],
}

function read(text: string): ReturnType<typeof readKnownFailures> {
  const file = path.join(directory, 'known.yaml')
  writeFileSync(file, text)
  return readKnownFailures(file, KNOWN)
}

const ENTRY = '- requirement: AUTH-03\n  reason: OPS-1\n  owner: platform\n  expires: 2027-01-31\n'

test.each([
  ['YAML', `failures:\n${ENTRY}`],
  [
    'JSON',
    '{"failures":[{"requirement":"AUTH-03","reason":"OPS-1","owner":"platform","expires":"2027-01-31"}]}',
  ],
])('reads %s', async (_name, text) => {
  expect((await read(text)).failures).toEqual([
    { requirement: 'AUTH-03', reason: 'OPS-1', owner: 'platform', expires: '2027-01-31' },
  ])
})

test('a check may be named as before it was merged into another', async () => {
  const { failures = [] } = await read(`failures:\n${ENTRY}  check: auth.revoked-before\n`)
  expect(failures[0]?.check).toBe('auth.revoked-key')
})

test('an empty list accepts nothing', async () => {
  expect(await read('')).toEqual({})
})

test.each([
  [
    'an unknown requirement',
    `failures:\n${ENTRY.replace('AUTH-03', 'AUTH-04')}`,
    /line 2: there is no requirement "AUTH-04". Did you mean "AUTH-0/,
  ],
  [
    'an unknown check',
    `failures:\n${ENTRY}  check: auth.revoked\n`,
    /line 6: there is no check "auth.revoked"/,
  ],
  [
    'a check of something else',
    `failures:\n${ENTRY}  check: auth.missing-key\n`,
    /auth.missing-key does not decide AUTH-03/,
  ],
  ['a moment that is no day', `failures:\n${ENTRY.replace('2027-01-31', 'soon')}`, /line 5: /],
  ['an entry without an owner', 'failures:\n- requirement: AUTH-03\n', /owner/],
  ['another member', 'failure: []\n', /line 1: /],
  ['no YAML', 'failures: [', /line 1: /],
])('refuses %s, with its line', async (_name, text, sentence) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'E_KNOWN_FAILURES', exitCode: 2 })
  await expect(read(text)).rejects.toThrow(sentence)
})

test('refuses a file that is not there', async () => {
  await expect(readKnownFailures('no-such-file.yaml', KNOWN)).rejects.toThrow(
    /there is no such file/,
  )
})
