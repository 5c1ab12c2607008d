import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { env, errorOf, targetFiles, temporaryFolder, url } from '../../test/support/target-files.ts'
import { resolveTarget, type ResolvedTarget } from './resolve.ts'

const SHOP = { ordersType: 'shop', referenceId: '{{referenceId}}', item: '{{itemId}}' }
const BASE = {
  baseUrl: url,
  environment: 'sandbox',
  capabilities: ['catalog', 'shop'],
  products: {
    voucher: { variables: { itemId: 'a', note: 'x' }, currency: 'USD', unitPrice: '1.00' },
  },
  operations: {
    getItem: { path: '/items/{itemId}', selectors: { item: '/item' } },
    createOrder: { bodies: { shop: SHOP }, selectors: { price: '/data/cost' } },
  },
  answers: { replayStatusCode: 5 },
}

const { resolveFile, fileError, cwd } = targetFiles()

function over(own: object, base: object = BASE): ResolvedTarget {
  writeFileSync(path.join(cwd, 'base.json'), JSON.stringify(base, undefined, 2))
  return resolveFile({ extends: 'base.json', ...own })
}

describe('a target file that extends another', () => {
  test('says what both say, and the values that it gives win', () => {
    const target = over({
      environment: 'production',
      products: { voucher: { unitPrice: '2.50', variables: { itemId: 'b' } } },
      operations: { createOrder: { selectors: { orderId: '/data/id' } } },
    })
    expect(target.environment).toBe('production')
    expect(target.baseUrl).toBe(url)
    expect(target.products.voucher).toEqual({
      variables: { itemId: 'b', note: 'x' },
      currency: 'USD',
      unitPrice: '2.50',
    })
    expect(target.operations.createOrder.selectors).toMatchObject({
      price: '/data/cost',
      orderId: '/data/id',
    })
    expect(target.operations.getItem.path).toBe('/items/{itemId}')
  })

  test('replaces templates and lists whole', () => {
    const shop = { referenceId: '{{referenceId}}', sku: '{{itemId}}' }
    const target = over({
      capabilities: ['catalog'],
      operations: { createOrder: { bodies: { shop } } },
    })
    expect(target.operations.createOrder.bodies.shop).toEqual(shop)
    expect(target.capabilities).toEqual(['base', 'catalog'])
  })

  test('takes away by null, but for variables, where it is a value', () => {
    const target = over({
      answers: null,
      products: { voucher: { variables: { note: null } } },
      operations: { getItem: null },
    })
    expect(target.answers).toEqual({})
    expect(target.operations.getItem.path).toBeUndefined()
    expect(target.products.voucher?.variables).toEqual({ itemId: 'a', note: null })
  })

  test('may stand in another folder, and extend one that extends', () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'deep'))
    const write = (name: string, content: object): void =>
      writeFileSync(path.join(folder, name), JSON.stringify(content))
    write('first.json', BASE)
    write('deep/second.json', { extends: '../first.json', name: 'second' })
    write('third.json', { extends: './deep/second.json', timing: 'strict' })
    const target = resolveTarget({ flags: { target: 'third.json' }, env, cwd: folder })
    expect(target).toMatchObject({ name: 'second', timing: 'strict', baseUrl: url })
  })
})

describe('what is wrong', () => {
  test('is told of the file in which it stands', () => {
    const wrong = { ...BASE, environment: 'sandbx' }
    expect(errorOf(() => over({ name: 'own' }, wrong)).message).toMatch(
      /^base\.json:3:18 \(\/environment\): got "sandbx"/,
    )
    expect(errorOf(() => over({ timing: 'strct' })).message).toMatch(
      /^staging\.json:\d+:\d+ \(\/timing\)/,
    )
  })

  test('is told of both together', () => {
    const template = { referenceId: '{{referenceId}}', sku: '{{sku}}' }
    const error = errorOf(() =>
      over({ operations: { createOrder: { bodies: { shop: template } } } }),
    )
    expect(error.message).toMatch(/sku/)
  })

  test.each([
    ['none.json', /^none\.json: there is no such file\./],
    ['staging.json', /^staging\.json: it extends itself\./],
    ['', /\/extends/],
    [7, /\/extends/],
  ])('a file that extends %o', (base, sentence) => {
    expect(fileError({ extends: base, baseUrl: url }).message).toMatch(sentence)
  })

  test('a file that is no JSON is told with its place', () => {
    writeFileSync(path.join(cwd, 'broken.json'), '{\n  "name": }')
    expect(fileError({ extends: 'broken.json' }).message).toMatch(/^broken\.json:2:11: not JSON/)
  })
})
