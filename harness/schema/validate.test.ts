import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPABILITIES, PRODUCT_ABILITIES, ROLES } from '../../contract/capabilities.ts'
import { LIMIT_NAMES } from '../../contract/limits.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { FIELD_ERROR_CODES, ITEM_LOOKUP_ERRORS, TRANSACTION_STATUSES } from '../../contract/wire.ts'
import {
  DOCUMENT_NAMES,
  MESSAGE_NAMES,
  validateDocument,
  validateMessage,
  wordsOf,
} from './validate.ts'

const VALUE_SCHEMAS = ['transaction-status', 'iso-date-time', 'iso-utc-date-time']
const envelope = { status: 'SUCCESS', statusCode: 0, statusMessage: 'ok', traceId: 't1' }
const item = { id: 'i1', currency: 'USD', price: 9.5, inStock: 3 }
const order = { orderId: 'o1', currency: 'USD', price: 9.5, status: 'SUCCESS' }

/** Places of the violations, which is what most tests are about. */
function places(...[name, value]: Parameters<typeof validateMessage>): string[] {
  return validateMessage(name, value).map((violation) => violation.pointer)
}

const SCHEMA_DIR = path.join(import.meta.dirname, '..', '..', 'schemas')
const SCHEMA_FILES = readdirSync(SCHEMA_DIR).filter((name) => name.endsWith('.schema.json'))

test('every schema file is a message, a document or a value', () => {
  const files = SCHEMA_FILES.map((name) => name.replace('.schema.json', ''))
  expect(files.toSorted()).toEqual(
    [...MESSAGE_NAMES, ...DOCUMENT_NAMES, ...VALUE_SCHEMAS].toSorted(),
  )
})

test.each(SCHEMA_FILES)('%s is a schema of draft 2020-12', (name) => {
  const schema = JSON.parse(readFileSync(path.join(SCHEMA_DIR, name), 'utf8')) as AnySchemaObject
  expect(new Ajv2020().validateSchema(schema)).toBe(true)
})

describe('envelope', () => {
  test.each([
    ['the smallest one', envelope],
    ['nulls where they are allowed', { ...envelope, data: null, errorCode: null, errors: null }],
    ['additional fields', { ...envelope, data: { a: 1 }, more: [1] }],
    ['the last status code', { ...envelope, statusCode: 14 }],
    ['a field error', { ...envelope, errors: [{ code: 'MISSING', field: 'x', message: '' }] }],
  ])('%s conforms', (_, value) => {
    expect(validateMessage('envelope', value)).toEqual([])
  })

  test.each([
    ['data array', { data: [] }, '/data'],
    ['number as error code', { errorCode: 13 }, '/errorCode'],
    ['errors object', { errors: {} }, '/errors'],
    [
      'unknown field error code',
      { errors: [{ code: 'X', field: '', message: '' }] },
      '/errors/0/code',
    ],
    [
      'field error without message',
      { errors: [{ code: 'MISSING', field: '' }] },
      '/errors/0/message',
    ],
    ['status in lower case', { status: 'success' }, '/status'],
    ['status code 15', { statusCode: 15 }, '/statusCode'],
    ['status code -1', { statusCode: -1 }, '/statusCode'],
    ['fraction', { statusCode: 1.5 }, '/statusCode'],
    ['text', { statusCode: '8' }, '/statusCode'],
    ['null trace id', { traceId: null }, '/traceId'],
  ])('%s is refused', (_, change, place) => {
    expect(places('envelope', { ...envelope, ...change })).toEqual([place])
  })

  test('all that is wrong is said at once, in words', () => {
    expect(validateMessage('envelope', { status: 'OK', statusCode: 99, statusMessage: 1 })).toEqual(
      [
        { pointer: '/traceId', message: 'expected a member "traceId"', got: 'nothing' },
        {
          pointer: '/status',
          message: 'expected one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED',
          got: '"OK"',
        },
        { pointer: '/statusCode', message: 'expected a number <= 14', got: '99' },
        { pointer: '/statusMessage', message: 'expected a text', got: '1' },
      ],
    )
  })
})

