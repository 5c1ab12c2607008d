/** What `init` writes for services of several makes: by safe GETs, valid, and right wherever it proposes. */
import { describe, expect, test } from 'vitest'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { select } from '../../harness/target-file/select.ts'
import { verifyCommand } from '../../harness/verify/command.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { demoKey } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import { forwardingProxy, HOST } from '../network/servers.ts'
import { answering, frontedService } from '../verdict/servers.ts'
import { look } from '../verify/looking.ts'
import { ENV, expectSafe, init } from './making.ts'

const READS = {
  whoami: '/whoami',
  listServices: '/api/v1/services?limit=3',
  rateLimits: '/rate-limits',
}

/** Items alone, without a service around them, with these members too. */
const flatCatalog = (more: object): ReturnType<typeof answering> => {
  const item = { id: 'a', currency: 'USD', price: 1, inStock: 1, ...more }
  const envelope = { status: 'SUCCESS', statusCode: 0, statusMessage: '', traceId: 't' }
  return answering(({ url = '' }, response) => {
    const all = url.includes('type=') ? [item] : [item, { ...item, id: 'b' }]
    const list = /type=(direct|esim)|search=/.test(url) ? [] : all
    const data = url.includes('limit=') ? { list, total: 2 } : { list }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ...envelope, data }))
  })
}

