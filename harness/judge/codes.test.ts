import { expect, test } from 'vitest'
import { clearCodes, CodeFinder, isMasked, isTraceable } from './codes.ts'

const CODE = 'AB12-CD34-EF56'

test.each([
  '',
  '****',
  '****-****-****',
  '****-****-EF56',
  'XXXX-XXXX-XXXX',
  'xxxx1234',
  '••••••7',
])('%j is masked', (value) => expect(isMasked(value)).toBe(true))

test.each([CODE, '1234', 'https://gift.example/a_b-c?d=1', 'XK31-77XX-09QD'])(
  '%j is in clear',
  (value) => expect(isMasked(value)).toBe(false),
)

test('values that are no text or masked are no codes in clear', () => {
  expect(clearCodes([CODE, null, 7, '****'], ['****'])).toEqual([CODE])
})

test('what masked answers show too is a code only if each order has another', () => {
  expect(clearCodes(['REDACTED', 'REDACTED'], ['REDACTED'])).toEqual([])
  expect(clearCodes(['REDACTED'], ['REDACTED'])).toEqual([])
  expect(clearCodes([CODE, 'GH78-IJ90-KL12'], [CODE])).toEqual([CODE, 'GH78-IJ90-KL12'])
})

test('orders may share a code, as in a sandbox, if masked answers do not show it', () => {
  expect(clearCodes([CODE, CODE], ['****'])).toEqual([CODE, CODE])
})

test('a short code is not traceable', () => {
  expect(isTraceable('12-34-56')).toBe(false)
  expect(isTraceable(CODE)).toBe(true)
  expect(new CodeFinder(['1234']).isIn('{"total":1234}')).toBe(false)
})

test.each([
  ['plain', `{"pin":"${CODE}"}`],
  ['with letters escaped', `{"pin":"${CODE.replace('A', String.raw`\u0041`)}"}`],
  ['in lower case', `{"pin":"${CODE.toLowerCase()}"}`],
  ['without separators', '{"note":"AB12CD34EF56"}'],
  ['with other separators', 'AB12 CD34 EF56'],
  ['in other groups', 'AB1.2CD.34E.F56'],
  ['in base64', `{"note":"${Buffer.from(CODE).toString('base64')}"}`],
  ['in hexadecimal digits', `{"pin":"${Buffer.from(CODE).toString('hex').toUpperCase()}"}`],
  ['backwards', `{"pin":"${Array.from(CODE).toReversed().join('')}"}`],
  ['in base64 without separators', Buffer.from('AB12CD34EF56').toString('base64url')],
])('a code is found %s', (_, text) => {
  expect(new CodeFinder([CODE]).isIn(text)).toBe(true)
})

test('a code is found URL-encoded, and a masked one is not found', () => {
  expect(new CodeFinder(['AB12/CD34/EF56']).isIn('?code=AB12%2FCD34%2FEF56')).toBe(true)
  expect(new CodeFinder([CODE]).isIn('{"pin":"****-****-EF56"}')).toBe(false)
})

test('a code of which only two characters at one end are hidden is found', () => {
  const finder = new CodeFinder(['GH78-IJ90-KL12-MN34', 'QR56-ST78-UV90-WX12'])
  expect(finder.isIn('{"pin":"GH78-IJ90-KL12-MN**"}')).toBe(true)
  expect(finder.isIn('{"pin":"**56-ST78-UV90-WX12"}')).toBe(true)
  expect(finder.isIn('{"pin":"GH78-IJ90-KL12-M***"}')).toBe(false)
})

test('an identifier to which a code adds two characters is no code', () => {
  const finder = new CodeFinder(['order-4711-0815-1', 'order-4712-0816-1'])
  expect(finder.isIn('{"orderId":"order-4711-0815","pin":"****"}')).toBe(false)
})

test('what two codes have in common tells none of them', () => {
  const finder = new CodeFinder(['TEST-VOUCHER-CARD-01', 'TEST-VOUCHER-CARD-02'])
  expect(finder.isIn('{"pin":"TEST-VOUCHER-CARD-**"}')).toBe(false)
})