describe('product item', () => {
  test.each([
    ['a number in stock', item],
    ['a numeric text in stock', { ...item, inStock: '12' }],
    ['no name', { ...item, name: null }],
    ['additional fields', { ...item, imageUrl: 'https://x/y.png' }],
    ['a quantity item', { ...item, amountIsQuantity: true, minQuantity: 1, unitPrice: '0.1' }],
    ['an ordinary item', { ...item, amountIsQuantity: false, isLongOrder: false }],
    ['a long-order item', { ...item, isLongOrder: true, minQtyToLongOrder: 10 }],
  ])('%s conforms', (_, value) => {
    expect(validateMessage('product-item', value)).toEqual([])
  })

  test.each([
    ['price in words', { price: 'cheap' }, '/price'],
    ['stock in words', { inStock: 'plenty' }, '/inStock'],
    ['boolean stock', { inStock: true }, '/inStock'],
    ['quantity bounds of an ordinary item', { minQuantity: 1 }, '/minQuantity'],
    ['unit price number', { amountIsQuantity: true, unitPrice: 1 }, '/unitPrice'],
    ['long-order bound without long orders', { minQtyToLongOrder: 1 }, '/minQtyToLongOrder'],
  ])('%s is refused', (_, change, place) => {
    expect(places('product-item', { ...item, ...change })).toEqual([place])
  })

  test('says why a member must not be there', () => {
    expect(validateMessage('product-item', { ...item, stepQuantity: 2 })).toEqual([
      {
        pointer: '/stepQuantity',
        message: 'expected no such member: it is present only when amountIsQuantity is true',
        got: '2',
      },
    ])
  })
})

describe('purchase response', () => {
  test.each([
    ['without optional members', order],
    ['pending', { ...order, status: 'IN_PROGRESS', result: null }],
    ['created at, with Z', { ...order, createdAt: '2026-05-01T10:00:00Z' }],
    [
      'created at, with fraction and offset',
      { ...order, createdAt: '2026-05-01T10:00:00.123+00:00' },
    ],
    [
      'a voucher',
      { ...order, result: { vouchers: [{ pin: '1', expiration: '2027-05-01T00:00:00' }] } },
    ],
    ['top-up attributes', { ...order, result: { attributes: { any: [1] }, vouchers: null } }],
    [
      'an eSIM with supplier fields',
      { ...order, result: { esim: { qrCodeText: 'LPA:1$x', apn: 1 } } },
    ],
    ['a raw eSIM payload', { ...order, result: { esim: { qrCodeText: '', iccid: 7 } } }],
    ['a raw payload as the result', { ...order, result: { supplier: 'x', code: null } }],
    [
      'a gift',
      { ...order, result: { platformGift: { resolutionRequired: false, giftState: 'new' } } },
    ],
  ])('%s conforms', (_, value) => {
    expect(validateMessage('purchase-response', value)).toEqual([])
  })

  test.each([
    ['price text', { price: '1' }, '/price'],
    ['another status', { status: 'DONE' }, '/status'],
    ['local time', { createdAt: '2026-05-01T10:00:00' }, '/createdAt'],
    ['another zone', { createdAt: '2026-05-01T10:00:00+02:00' }, '/createdAt'],
    ['a date', { createdAt: '2026-05-01' }, '/createdAt'],
    ['epoch', { createdAt: 1_777_000_000 }, '/createdAt'],
    ['month 13', { createdAt: '2026-13-01T10:00:00Z' }, '/createdAt'],
    ['array result', { result: [] }, '/result'],
    ['voucher without pin', { result: { vouchers: [{}] } }, '/result/vouchers/0/pin'],
    [
      'eSIM with a number as iccid',
      { result: { esim: { qrCodeText: 'x', iccid: 7 } } },
      '/result/esim/iccid',
    ],
    ['eSIM array', { result: { esim: [] } }, '/result/esim'],
    [
      'gift without resolutionRequired',
      { result: { platformGift: {} } },
      '/result/platformGift/resolutionRequired',
    ],
  ])('%s is refused', (_, change, place) => {
    expect(places('purchase-response', { ...order, ...change })).toEqual([place])
  })

  test('is refused inside a checkout at its own place', () => {
    const checkout = { referenceId: 'r', currency: 'USD', totalPrice: 1, status: 'SUCCESS' }
    expect(places('checkout-response', { ...checkout, orders: [order] })).toEqual([])
    expect(places('checkout-response', { ...checkout, orders: [order, {}] })).toContain(
      '/orders/1/orderId',
    )
  })
})

