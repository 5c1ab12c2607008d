import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { staticAccounts } from '../accounts/static-accounts.ts'
import { describeOrigins } from './describe.ts'
import { env, errorOf, SECRET, targetFiles, url } from '../../test/support/target-files.ts'
import type { TargetFlags } from './options.ts'
import { isTargetNamed, resolveTarget, type ResolvedTarget } from './resolve.ts'

const { cwd, write, resolveFile, fileError } = targetFiles()

function values(target: ResolvedTarget): unknown[] {
  return [
    target.name,
    target.baseUrl,
    target.environment,
    target.timing,
    target.capabilities.join(),
  ]
}

function hazards(content: object, environment = {}, flags = {}): readonly string[] {
  return resolveFile({ baseUrl: url, ...content }, { ...env, ...environment }, flags).hazards
}

describe('without a file', () => {
  test('a base URL and a key are enough: the interface gives the rest', () => {
    const target = resolveTarget({ flags: { baseUrl: `${url}/` }, env, cwd })
    expect(target).toMatchObject({
      name: 'orders.example.com',
      kind: 'url',
      baseUrl: url,
      environment: 'production',
      timing: 'partner',
      capabilities: ['base', 'catalog', 'shop', 'rate-limits'],
      limits: {},
      answers: {},
      hazards: [],
    })
    expect(target.credentials).toEqual({
      full: { role: 'full', account: 'main', secret: 'key-of-full', env: 'ORDERING_KEY' },
    })
    expect(target.operations.getOrders).toMatchObject({
      method: 'GET',
      path: '/api/v1/orders',
      selectors: { items: '/data/page/items' },
    })
    expect(target.operations.createOrder.bodies).toEqual({})
    expect(target.operations.getItem.path).toBeUndefined()
  })

  test('nothing at all is a question of usage', () => {
    const error = errorOf(() => resolveTarget({ flags: {}, env, cwd }))
    expect(error.code).toBe('E_USAGE')
    expect(error.message).toContain('no base URL is given')
    expect(isTargetNamed({ flags: {}, env })).toBe(false)
    expect(isTargetNamed({ flags: {}, env: { ORDERING_BASE_URL: '' } })).toBe(false)
    expect(isTargetNamed({ flags: {}, env: { ORDERING_BASE_URL: url } })).toBe(true)
  })

  test('a key is wanted, and an empty variable is none', () => {
    const error = errorOf(() =>
      resolveTarget({ flags: { baseUrl: url }, env: { ORDERING_KEY: '' }, cwd }),
    )
    expect(error.code).toBe('E_TARGET_ENV_MISSING')
    expect(error.message).toContain('there is no key of role "full"')
    expect(error.nextStep).toContain('Set ORDERING_KEY')
  })

  test('roles come from ORDERING_KEY_<ROLE>', () => {
    const { credentials, origins } = resolveTarget({
      flags: { baseUrl: url },
      env: { ...env, ORDERING_KEY_BLOCKED_UNSCOPED: 'k2', ORDERING_KEY_STRANGER: 'k3' },
      cwd,
    })
    expect(credentials['blocked-unscoped']).toMatchObject({ secret: 'k2', account: 'main' })
    expect(credentials.stranger).toMatchObject({ secret: 'k3', account: 'other' })
    expect(origins['credentials.stranger']).toBe('environment')
  })

  test.each([
    [
      { environment: 'prod' },
      '--environment: got "prod"; expected one of sandbox, production.',
      'Did you mean "production"?',
    ],
    [
      { timing: 'loose' },
      '--timing: got "loose"; expected one of strict, partner.',
      'Choose one of these.',
    ],
    [
      { replayAfter: '1h' },
      '--replay-after: got "1h"; expected whole seconds from 1 to 900.',
      'Write 301',
    ],
    [{ capabilities: ['base,e-sim'] }, '--capability: got "e-sim"', 'Did you mean "esim"?'],
    [{ name: '' }, '--name: got an empty text.', 'leave it out'],
    [{ baseUrl: 'ftp://x' }, '--base-url: got a URL with the scheme "ftp:"', 'https://'],
  ])('flag %j is refused', (flags, message, fix) => {
    const error = errorOf(() => resolveTarget({ flags: { baseUrl: url, ...flags }, env, cwd }))
    expect(error.code).toBe('E_USAGE')
    expect(error.message).toContain(message)
    expect(error.nextStep).toContain(fix)
  })

  test('a password in a base URL is a secret, wherever it is given', () => {
    const baseUrl = `https://me:${SECRET}@orders.example.com`
    for (const error of [
      errorOf(() => resolveTarget({ flags: { baseUrl }, env, cwd })),
      errorOf(() => resolveTarget({ flags: {}, env: { ...env, ORDERING_BASE_URL: baseUrl }, cwd })),
      fileError({ baseUrl }),
    ])
      expect(error.code).toBe('E_TARGET_SECRET')
  })

  test('two different keys for one role are refused', () => {
    const error = errorOf(() =>
      resolveTarget({ flags: { baseUrl: url }, env: { ...env, ORDERING_KEY_FULL: 'other' }, cwd }),
    )
    expect(error.message).toContain('ORDERING_KEY and ORDERING_KEY_FULL both give the key')
  })
})

