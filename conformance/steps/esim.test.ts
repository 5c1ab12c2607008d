import { expect, it } from 'vitest'
import { isPayload, payloadOf, shapeOf } from './esim.ts'

it('takes the payload from result.esim, or else from the result itself', () => {
  expect(payloadOf({ esim: { qrCodeText: 'x' } })).toEqual({ qrCodeText: 'x' })
  expect(payloadOf({ lpa: 'raw' })).toEqual({ lpa: 'raw' })
  expect(payloadOf({ esim: 'odd' })).toBe('odd')
})

it('sees no payload in a result that has none', () => {
  for (const result of [null, undefined, {}, { esim: null }])
    expect(payloadOf(result)).toBeUndefined()
})

it('takes the empty place of a qrCodeText for no payload', () => {
  for (const payload of [undefined, { qrCodeText: '' }, { qrCodeText: null, iccid: '' }])
    expect(isPayload(payload)).toBe(false)
  for (const payload of [
    { qrCodeText: 'x' },
    { lpa: 'raw' },
    { qrCodeText: '', iccid: '1' },
    'odd',
  ])
    expect(isPayload(payload)).toBe(true)
})

it('shows names and never values of an object', () => {
  expect(shapeOf({ lpa: 'secret' })).toBe('an object of ["lpa"]')
  expect(shapeOf(null)).toBe('null')
})
