import { expect, test } from 'vitest'
import { ENDING_SIGNALS, type EndingSignal } from '../signals.ts'
import { Interruption } from './interruption.ts'

/** What a run hears of these signals, one after the other. */
function heard(...signals: readonly EndingSignal[]): unknown {
  const hastened: EndingSignal[] = []
  using interruption = new Interruption((by) => hastened.push(by))
  for (const signal of signals) process.emit(signal, signal)
  return { by: interruption.by, isAborted: interruption.signal.aborted, hastened }
}

test.each(ENDING_SIGNALS)('the first signal interrupts: %s', (by) => {
  expect(heard(by)).toEqual({ by, isAborted: true, hastened: [] })
})

test('a second signal ends at once, but a terminal that closes leaves time for the record', () => {
  expect(heard('SIGTERM', 'SIGHUP')).toMatchObject({ by: 'SIGTERM', hastened: [] })
  expect(heard('SIGHUP', 'SIGHUP', 'SIGINT')).toMatchObject({ by: 'SIGHUP', hastened: ['SIGINT'] })
})
