import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import { env, errorOf, SECRET, targetFiles, url } from '../../test/support/target-files.ts'
import { resolveTarget } from './resolve.ts'

const { cwd, resolveFile, fileError } = targetFiles()

const shop = { ordersType: 'shop', referenceId: '{{referenceId}}' }

function body(bodies: object, more: object = {}): object {
  return { operations: { createOrder: { bodies } }, ...more }
}

function selectors(operation: string, each: object): object {
  return { operations: { [operation]: { selectors: each } } }
}

function onlyHarnessErrors(content: unknown): void {
  try {
    resolveFile(content)
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessError)
    expect((error as HarnessError).message.length).toBeLessThan(40_000)
  }
}

describe('a wrong file', () => {
  test.each([
    [
      { nmae: 'x' },
      '2:3 (/nmae): there is no property "nmae" here; known are $schema, extends, name, baseUrl',
      'Did you mean "name"?',
    ],
    [
      { environment: 'prod' },
      '2:18 (/environment): got "prod"; expected one of sandbox, production.',
      'Did you mean "production"?',
    ],
    [{ baseUrl: 7 }, '(/baseUrl): got 7; expected a text.', 'Correct the value.'],
    [
      { credentials: { ful: { env: 'X' } } },
      '(/credentials/ful): got the name "ful"; expected one of full, sibling',
      'Did you mean "full"?',
    ],
    [
      { credentials: { full: {} } },
      '(/credentials/full/env): the property "env" is missing.',
      'Add "env".',
    ],
    [{ products: { vuocher: {} } }, '(/products/vuocher)', 'Did you mean "voucher"?'],
    [
      { products: { voucher: { unitPrice: 1.5 } } },
      '(/products/voucher/unitPrice): got 1.5; expected a text.',
      'Write "1.5", in quotes.',
    ],
    [
      { products: { voucher: { unitPrice: '1,5' } } },
      'got "1,5"; expected a decimal amount, as text',
      'Correct',
    ],
    [
      { limits: { 'orders.list': { count: 0, windowSeconds: 60 } } },
      '(/limits/orders.list/count): got 0; expected a number >= 1.',
      'Correct',
    ],
    [
      { limits: { 'orders.lists': { count: 1, windowSeconds: 60 } } },
      '(/limits/orders.lists)',
      'Did you mean "orders.list"?',
    ],
    [
      { limits: { 'orders.unhide.admission': { count: 5, windowSeconds: 60 } } },
      'which give 61 per 60 s',
      'Leave it out',
    ],
    [{ capabilities: ['base', 'esims'] }, '(/capabilities/1): got "esims"', 'Did you mean "esim"?'],
    [{ operations: { getOrder: {} } }, '(/operations/getOrder)', 'Did you mean "getOrders"?'],
    [
      { operations: { getItem: { path: 'items' } } },
      '(/operations/getItem/path): got "items"; expected a path from the base URL on',
      'Correct',
    ],
    [
      { operations: { getItem: { path: '/a?b=c' } } },
      'a path with a query or a fragment',
      '"query"',
    ],
    [{ operations: { getItem: { path: '/a/../b' } } }, 'expected a plain path', '"/../"'],
    [{ operations: { getItem: { path: '/a/{1}' } } }, 'braces that are no placeholder', '{name}'],
    [
      { operations: { getOrders: { method: 'POST' } } },
      'got POST; the interface calls getOrders with GET.',
      'Remove "method".',
    ],
    [
      selectors('getOrders', { item: '/data' }),
      '(/operations/getOrders/selectors/item): no check reads a selector "item"',
      'Did you mean "items"?',
    ],
    [
      selectors('getOrders', { items: '$.data[' }),
      'got "$.data[", which is no selector: not a JSONPath query',
      'JSON Pointer such as',
    ],
    [
      selectors('getOrders', { items: 'data.page' }),
      'got "data.page"; expected a JSON Pointer (RFC 6901)',
      'Correct',
    ],
    [
      body({ shop: { ordersType: 'shop' } }),
      '(/operations/createOrder/bodies/shop): the body has no {{referenceId}}',
      'Add "referenceId"',
    ],
    [
      body({ shop: 'x' }),
      '(/operations/createOrder/bodies/shop): got "x"; expected an object.',
      'Correct',
    ],
    [
      body({ 'dtu-check': { ordersType: 'dtu' } }),
      'so it would create orders',
      'Add "checkOnly": true.',
    ],
    [
      body({ shop: { ...shop, a: '{{ }}' } }),
      '(/operations/createOrder/bodies/shop/a): got "{{ }}", which has braces',
      '{{name}}',
    ],
    [
      body({ shop: { ...shop, a: '{itemId}' } }),
      '(/operations/createOrder/bodies/shop/a): got "{itemId}", which has braces',
      'Write "{{itemId}}"',
    ],
    [
      body(
        { shop: { ...shop, a: '{{itemid}}' } },
        { products: { voucher: { variables: { itemId: 1 } } } },
      ),
      'the variable "itemid" is not given by the product "voucher"',
      'Did you mean "itemId"?',
    ],
    [
      { operations: { getItem: { path: '/i/{itemId}' } }, products: { voucher: {} } },
      '(/operations/getItem/path): the variable "itemId" is given by no product.',
      'Add it to',
    ],
    [
      { operations: { validateDtu: { bodies: {} } } },
      'only createOrder and createCart have bodies by kind',
      'Write "body"',
    ],
    [
      { operations: { createCart: { bodies: { 'dtu-check': { item: '{{itemId}}' } } } } },
      'a position of a cart is of one of these kinds: shop, dtu, esim',
      'Remove it',
    ],
    [
      { answers: { replayStatusCode: 8 } },
      '(/answers/replayStatusCode): got 8, which the interface gives another meaning',
      'observed',
    ],
    [
      { answers: { replayStatusCode: 1, successStatusCode: 1 } },
      'a client could not tell them apart',
      'Correct one',
    ],
    [
      { answers: { platformGift: 'disabled' }, capabilities: ['platform-gift'] },
      'the capability "platform-gift" is declared',
      'Remove one',
    ],
    [
      { control: { baseUrl: 'x' } },
      '(/control/baseUrl): got "x"; expected an absolute URL.',
      'Write it as',
    ],
  ])('%j is refused with place, value and fix', (content, message, fix) => {
    const error = fileError({ ...content, ...('baseUrl' in content ? {} : { baseUrl: url }) })
    expect(error.code).toBe('E_TARGET_FILE_INVALID')
    expect(error.message).toContain('staging.json:')
    expect(error.message).toContain(message)
    expect(error.nextStep).toContain(fix)
  })

  test('all problems are named at once, the gravest gives the code', () => {
    const error = errorOf(() =>
      resolveFile(
        {
          baseUrl: 'x',
          nmae: 1,
          environment: 'prod',
          credentials: { full: { env: 'A', key: SECRET }, capped: { env: 'CAPPED_KEY' } },
          operations: { getOrders: { selectors: { items: '$[' } } },
        },
        env,
        { timing: 'x' },
      ),
    )
    expect(error.code).toBe('E_TARGET_SECRET')
    expect(error.message).toContain('The target has 7 problems:\n  1. ')
    for (const place of [
      '--timing',
      '(/baseUrl)',
      '(/nmae)',
      '(/environment)',
      '(/credentials/full/key)',
      '(/credentials/capped/env)',
      '(/operations/getOrders/selectors/items)',
    ])
      expect(error.message).toContain(place)
  })

  test.each([
    ['a comment', '{\n  // note\n}', 'staging.json:2:3: not JSON: a comment: JSON has none.'],
    ['a trailing comma', '{"name": "x",}', 'staging.json:1:14: not JSON: a comma before "}"'],
    ['a byte order mark', '\uFEFF{}', 'staging.json: it starts with a byte order mark'],
    ['nothing', ' \n', 'staging.json: it is empty.'],
  ])('%s is unreadable', (_, text, message) => {
    const error = fileError(text)
    expect(error.code).toBe('E_TARGET_FILE_UNREADABLE')
    expect(error.message).toContain(message)
  })

  test.each([
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'UTF-16'],
    ['Latin-1', Buffer.from('{"name": "é"}', 'latin1'), 'not UTF-8'],
    ['a huge one', Buffer.alloc(300_000, 32), 'at most 262144'],
  ])('%s is unreadable', (_, bytes, message) => {
    writeFileSync(path.join(cwd, 'bytes.json'), bytes)
    const error = errorOf(() => resolveTarget({ flags: { target: 'bytes.json' }, env, cwd }))
    expect(error.code).toBe('E_TARGET_FILE_UNREADABLE')
    expect(error.message).toContain(message)
  })

  test('a directory and a missing folder are unreadable', () => {
    mkdirSync(path.join(cwd, 'folder'), { recursive: true })
    const read = (target: string): string =>
      errorOf(() => resolveTarget({ flags: { target }, env, cwd })).message
    expect(read('folder')).toContain('this is a directory')
    expect(read('nowhere/x.json')).toContain('there is no such file')
  })

  test.each([
    ['{"baseUrl": "https://a.example", "baseUrl": "https://b.example"}', '1:34', 'a second time'],
    [
      '{"baseUrl": "https://a.example", "products": {"voucher": {"variables": {"__proto__": 1}}}}',
      '1:73',
      '"__proto__" is not allowed',
    ],
  ])('%.30s… is refused', (text, place, message) => {
    const error = fileError(text)
    expect(error.code).toBe('E_TARGET_FILE_INVALID')
    expect(error.message).toContain(`staging.json:${place}: `)
    expect(error.message).toContain(message)
  })
})