describe('precedence', () => {
  const file = {
    name: 'file',
    baseUrl: 'https://file.example',
    environment: 'sandbox',
    timing: 'strict',
    capabilities: ['base', 'esim'],
  }
  const fromFlag: TargetFlags = {
    name: 'flag',
    baseUrl: 'https://flag.example',
    environment: 'production',
    timing: 'partner',
    capabilities: ['shop', 'dtu,cart'],
  }
  const fromEnv = {
    ORDERING_NAME: 'environment',
    ORDERING_BASE_URL: 'https://environment.example',
    ORDERING_ENVIRONMENT: 'production',
    ORDERING_TIMING: 'partner',
    ORDERING_CAPABILITIES: 'shop, async',
  }
  const names = ['name', 'baseUrl', 'environment', 'timing', 'capabilities']

  test.each([
    [
      'flag',
      fromFlag,
      fromEnv,
      file,
      ['flag', 'https://flag.example', 'production', 'partner', 'base,shop,dtu,cart'],
    ],
    [
      'environment',
      {},
      fromEnv,
      file,
      ['environment', 'https://environment.example', 'production', 'partner', 'base,shop,async'],
    ],
    ['file', {}, {}, file, ['file', 'https://file.example', 'sandbox', 'strict', 'base,esim']],
    [
      'default',
      {},
      {},
      { baseUrl: url },
      ['orders.example.com', url, 'production', 'partner', 'base,catalog,shop,rate-limits'],
    ],
  ])('%s wins', (origin, flags, environment, content, expected) => {
    const target = resolveFile(content, { ...env, ...environment }, flags)
    expect(values(target)).toEqual(expected)
    for (const name of names)
      expect(target.origins[name]).toBe(
        origin === 'default' && name === 'baseUrl' ? 'file' : origin,
      )
  })

  test('the file may leave the base URL to a flag', () => {
    expect(resolveFile({ name: 'n' }, env, { baseUrl: url }).baseUrl).toBe(url)
    expect(fileError({ name: 'n' }).message).toContain('staging.json:1:1: no base URL is given.')
  })

  test('ORDERING_TARGET names the file; a flag names another', () => {
    write({ baseUrl: url, name: 'by environment' })
    const byEnv = resolveTarget({
      flags: {},
      env: { ...env, ORDERING_TARGET: 'staging.json' },
      cwd,
    })
    expect(byEnv.name).toBe('by environment')
    const error = errorOf(() =>
      resolveTarget({
        flags: { target: 'stagin.json' },
        env: { ...env, ORDERING_TARGET: 'staging.json' },
        cwd,
      }),
    )
    expect(error.message).toContain('stagin.json: there is no such file.')
    expect(error.nextStep).toContain('Did you mean "staging.json"?')
  })

  test('a key of the environment takes the place of the one that the file names, and that is said', () => {
    const content = { baseUrl: url, credentials: { full: { env: 'MY_KEY', account: 'acme' } } }
    const target = resolveFile(content, { MY_KEY: 'a', ORDERING_KEY_FULL: 'b' })
    expect(target.credentials.full).toMatchObject({
      secret: 'b',
      env: 'ORDERING_KEY_FULL',
      account: 'acme',
    })
    expect(target.origins['credentials.full']).toBe('environment')
    expect(target.hazards).toEqual([
      'ORDERING_KEY_FULL takes the place of MY_KEY, which the target file names for role "full".',
    ])
  })

  test('operations, limits, products and answers are merged over the defaults', () => {
    const target = resolveFile({
      baseUrl: url,
      products: { voucher: { variables: { itemId: 'i' } } },
      limits: {
        'orders.unhide.pending': { count: 12, windowSeconds: 90 },
        'orders.unhide.completed': { count: 2, windowSeconds: 60 },
      },
      operations: {
        getOrders: { selectors: { codes: '$..pin' } },
        getItem: { path: '/items/{itemId}' },
      },
      answers: { replayStatusCode: 3 },
    })
    expect(target.operations.getOrders.selectors).toMatchObject({
      codes: '$..pin',
      items: '/data/page/items',
    })
    expect(target.operations.getItem).toMatchObject({ path: '/items/{itemId}', method: 'GET' })
    expect(target.limits['orders.unhide.admission']).toEqual({ count: 14, windowSeconds: 30 })
    expect(target.origins).toMatchObject({
      'operations.getOrders.selectors.codes': 'file',
      'operations.getOrders.selectors.items': 'default',
      'operations.getOrders.path': 'default',
      'operations.getItem.path': 'file',
      'limits.orders.unhide.admission': 'file',
      'products.voucher': 'file',
      'answers.replayStatusCode': 'file',
    })
  })
})

