import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import { lastFailed } from './last-failed.ts'

test('what was red in the newest run, and what a cause blocked, is selected', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'last-failed-'))
  try {
    expect(() => lastFailed(dir)).toThrow(HarnessError)
    write(dir, '2026-01-01-000000', [{ id: 'a.old', verdict: 'fail' }])
    write(dir, '2026-01-02-000000', [
      { id: 'a.failed', verdict: 'fail' },
      { id: 'a.open', verdict: 'inconclusive' },
      { id: 'a.blocked', verdict: 'untested', blockedBy: 'C1' },
      { id: 'a.untested', verdict: 'untested' },
      { id: 'a.passed', verdict: 'pass' },
    ])
    expect(lastFailed(dir)).toEqual(['a.failed', 'a.open', 'a.blocked'])
    write(dir, '2026-01-03-000000', [{ id: 'a.passed', verdict: 'pass' }])
    expect(() => lastFailed(dir)).toThrow(/nothing was red/)
  } finally {
    rmSync(dir, { recursive: true })
  }
})

function write(dir: string, runId: string, checks: readonly object[]): void {
  mkdirSync(path.join(dir, runId))
  const record = { schemaVersion: 1, runId, target: {}, checks, load: [], observations: [] }
  writeFileSync(path.join(dir, runId, 'run.json'), JSON.stringify(record))
}
