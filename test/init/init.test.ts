/** What `init` writes for services of several makes: by safe GETs, valid, and right wherever it proposes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { worthOf } from '../../conformance/worth.ts'
import { initCommand } from '../../harness/init/command.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { select } from '../../harness/target-file/select.ts'
import { verifyCommand } from '../../harness/verify/command.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import { demoKey } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { forwardingProxy, HOST } from '../network/servers.ts'
import { answering, closedPort, frontedService, type FrontedService } from '../verdict/servers.ts'
import { look, type Looked } from '../verify/looking.ts'

const ENV = { ORDERING_KEY: demoKey('full') }

type Made = Looked &
  AsyncDisposable & {
    readonly out: string
    readonly path: string
    readonly file: () => Promise<TargetFile>
  }

function withWorth(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Parameters<typeof initCommand>[2],
): Promise<number> {
  return initCommand(argv, env, streams, worthOf)
}

function unasked(): Promise<string> {
  return Promise.reject(new Error('asked'))
}

async function init(
  baseUrl: string,
  more: readonly string[] = [],
  {
    env = ENV,
    ask,
  }: {
    env?: Record<string, string>
    ask?: (question: string) => Promise<string>
  } = {},
): Promise<Made> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'init-'))
  const place = path.join(home, 'made.target.json')
  const argv = ['--base-url', baseUrl, '--out', place, ...more]
  const looked = await look(withWorth, argv, env, ask)
  for (const secret of Object.values(env))
    if (secret.startsWith('ref_')) expect(looked.out).not.toContain(secret)
  return {
    ...looked,
    path: place,
    file: async () => JSON.parse(await readFile(place, 'utf8')) as TargetFile,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

/** Safe GETs alone, and fewer than forty. */
function expectSafe({ seen }: FrontedService): void {
  expect(seen.length).toBeLessThan(40)
  expect(new Set(seen.map(({ request }) => request.method))).toEqual(new Set(['GET']))
}

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

describe.concurrent('what cannot be seen is asked for', () => {
  test('on a terminal: the environment and the products', async () => {
    await using service = await frontedService()
    const questions: string[] = []
    const ask = (question: string): Promise<string> => {
      questions.push(question)
      return Promise.resolve(
        /sandbox/.test(question) ? 'yes' : /"voucher"\?/.test(question) ? '2' : '0',
      )
    }
    await using made = await init(service.baseUrl, [], { ask })
    const file = await made.file()
    expect(file.environment).toBe('sandbox')
    expect(file.products?.['voucher']?.variables?.['itemId']).not.toBe('arcade-1')
    expect(questions[0]).toMatch(
      /Which product is bought as "voucher"\? \(1, or 0 for none\)\n {2}1 {2}arcade-1/,
    )
    expect(questions.length).toBeLessThan(8)
  })

  test('never with --yes', async () => {
    await using service = await frontedService()
    await using made = await init(
      service.baseUrl,
      ['--yes', '--environment', 'sandbox', '--product', 'voucher=arcade-5', '--product', 'dtu='],
      { ask: unasked },
    )
    expect(made.code, made.out).toBe(0)
    const file = await made.file()
    expect(file).toMatchObject({
      environment: 'sandbox',
      products: { voucher: { unitPrice: '5.00' } },
    })
    expect(file.products?.['dtu']).toBeUndefined()
  })
})

describe.concurrent('nothing is written', () => {
  test('where the port is closed, or another service answers', async () => {
    await using closed = await init(`http://127.0.0.1:${await closedPort()}`)
    expect(closed).toMatchObject({
      code: 3,
      out: expect.stringContaining('E_ENVIRONMENT_UNREACHABLE'),
    })
    await using server = await answering((_request, response) => response.end('<html>'))
    await using other = await init(server.baseUrl)
    expect(other).toMatchObject({ code: 3, out: expect.stringContaining('E_ENVIRONMENT_STRANGER') })
    await expect(other.file()).rejects.toThrow('ENOENT')
  })

  test('where nothing answers, and one request is enough to see it', async () => {
    let asked = 0
    await using server = await answering((_request, response) => {
      asked += 1
      response.destroy()
    })
    await using made = await init(server.baseUrl)
    expect(made).toMatchObject({
      code: 3,
      out: expect.stringMatching(/E_ENVIRONMENT_UNREACHABLE.*1 request sent; nothing was bought/s),
    })
    expect(asked).toBe(1)
  })

  test.each(['revoked', 'blocked'] as const)('with a key that is %s', async (role) => {
    await using service = await frontedService()
    const env = { ORDERING_KEY: demoKey(role) }
    await using made = await init(service.baseUrl, [], { env })
    expect(made).toMatchObject({ code: 3, out: expect.stringContaining('E_ENVIRONMENT_KEY') })
    await expect(made.file()).rejects.toThrow('ENOENT')
  })

  test('over a file that is there', async () => {
    await using service = await frontedService()
    await using made = await init(service.baseUrl)
    const before = await readFile(made.path, 'utf8')
    await using again = await init(service.baseUrl, ['--out', made.path])
    expect(again).toMatchObject({ code: 2, out: expect.stringContaining('exists already') })
    expect(await readFile(made.path, 'utf8')).toBe(before)
  })

  test.each([
    [['--product', 'voucher=arcade-11'], /the catalog has no such item.*Did you mean/s],
    [['--product', 'voucher-lng=x'], /Did you mean "voucher-long"\?/],
    [
      ['--path', 'getItem=/x/{line}/{code}'],
      /names the variable "line", which no product has.*\{serviceId\} and \{itemId\}/s,
    ],
    [['--path', 'getItem'], /Write --path NAME=VALUE|Did you mean "getItem"/],
    [['--target', 'x.json'], /--target was given/],
    [['--key', 'siblin=KEY_MORE'], /--key was .*Did you mean "sibling"\?/s],
    [['--key', 'sibling=KEY_OF_NOBODY'], /no such variable is set/],
    [['--key', 'sibling=ORDERING_KEY'], /have the same key/],
  ])('%s', async (more, sentence) => {
    await using service = await frontedService()
    await using made = await init(service.baseUrl, more)
    expect(made.code).toBe(2)
    expect(made.out).toMatch(sentence)
    await expect(made.file()).rejects.toThrow('ENOENT')
  })
})