test('a currency counts in one spelling, so that it can be permitted by --max-spend', () => {
  const content = {
    baseUrl: url,
    products: { voucher: { variables: { itemId: 'i' }, currency: 'usd', unitPrice: '1.00' } },
    credentials: {
      capped: { env: 'MY_KEY', transactionLimit: { currency: '840', limit: '9.00' } },
    },
  }
  const target = resolveFile(content, { ...env, MY_KEY: SECRET })
  expect(target.products.voucher?.currency).toBe('USD')
  expect(target.credentials.capped?.transactionLimit).toMatchObject({ currency: 'USD', used: '0' })
})

describe('hazards', () => {
  test.each([
    [
      'plain http',
      { baseUrl: 'http://orders.example.com' },
      {},
      {},
      'keys cross the network unencrypted',
    ],
    [
      'another base URL than the file’s',
      {},
      { ORDERING_BASE_URL: 'https://b.example' },
      {},
      'ORDERING_BASE_URL takes the place',
    ],
    ['an idle product', { products: { esim: {} } }, {}, {}, 'the product "esim" is never used'],
    [
      'a misspelt variable',
      {},
      { ORDERING_BASEURL: url },
      {},
      'ORDERING_BASEURL is not read; ORDERING_BASE_URL is.',
    ],
    ['a misspelt role', {}, { ORDERING_KEY_SIBBLING: 'x' }, {}, 'ORDERING_KEY_SIBLING is.'],
  ])('%s', (_, content, environment, flags, text) => {
    expect(hazards(content, environment, flags)).toEqual([expect.stringContaining(text)])
  })

  test('plain http to this machine is none', () => {
    expect(hazards({ baseUrl: 'http://127.0.0.1:8080' })).toEqual([])
  })
})

test('the sample target resolves once its variables are set', () => {
  const root = path.join(import.meta.dirname, '..', '..')
  const names = ['', '_SIBLING', '_STRANGER', '_BROWSER', '_CAPPED', '_BLOCKED']
  const target = resolveTarget({
    flags: { target: 'targets/sample.target.json' },
    env: Object.fromEntries(names.map((name) => [`STAGING_KEY${name}`, `key${name}`])),
    cwd: root,
  })
  expect(target.hazards).toEqual([])
  expect(target.name).toBe('staging')
})

test('the example of several accounts gives each role the keys that it names', () => {
  const root = path.join(import.meta.dirname, '..', '..')
  const file = 'targets/several-accounts.target.json'
  const text = readFileSync(path.join(root, file), 'utf8')
  const names = [...text.matchAll(/"env": "(\w+)"/g)].map(([, name = '']) => name)
  const target = resolveTarget({
    flags: { target: file },
    env: Object.fromEntries(
      [...names, 'STAGING_KEY_SIBLING'].map((name) => [name, `key ${name}`.replace(' ', '')]),
    ),
    cwd: root,
  })
  const more = target.moreKeys?.map(({ role }) => role).toSorted()
  expect(more).toEqual(['allowed', 'allowed', 'blocked', 'blocked', 'capped', 'full'])
  const accounts = staticAccounts(target)
  expect(accounts.roles).toContain('stranger')
  expect(accounts.notTogether?.(['full', 'browser', 'writer'])).toBeUndefined()
  expect(accounts.notTogether?.(['full', 'sibling', 'browser'])).toBeDefined()
})

test('describeOrigins prints every value with its origin, and keys as names of variables', () => {
  const target = resolveFile(
    { baseUrl: url, limits: { default: { count: 5, windowSeconds: 2 } } },
    { ORDERING_KEY: SECRET },
    { name: 'N' },
  )
  const text = describeOrigins(target)
  expect(text).toMatch(/^name +N +flag$/m)
  expect(text).toMatch(/^baseUrl +https:\/\/orders\.example\.com +file$/m)
  expect(text).toMatch(/^credentials\.full +\$ORDERING_KEY \(account main\) +environment$/m)
  expect(text).toMatch(/^limits\.default +5 per 2 s +file$/m)
  expect(text).toMatch(/^limits\.orders\.list +2 per 60 s +default$/m)
  expect(text).toMatch(/^operations\.getOrders\.path +GET \/api\/v1\/orders +default$/m)
  expect(text).not.toContain(SECRET)
})
