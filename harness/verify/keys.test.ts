import { expect, test } from 'vitest'
import { exchangeWith } from '../../test/support/exchanges.ts'
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

const notFound = (of: string): ReturnType<typeof exchangeWith> =>
  exchangeWith({ response: { status: 404 }, json: { statusCode: 3, errorCode: of } })

test.each([
  ['the same 404 everywhere is no read', 'revoked_key', 'pass', 'refused, as its role says'],
  ['a 404 of an order that nobody has is a read', 'order_not_found', 'fail', 'it is accepted'],
])('of a revoked key: %s', (_what, errorCode, state, seen) => {
  const answers: Answers = {
    keys: [
      {
        role: 'revoked',
        env: 'KEY',
        catalog: { ...notFound('revoked_key'), operation: 'listServices' },
        orders: notFound(errorCode),
      },
    ],
    isInterface: true,
  }
  expect(keyLayers(answers)).toMatchObject([{ state, seen }])
})
