import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { LIMIT_NAMES } from '../contract/limits.ts'
import { select, selectOne } from '../harness/target-file/select.ts'
import { renderTemplate } from '../harness/target-file/template.ts'
import type { Operation, Product, TargetFile } from '../schemas/generated/target.ts'
import { DEMO_ROLES, demoEnvironment, demoKey } from './seed.ts'
import { targetFile } from './target.ts'
import { ORDERS, Peer, bench } from '../test/reference/kit.ts'

const file = targetFile('http://127.0.0.1:8080', undefined, {
  platformGift: 'enabled',
}) as TargetFile
const operations: Readonly<Record<string, Operation | undefined>> = file.operations ?? {}
const products: Readonly<Record<string, Product | undefined>> = file.products ?? {}

function served(): { peer: Peer; advance: (ms: number) => void } {
  const { service, clock } = bench({ demoAccounts: true, platformGift: 'enabled' })
  return { peer: new Peer(service, demoKey('full')), advance: (ms) => clock.advance(ms) }
}

const selector = (operation: string, name: string): string =>
  operations[operation]?.selectors?.[name] ?? ''

test('the target file keeps to its schema, with and without its options', () => {
  const schema: unknown = JSON.parse(readFileSync('schemas/target.schema.json', 'utf8'))
  const validate = new Ajv2020({ allowUnionTypes: true, keywords: ['enumDescriptions'] }).compile(
    schema as object,
  )
  for (const candidate of [
    file,
    targetFile('http://127.0.0.1:1'),
    targetFile('http://127.0.0.1:1', 'http://127.0.0.1:2'),
  ])
    expect(validate(candidate), JSON.stringify(validate.errors)).toBe(true)
})

test('every credential is in the environment that goes with it', () => {
  const environment = demoEnvironment()
  expect(Object.keys(file.credentials ?? {})).toEqual(DEMO_ROLES)
  const keys = Object.values(file.credentials ?? {}).flat()
  for (const { env } of keys) expect(environment[env]).toBeTruthy()
})

describe('every product can be bought by the template of its kind', () => {
  const kinds = {
    voucher: 'shop',
    'voucher-async': 'shop',
    'voucher-partial': 'shop',
    'voucher-cancelled': 'shop',
    'voucher-long': 'shop',
    'voucher-upstream-limited': 'shop',
    dtu: 'dtu',
    'dtu-timeout': 'dtu',
    'dtu-slow': 'dtu',
    quantity: 'dtu',
    esim: 'esim',
    'esim-raw': 'esim',
    'platform-gift': 'platform-gift',
  } as const

  test('no ability is left out', () => {
    expect(Object.keys(kinds).toSorted()).toEqual(Object.keys(file.products ?? {}).toSorted())
  })

  test.each(Object.entries(kinds))('%s as %s', async (ability, kind) => {
    const { peer, advance } = served()
    const product = products[ability]
    const variables = { ...product?.variables, referenceId: 'a', quantity: 1, amount: 10 }
    const quote = await peer.post(
      '/api/v1/platform-gifts/quotes',
      renderTemplate(operations['createGiftQuote']?.body, {
        editionId: '',
        recipientRegion: '',
        ...variables,
      }),
    )
    const found = selectOne(selector('createGiftQuote', 'quoteToken'), quote.body)
    const quoteToken = typeof found === 'string' ? found : ''
    const template = operations['createOrder']?.bodies?.[kind]
    const body = renderTemplate(template, { ...variables, quoteToken })
    const bought = await peer.post(ORDERS, body)
    if (ability === 'voucher-upstream-limited') return expect(bought.status).toBe(429)
    expect([200, 202]).toContain(bought.status)
    const units = kind === 'dtu' ? 10 : 1
    expect(bought.body.data?.['price']).toBeCloseTo(Number(product?.unitPrice) * units, 10)
    expect(bought.body.data?.['currency']).toBe(product?.currency)
    expect(bought.status === 202).toBe(
      product?.completesWithinSeconds !== undefined && ability !== 'voucher-long',
    )
    advance((product?.completesWithinSeconds ?? 0) * 1000)
    const seen = await peer.get(`${ORDERS}?referenceId=a&unhide=true`)
    expect(select(selector('getOrders', 'referenceIds'), seen.body)).toEqual(['a'])
    expect(select(selector('getOrders', 'prices'), seen.body)).toEqual([
      bought.body.data?.['price'],
    ])
  })
})

test('the selectors find what they are named for', async () => {
  const { peer } = served()
  const services = (await peer.get('/api/v1/services?limit=500')).body
  const total = selectOne(selector('listServices', 'total'), services)
  expect(select(selector('listServices', 'services'), services)).toHaveLength(Number(total))
  expect(select(selector('listServices', 'names'), services)).toHaveLength(Number(total))
  for (const found of select(selector('listServices', 'items'), services))
    expect(found).toMatchObject({ price: expect.any(Number), currency: 'USD' })
  const limits = (await peer.get('/rate-limits')).body
  for (const bucket of LIMIT_NAMES) {
    expect(selectOne(selector('rateLimits', `${bucket}.count`), limits)).toEqual(expect.any(Number))
    expect(selectOne(selector('rateLimits', `${bucket}.windowSeconds`), limits)).toBe(60)
    expect(selectOne(selector('rateLimits', `${bucket}.source`), limits)).toMatch(
      /^(rule|default)$/,
    )
  }
  const whoami = (await peer.get('/whoami')).body
  expect(selectOne(selector('whoami', 'address'), whoami)).toBe('127.0.0.1')
})

test('cart, lookup and validation templates are accepted', async () => {
  const { peer } = served()
  const voucher = { ...products['voucher']?.variables, referenceId: 'cart', quantity: 2 }
  const cart = await peer.post('/carts', renderTemplate(operations['createCart']?.body, voucher))
  expect(cart.body.data).toMatchObject({ totalPrice: 4, status: 'SUCCESS' })
  const lookup = renderTemplate(operations['lookupItems']?.body, voucher)
  const found = await peer.post(operations['lookupItems']?.path ?? '', lookup)
  expect(select(selector('lookupItems', 'items'), found.body)).toMatchObject([[{ found: true }]])
  const dtu = { ...products['dtu']?.variables, amount: 10 }
  const validation = renderTemplate(operations['validateDtu']?.body, dtu)
  const valid = await peer.post('/dtu/validation', validation)
  expect(selectOne(selector('validateDtu', 'valid'), valid.body)).toBe(true)
})
