import { expect, it } from 'vitest'
import { payloadOf, shapeOf } from './steps.ts'

it('takes the payload from result.esim, or else from the result itself', () => {
  expect(payloadOf({ esim: { qrCodeText: 'x' } })).toEqual({ qrCodeText: 'x' })
  expect(payloadOf({ lpa: 'raw' })).toEqual({ lpa: 'raw' })
  expect(payloadOf({ esim: 'odd' })).toBe('odd')
})

it('sees no payload in a result that has none', () => {
  for (const result of [null, undefined, {}, { esim: null }])
    expect(payloadOf(result)).toBeUndefined()
})

it('shows names and never values of an object', () => {
  expect(shapeOf({ lpa: 'secret' })).toBe('an object of ["lpa"]')
  expect(shapeOf(null)).toBe('null')
})
