import { expect, it } from 'vitest'
import { isActivation, payloadOf, shapeOf } from './esim.ts'

it('takes the payload from result.esim, or else from the result itself', () => {
  expect(payloadOf({ esim: { qrCodeText: 'x' } })).toEqual({ qrCodeText: 'x' })
  expect(payloadOf({ lpa: 'raw' })).toEqual({ lpa: 'raw' })
  expect(payloadOf({ esim: 'odd' })).toBe('odd')
})

it('sees no payload in a result that has none', () => {
  for (const result of [null, undefined, {}, { esim: null }, { vouchers: [], attributes: {} }])
    expect(payloadOf(result)).toBeUndefined()
})

it('takes only a declared field with a value for an activation', () => {
  const placeholders = [undefined, 'odd', { qrCodeText: '' }, { qrCodeText: null, iccid: '' }]
  for (const payload of [...placeholders, { message: 'pending' }])
    expect(isActivation(payload)).toBe(false)
  for (const payload of [{ qrCodeText: 'x' }, { qrCodeText: '', iccid: '1' }])
    expect(isActivation(payload)).toBe(true)
})

it('shows names and never values of an object', () => {
  expect(shapeOf({ lpa: 'secret' })).toBe('an object of ["lpa"]')
  expect(shapeOf(null)).toBe('null')
})