describe('hostile files', () => {
  const sections = [
    'credentials',
    'products',
    'limits',
    'operations',
    'answers',
    'control',
    'capabilities',
  ]

  test('any JSON ends in a target or in a HarnessError', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), onlyHarnessErrors), { numRuns: 200 })
  })

  test('so does any JSON in any section, and any text', () => {
    const member = fc.constantFrom(
      'full',
      'voucher',
      'orders.list',
      'getOrders',
      'createOrder',
      'constructor',
      '__proto__',
      'baseUrl',
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'env',
          'path',
          'body',
          'bodies',
          'selectors',
          'query',
          'variables',
          'count',
        ),
        fc.jsonValue(),
      ),
    )
    fc.assert(
      fc.property(fc.constantFrom(...sections), member, value, (section, name, each) => {
        onlyHarnessErrors(
          `{"baseUrl": "${url}", "${section}": {"${name}": ${JSON.stringify(each)}}}`,
        )
      }),
      { numRuns: 300 },
    )
    fc.assert(fc.property(fc.string({ unit: 'binary' }), onlyHarnessErrors), { numRuns: 100 })
  })

  const long = 'x{'.repeat(5000)

  test.each([
    ['a long text', { name: long }, 'a text of more than 8192 characters'],
    [
      'many values',
      { capabilities: Array.from({ length: 6000 }, () => 1) },
      'more than 5000 values',
    ],
  ])('%s is not even looked at', (_, content, message) => {
    const error = fileError({ baseUrl: url, ...content })
    expect(error.code).toBe('E_TARGET_FILE_UNREADABLE')
    expect(error.message).toContain(message)
  })

  test('a thousand problems are counted, not all listed', () => {
    const names = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]))
    const error = fileError({ baseUrl: url, ...names })
    expect(error.message).toContain('The target has 1000 problems')
    expect(error.message).toContain('… and 970 more')
  })
})
