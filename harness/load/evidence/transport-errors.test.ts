import { expect, test } from 'vitest'
import { describeTransportError } from './transport-errors.ts'

test.each([
  [1310, 'the certificate is of an unknown authority, k6 error code 1310'],
  [1213, 'the connection failed, k6 error code 1213'],
  [1999, 'k6 error code 1999'],
])('%s is %s', (code, words) => {
  expect(describeTransportError(code)).toBe(words)
})
