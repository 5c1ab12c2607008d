import { expect, test } from 'vitest'
import { WAIT_SECONDS_MAX } from '../../harness/target-file/target.ts'
import { needShortWait } from './waiting.ts'

test('a wait of the longest length passes, a longer one ends the check', () => {
  expect(() => needShortWait('a window', WAIT_SECONDS_MAX * 1000)).not.toThrow()
  expect(() => needShortWait('a window', 60_000_000)).toThrow(/60000 s for a window.*in seconds/)
})
