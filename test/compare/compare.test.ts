import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { compare as compareRuns } from '../../scripts/compare-main.ts'
import { failingRecord, passingRecord } from '../report/sample-record.ts'
import { look, type Looked } from '../verify/looking.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'compare-'))
afterAll(() => rmSync(directory, { recursive: true }))

function stored(name: string, record: RunRecord): string {
  const file = path.join(directory, `${name}.json`)
  writeFileSync(file, JSON.stringify(record))
  return file
}

const passing = stored('passing', passingRecord())
const failing = stored('failing', failingRecord())

/** As the command does, in this process. */
function compare(...args: readonly string[]): Promise<Looked> {
  return look((argv, _, { out }) => compareRuns(argv, out), args, {})
}

test('the command prints the comparison and ends with its code', () => {
  const script = path.resolve(import.meta.dirname, '../../scripts/compare.ts')
  const ended = spawnSync(process.execPath, [script, passing, failing], { encoding: 'utf8' })
  expect(ended.status).toBe(1)
  expect(ended.stdout).toMatch(/^newly broken: .*RATE-07/m)
  const refused = spawnSync(process.execPath, [script, passing], { encoding: 'utf8' })
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('E_USAGE: 1 runs were given')
})

test('what is newly broken is named, and ends with 1', async () => {
  const { code, out } = await compare(passing, failing)
  expect(code).toBe(1)
  expect(out).toMatch(/^newly broken: .*RATE-07 \(was pass\)/m)
})

test('what is mended is named, and ends with 0', async () => {
  const { code, out } = await compare(failing, passing)
  expect(code).toBe(0)
  expect(out).toMatch(/^mended: .*RATE-07 \(was fail\)/m)
})

test('a run of a part is no regression, and what it left out is counted once', async () => {
  const record = failingRecord()
  const part = stored('part', {
    ...record,
    requirements: record.requirements.map((each) => ({ ...each, verdict: 'untested', checks: [] })),
  })
  const less = await compare(failing, part)
  expect(less.code).toBe(0)
  expect(less.out).toMatch(/^not selected in the later run: \d+$/m)
  expect(less.out).not.toContain('no longer decided')
  const more = await compare(part, failing)
  expect(more.code).toBe(0)
  expect(more.out).toMatch(/^not selected in the earlier run: \d+, of these broken: .*RATE-07/m)
})

test('equal runs say so', async () => {
  const { code, out } = await compare(passing, passing)
  expect(code).toBe(0)
  expect(out).toContain('No requirement changed')
})

test('JSON has the same lists', async () => {
  const { code, out } = await compare(passing, failing, '--json')
  expect(code).toBe(1)
  const { comparison } = JSON.parse(out) as {
    comparison: { requirements: { newlyBroken: { requirement: string }[] } }
  }
  expect(comparison.requirements.newlyBroken).toContainEqual(
    expect.objectContaining({ requirement: 'RATE-07', before: 'pass', now: 'fail' }),
  )
})

test('runs of different targets are a hazard', async () => {
  const other = passingRecord()
  const file = stored('other', {
    ...other,
    target: { ...other.target, baseUrl: 'https://b.example' },
  })
  expect((await compare(passing, file)).out).toMatch(
    /^! The runs are of different targets: .*baseUrl/m,
  )
})

test.each([
  [['no-such-file.json', 'x'], 'E_RECORD_UNREADABLE'],
  [[path.resolve(import.meta.dirname, '../../package.json'), 'x'], 'is no run record'],
  [[passing], 'E_USAGE: 1 runs were given'],
  [[passing, failing, '--jsn'], 'E_USAGE'],
])('%j is refused', async (args, sentence) => {
  const { code, out } = await compare(...args)
  expect(code).toBe(2)
  expect(out).toContain(sentence)
})