test('item lookup, order page and gift quote ask for what is shown and no more', () => {
  const found = { serviceId: 's', itemId: 'i', found: true, item }
  for (const error of [...ITEM_LOOKUP_ERRORS, null])
    expect(validateMessage('item-lookup-response', { items: [{ ...found, error }] })).toEqual([])
  expect(places('item-lookup-response', { items: [{ ...found, error: 'gone' }] })).toEqual([
    '/items/0/error',
  ])
  expect(places('order-page', { page: { items: [{ status: 'CANCELLED' }], total: 1 } })).toEqual([])
  expect(places('order-page', { page: { items: [{}] } })).toEqual(['/page/items/0/status'])
  expect(places('order-page', { items: [] })).toEqual(['/page'])
  expect(places('gift-quote-response', { quoteToken: 'q', productId: 1 })).toEqual([])
  expect(places('gift-quote-response', {})).toEqual(['/quoteToken'])
})

test('every value of the closed sets of the contract conforms', () => {
  for (const status of TRANSACTION_STATUSES)
    expect(validateMessage('envelope', { ...envelope, status })).toEqual([])
  for (const code of FIELD_ERROR_CODES)
    expect(validateMessage('field-error', { code, field: 'f', message: 'm' })).toEqual([])
})

describe('hostile values', () => {
  test('what is printed is bounded', () => {
    const [violation] = validateMessage('voucher', { pin: { ['n'.repeat(1e6)]: 1 } })
    expect(violation?.got.length).toBeLessThan(200)
    const [text] = validateMessage('order-page', 'x'.repeat(1e7))
    expect(text?.got.length).toBeLessThan(200)
  })

  test('a value of great depth and one of great length are refused in bounded time', () => {
    let deep: unknown = 1
    for (let level = 0; level < 200_000; level++) deep = [deep]
    expect(places('envelope', deep)).toEqual([''])
    const long = { ...envelope, errors: Array.from({ length: 200_000 }, () => 1) }
    expect(places('envelope', long)).toEqual(['/errors/0'])
  })

  test('a long list of violations is cut and says so', () => {
    const violations = validateMessage('envelope', {
      ...envelope,
      errors: Array.from({ length: 500 }, () => 1),
    })
    expect(violations).toHaveLength(51)
    expect(violations.at(-1)?.got).toBe('450 more')
  })

  test('no JSON makes it throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_NAMES), fc.jsonValue(), (name, value) => {
        for (const violation of validateMessage(name, value))
          expect(violation.message).toMatch(/^expected /)
      }),
    )
    for (const name of MESSAGE_NAMES) expect(validateMessage(name, undefined)).not.toEqual([])
  })
})

test('documents are held against their schemas', () => {
  expect(validateDocument('target', { baseUrl: 'http://127.0.0.1:1' })).toEqual([])
  expect(validateDocument('target', {}).map((violation) => violation.pointer)).toEqual(['/baseUrl'])
  expect(validateDocument('run-record', {}).length).toBeGreaterThan(10)
})

test('the words of the closed sets of a document are known', () => {
  const words = wordsOf('run-record')
  for (const word of ['sandbox', 'production', 'partner', 'conformance', 'inconclusive'])
    expect(words).toContain(word)
})

test('the closed sets of the target file are those of the contract', () => {
  const names = [
    ...CAPABILITIES.map((each) => ({ capabilities: [each] })),
    ...Object.keys(ROLES).map((each) => ({ credentials: { [each]: { env: 'X' } } })),
    ...PRODUCT_ABILITIES.map((each) => ({ products: { [each]: {} } })),
    ...LIMIT_NAMES.map((each) => ({ limits: { [each]: { count: 1, windowSeconds: 1 } } })),
    ...Object.keys(OPERATIONS).map((each) => ({ operations: { [each]: {} } })),
  ]
  for (const section of names)
    expect(validateDocument('target', { baseUrl: 'http://127.0.0.1:1', ...section })).toEqual([])
})
