import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import { lastFailed } from './last-failed.ts'

const ENV = { ORDERING_KEY: 'key-of-full' }
const of = (reportsDir: string, baseUrl = 'https://a.example') =>
  lastFailed({ reportsDir, target: { baseUrl }, faults: [] }, ENV)

test('what was red in the newest run, and what a cause blocked, is selected', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'last-failed-'))
  try {
    expect(() => of(dir)).toThrow(HarnessError)
    write(dir, '2026-01-01-000000', [{ id: 'a.old', verdict: 'fail' }])
    write(dir, '2026-01-02-000000', [
      { id: 'a.failed', verdict: 'fail' },
      { id: 'a.open', verdict: 'inconclusive' },
      { id: 'a.blocked', verdict: 'untested', blockedBy: 'C1' },
      { id: 'a.untested', verdict: 'untested' },
      { id: 'a.passed', verdict: 'pass' },
    ])
    expect(of(dir)).toEqual(['a.failed', 'a.open', 'a.blocked'])
    // A run that never reached the target, and one of another, are looked past.
    write(dir, '2026-01-03-000000', [{ id: 'a.failed', verdict: 'untested' }])
    write(dir, '2026-01-04-000000', [{ id: 'a.other', verdict: 'fail' }], 'https://b.example')
    expect(of(dir)).toEqual(['a.failed', 'a.open', 'a.blocked'])
    expect(of(dir, 'https://b.example')).toEqual(['a.other'])
    expect(() => of(dir, 'https://c.example')).toThrow(/no run of this target/)
    write(dir, '2026-01-05-000000', [{ id: 'a.passed', verdict: 'pass' }])
    expect(() => of(dir)).toThrow(/nothing was red/)
  } finally {
    rmSync(dir, { recursive: true })
  }
})

const targetOf = (baseUrl: string): object => ({
  kind: 'url',
  name: new URL(baseUrl).host,
  baseUrl,
  faults: [],
})

function write(
  dir: string,
  runId: string,
  checks: readonly object[],
  baseUrl = 'https://a.example',
): void {
  mkdirSync(path.join(dir, runId))
  const record = {
    schemaVersion: 1,
    runId,
    target: targetOf(baseUrl),
    checks,
    load: [],
    observations: [],
  }
  writeFileSync(path.join(dir, runId, 'run.json'), JSON.stringify(record))
}
