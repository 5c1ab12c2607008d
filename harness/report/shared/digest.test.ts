import { expect, test } from 'vitest'
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { passingRecord } from '../../../test/report/sample-record.ts'
import { scopeSentence } from './digest.ts'

type Entry = RunRecord['requirements'][number]

function recordOf(changes: readonly Partial<Entry>[], partial = false): RunRecord {
  const record = passingRecord()
  const [sample] = record.requirements as [Entry]
  const requirements = changes.map((change, index) => ({
    ...sample,
    level: 'must' as const,
    verdict: 'pass' as const,
    ...change,
    id: `ANY-0${index}`,
  }))
  const undecided = [{ requirement: 'ANY-01', reason: 'no key' }]
  return { ...record, requirements, undecided, profile: { ...record.profile, partial } }
}

test('the scope is what applies, is asked for and was selected', () => {
  const all = [
    {},
    { verdict: 'untested' },
    { verdict: 'inapplicable' },
    { level: 'may' },
    { level: 'may', verdict: 'untested' },
  ] as const
  expect(scopeSentence(recordOf(all))).toBe(
    'Of 5 requirements, 2 are in scope, 1 inapplicable to this target, 2 optional.',
  )
  expect(scopeSentence(recordOf([{}, {}, { verdict: 'untested' }], true))).toBe(
    'Of 3 requirements, 2 are in scope, 1 not selected.',
  )
})
