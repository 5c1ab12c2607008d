import { expect, test } from 'vitest'
import { keyLayers } from './keys.ts'
import type { Answers } from './questions.ts'

const CUT: Answers = {
  keys: [
    { role: 'full', env: 'KEY' },
    { role: 'allowed', env: 'KEY_2', isFurther: true },
  ],
  shortOf: 'time',
  isInterface: true,
}

test('a key for which no time was left is said to be so, and how it is looked at alone', () => {
  expect(keyLayers(CUT)).toEqual([
    {
      name: 'key full',
      state: 'not tried',
      seen: 'no time was left for it',
      remedy: 'Look at it alone: --key full.',
    },
    {
      name: 'key allowed (KEY_2)',
      state: 'not tried',
      seen: 'no time was left for it',
      remedy: 'Look at it alone: --key KEY_2.',
    },
  ])
})