describe.concurrent('a target file that is made by looking', () => {
  test.each([
    ['the reference service', []],
    ['a service of another make', ['stranger', 'codes-other', 'refused-keys-403']],
  ] as const)(
    '%s: every selector finds what the right one finds',
    async (_what, variants: readonly VariantName[]) => {
      await using service = await frontedService(undefined, { variants })
      await using made = await init(service.baseUrl)
      expect(made.code, made.out).toBe(0)
      expect(made.out).toContain('The file says "environment": "production".')
      expectSafe(service)
      const file = await made.file()
      const right = targetFile(service.baseUrl, undefined, { variants }) as TargetFile
      for (const [operation, url] of Object.entries(READS)) {
        const answer = await fetch(service.baseUrl + url, {
          headers: { 'x-api-key': ENV.ORDERING_KEY },
        })
        const json: unknown = await answer.json()
        const { selectors } = resolveDocument(file, {
          name: 'made',
          env: ENV,
          flags: { allowMissingCredentials: true },
        }).operations[operation as 'whoami']
        const wanted = Object.entries(
          right.operations?.[operation as 'whoami']?.selectors ?? {},
        ).filter(([name]) => name !== 'total')
        expect(wanted.length).toBeGreaterThan(0)
        for (const [name, selector] of wanted)
          expect([name, select(selectors[name] ?? '/missing', json)]).toEqual([
            name,
            select(selector, json),
          ])
      }
      expect(file.answers).toEqual({
        unknownKeyHttpStatus: right.answers?.unknownKeyHttpStatus,
        successStatusCode: right.answers?.successStatusCode,
      })
      expect(file.products?.['voucher']).toMatchObject({
        currency: 'USD',
        unitPrice: '1.00',
        search: 'Arcade Credits',
      })
      expect(Object.keys(file.products ?? {})).toEqual([
        'voucher',
        'voucher-long',
        'dtu',
        'quantity',
        'esim',
      ])
      expect(Object.values(file.products?.['esim']?.variables ?? {})).toEqual([
        'svc-esim-europe',
        'esim-europe-1gb',
      ])
      expect(made.out).toContain('operations.createOrder.bodies.shop: up to ')
      expect(file.credentials).toEqual({ full: { env: 'ORDERING_KEY' } })
    },
  )

  test('passes verify: the windows are read, and the products have their prices', async () => {
    await using service = await frontedService(undefined, { variants: ['stranger'] })
    await using made = await init(service.baseUrl)
    const { out, code } = await look(verifyCommand, ['--target', made.path], ENV)
    expect(code, out).toBe(0)
    expect(out).toMatch(/pass +limits +default 1000 in 60 s/)
    expect(out).toMatch(/pass +products +4 of 5 stand in the catalog at the price of the file/)
    expect(out).toContain('windows (--profile limits)')
  })

  test('orders that are there tell where their identifiers stand', async () => {
    await using service = await frontedService(undefined, { variants: ['stranger'] })
    const { operations } = targetFile(service.baseUrl, undefined, {
      variants: ['stranger'],
    }) as TargetFile
    const body = JSON.stringify(operations?.createOrder?.bodies?.['shop'])
      .replaceAll('{{referenceId}}', 'order-of-mine')
      .replaceAll('{{serviceId}}', 'svc-arcade')
      .replaceAll('{{itemId}}', 'arcade-1')
      .replaceAll('"{{quantity}}"', '1')
    const headers = { 'x-api-key': ENV.ORDERING_KEY, 'content-type': 'application/json' }
    const bought = await fetch(`${service.baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers,
      body,
    })
    expect(bought.status).toBe(200)
    service.seen.length = 0
    await using made = await init(service.baseUrl)
    expectSafe(service)
    const { selectors } = (await made.file()).operations?.getOrders ?? {}
    const right = operations?.getOrders?.selectors ?? {}
    expect(selectors).toMatchObject({
      orderIds: right['orderIds'],
      referenceIds: right['referenceIds'],
      prices: right['prices'],
    })
  })

  test('paths under the prefix are found, and written', async () => {
    await using service = await frontedService()
    const moved = async (url: string, key: string): Promise<Response> =>
      fetch(
        service.baseUrl +
          url.replace('/api/v1/whoami', '/whoami').replace('/api/v1/rate-limits', '/rate-limits'),
        { headers: { 'x-api-key': key } },
      )
    await using front = await answering(({ url = '', headers }, response) => {
      const isOld = /^\/(?:whoami|rate-limits)/.test(url)
      const pass = async (): Promise<void> => {
        const answer = await moved(url, String(headers['x-api-key'] ?? ''))
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(await answer.text())
      }
      if (isOld) response.writeHead(404).end('no such route')
      else void pass()
    })
    await using made = await init(front.baseUrl)
    expect(made.code, made.out).toBe(0)
    const { operations } = await made.file()
    expect(operations?.whoami).toEqual({
      path: '/api/v1/whoami',
      selectors: { address: '/data/callerAddress' },
    })
    expect(operations?.rateLimits?.path).toBe('/api/v1/rate-limits')
    expect(operations?.listServices?.path).toBeUndefined()
  })

  test('through a proxy', async () => {
    await using service = await frontedService()
    await using proxy = await forwardingProxy(service)
    await using made = await init(`http://${HOST}`, [], { env: { ...ENV, HTTP_PROXY: proxy.url } })
    expect(made.code, made.out).toBe(0)
    expect(proxy.asked).toHaveLength(service.seen.length)
  })

  test('paths that are given are looked at, and so are roles', async () => {
    await using service = await frontedService()
    const right = targetFile(service.baseUrl) as TargetFile
    const balance = right.operations?.getBalance?.path ?? ''
    const item = right.operations?.getItem?.path ?? ''
    const env = { ...ENV, ORDERING_KEY_SIBLING: demoKey('sibling') }
    await using made = await init(
      service.baseUrl,
      ['--path', `getBalance=${balance}`, '--path', `getItem=${item}`],
      { env },
    )
    expect(made.code, made.out).toBe(0)
    const file = await made.file()
    expect(file.credentials).toEqual({
      full: { env: 'ORDERING_KEY' },
      sibling: { env: 'ORDERING_KEY_SIBLING' },
    })
    expect(made.out).toMatch(/getBalance: HTTP 403.*[^.]\. Name a key with the scope funds:read/)
    expect(file.operations?.getItem?.path).toBe(item)
    expect(made.out).toContain('--key funds=VARIABLE')
  })

  test('balances are read with the key of role funds, and no other', async () => {
    await using service = await frontedService()
    const right = targetFile(service.baseUrl) as TargetFile
    const { getBalance, getLedger } = right.operations ?? {}
    const env = { ...ENV, MY_FUNDS: demoKey('funds') }
    const paths = [`getBalance=${getBalance?.path}`, `getLedger=${getLedger?.path}`]
    await using made = await init(
      service.baseUrl,
      ['--key', 'funds=MY_FUNDS', ...paths.flatMap((each) => ['--path', each])],
      { env },
    )
    expect(made.code, made.out).toBe(0)
    const file = await made.file()
    expect(file.capabilities).toContain('funds')
    expect(file.operations?.getBalance?.selectors).toEqual(getBalance?.selectors)
    const toFunds = service.seen.filter(({ request }) => /balance|ledger/.test(request.url))
    expect(toFunds).toHaveLength(2)
    for (const { request } of toFunds) {
      expect(JSON.stringify(request.headers)).toContain(demoKey('funds'))
    }
  })

  test('the service of a flat catalog is what is called so, whatever else tells items apart', async () => {
    await using server = await flatCatalog({ ref: 'r', serviceId: 's' })
    await using made = await init(server.baseUrl)
    expect((await made.file()).products?.voucher?.variables).toEqual({
      serviceId: 's',
      itemId: 'a',
    })
  })

  test('a path whose variable the catalog does not show stays a gap', async () => {
    await using server = await flatCatalog({})
    const path = '/items/{serviceId}/{itemId}'
    await using made = await init(server.baseUrl, ['--path', `getItem=${path}`])
    expect(made.code, made.out).toBe(0)
    expect(made.out).toContain(
      `operations.getItem.path = ${path} is left out: the catalog does not show serviceId`,
    )
    expect(made.out).toContain('no member of the catalog is known to be the service id')
    expect((await made.file()).operations?.getItem?.path).toBeUndefined()
  })
})

describe.concurrent('keys that are named', () => {
  test('several of a role are a list, other accounts are named, and their capabilities are declared', async () => {
    await using service = await frontedService()
    const env = {
      MAIN: demoKey('full'),
      OTHER: demoKey('stranger'),
      AWAY: demoKey('blocked'),
      CAP: demoKey('capped'),
      ORDERING_KEY_SIBLING: demoKey('sibling'),
    }
    const keys = ['full=MAIN', 'full=OTHER@other', 'blocked=AWAY', 'capped=CAP']
    await using made = await init(
      service.baseUrl,
      keys.flatMap((each) => ['--key', each]),
      { env },
    )
    expect(made.code, made.out).toBe(0)
    const file = await made.file()
    expect(file.credentials).toEqual({
      full: [{ env: 'MAIN' }, { env: 'OTHER', account: 'other' }],
      sibling: { env: 'ORDERING_KEY_SIBLING' },
      blocked: { env: 'AWAY' },
      capped: { env: 'CAP' },
    })
    expect(file.capabilities).toEqual(expect.arrayContaining(['allowlist', 'transaction-limit']))
    expect(made.out).toContain('credentials.capped.transactionLimit: up to ')
    const resolved = resolveDocument(file, { name: 'made', env })
    expect(resolved.moreKeys).toMatchObject([{ role: 'full', account: 'other' }])
    expectSafe(service)
  })
})
