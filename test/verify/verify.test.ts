/** What `verify` says of services, keys and target files. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { verifyCommand } from '../../harness/verify/command.ts'
import { demoEnvironment, demoKey } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { frontedService, targetOnDisk } from '../verdict/servers.ts'
import { look } from './looking.ts'
import { layer, seen, statesOf } from './seen.ts'

const FULL = { ORDERING_KEY: demoKey('full') }
// One after the other: each look ends after 10 s, and side by side on a busy machine they would share that time.
describe('a right service', () => {
  test('by URL and key alone: what is known is told, what a file would add too', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], FULL)
    expect(told.exitCode).toBe(0)
    expect(statesOf(told, 'fail', 'warn')).toEqual(['limits'])
    expect(layer(told, 'whoami').seen).toContain('the address that we send from')
    expect(told.readiness.ready).toContain('reading (--profile read-only)')
    expect(told.readiness.notReady.find(({ what }) => what === 'purchases')?.because).toContain(
      'products.voucher is missing',
    )
    expect(service.seen.map(({ request }) => request.method)).not.toContain('POST')
  })

  test('with its target file and all keys: nothing warns, everything is ready', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const told = await seen(['--target', target.file], target.env)
    expect(statesOf(told, 'fail', 'warn')).toEqual([])
    expect(told.readiness.notReady).toEqual([])
    expect(layer(told, 'limits').seen).toContain('orders.list 2 in 60 s')
    expect(layer(told, 'products').seen).toMatch(/^9 of \d+ stand in the catalog/)
    expect(service.seen).toHaveLength(told.requests)
    expect(service.seen.map(({ request }) => request.method)).not.toContain('POST')
  })

  test('whose ids of items count within one service: one item of the id has the price', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, ({ products, ...file }) => {
      const { 'voucher-async': later, ...others } = products as Record<
        string,
        { variables: object }
      >
      const variables = { ...later?.variables, alike: 'arcade-5' }
      return { ...file, products: { ...others, 'voucher-async': { ...later, variables } } }
    })
    const told = await seen(['--target', target.file], target.env)
    expect(layer(told, 'products').state).toBe('pass')
  })

  test('of another make, by URL and key alone', async () => {
    await using service = await frontedService(undefined, { variants: ['stranger', 'codes-other'] })
    const told = await seen(['--base-url', service.baseUrl], FULL)
    expect(told.exitCode).toBe(0)
    expect(statesOf(told, 'fail', 'warn')).toEqual(['limits'])
    expect(layer(told, 'catalog').seen).toMatch(/^\d+ items/)
  })

  test('with gifts: a quote is asked for, and nothing is bought', async () => {
    await using service = await frontedService(undefined, { platformGift: 'enabled' })
    await using target = await targetOnDisk(service.baseUrl, () =>
      targetFile(service.baseUrl, undefined, { platformGift: 'enabled' }),
    )
    const told = await seen(['--target', target.file], target.env)
    expect(layer(told, 'gift feature')).toMatchObject({ state: 'pass' })
    const posts = service.seen.filter(({ request }) => request.method === 'POST')
    expect(posts.map(({ request }) => request.url)).toEqual(['/api/v1/platform-gifts/quotes'])
  })
})

describe('keys', () => {
  test('none at all: it is missed once, and nothing is blamed on the file', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], {})
    expect(layer(told, 'keys').state).toBe('fail')
    expect(layer(told, 'limits')).toMatchObject({
      state: 'not tried',
      seen: expect.stringContaining('no key asked') as string,
    })
  })

  test('a revoked one: it cannot be told from one that nobody has', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], { ORDERING_KEY: demoKey('revoked') })
    expect(told.exitCode).toBe(3)
    const { state, seen: what } = layer(told, 'key full')
    expect(state).toBe('fail')
    expect(what).toMatch(/refused (like|otherwise than) a key that does not exist/)
    expect(told.readiness.ready).toEqual([])
  })

  test('one without a scope: the scope is named', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], { ORDERING_KEY: demoKey('browser') })
    expect(told.exitCode).toBe(3)
    expect(layer(told, 'key full')).toMatchObject({
      state: 'fail',
      seen: expect.stringContaining('it reads with product:read; it lacks orders:read'),
      remedy: expect.stringContaining('ORDERING_KEY the scope orders:read'),
    })
  })

  test('one without any scope: it cannot be told from an allowlist where the message says nothing', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], { ORDERING_KEY: demoKey('unscoped') })
    expect(layer(told, 'key full')).toMatchObject({
      state: 'fail',
      seen: expect.stringContaining('a missing scope and an allowlist cannot be told apart'),
    })
  })

  test('one whose allowlist excludes us: the address to add is named', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], { ORDERING_KEY: demoKey('blocked') })
    expect(layer(told, 'key full')).toMatchObject({
      state: 'fail',
      seen: 'known and live, but not allowed from 127.0.0.1',
      remedy: expect.stringContaining('Add 127.0.0.1 to the allowlist'),
    })
  })

  test('keys that are not what their role says', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], {
      ...FULL,
      ORDERING_KEY_REVOKED: demoKey('sibling'),
      ORDERING_KEY_BLOCKED: demoKey('allowed'),
      ORDERING_KEY_FUNDS: demoKey('poller'),
    })
    expect(new Set(statesOf(told, 'fail'))).toEqual(new Set(['key revoked', 'key blocked']))
    expect(layer(told, 'key blocked').seen).toBe('it is accepted from here')
    expect(layer(told, 'key funds').seen).toContain('the role funds has no orders:read')
  })

  test('further keys of a role, each under the name of its variable', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, ({ credentials, ...file }) => ({
      ...file,
      credentials: {
        full: (credentials as { full: object }).full,
        allowed: [
          { env: 'KEY_ADDRESS', allowlist: ['127.0.0.1'] },
          { env: 'KEY_WRONG', allowlist: ['127.0.0.0/8'] },
        ],
      },
    }))
    const told = await seen(['--target', target.file], {
      ...FULL,
      KEY_ADDRESS: demoKey('allowed'),
      KEY_WRONG: demoKey('blocked'),
    })
    expect(layer(told, 'key allowed').state).toBe('pass')
    expect(layer(told, 'key allowed (KEY_WRONG)')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('the key in KEY_WRONG'),
    })
  })

  test('many keys: each is asked once before one is asked twice, and what was not asked is said', async () => {
    await using service = await frontedService()
    const forms = Array.from({ length: 24 }, (_, index) => `KEY_FORM_${index}`)
    await using target = await targetOnDisk(service.baseUrl, ({ credentials, ...file }) => ({
      ...file,
      credentials: {
        ...(credentials as object),
        allowed: forms.map((env) => ({ env, allowlist: ['127.0.0.0/8'] })),
      },
    }))
    const env = {
      ...target.env,
      ...Object.fromEntries(forms.map((name, index) => [name, `${demoKey('allowed')}${index}`])),
    }
    const told = await seen(['--target', target.file], env)
    const keys = told.layers.filter(({ name }) => name.startsWith('key '))
    expect(keys).toHaveLength(16 + forms.length)
    const [open, asked] = [true, false].map((isOpen) =>
      keys.filter(({ seen: text }) => (text === 'no request was left for it') === isOpen),
    )
    expect(asked?.length).toBeGreaterThan(30)
    expect(open?.length).toBeGreaterThan(0)
    expect(layer(told, 'orders').state).toBe('pass')
    expect(open?.at(-1)).toMatchObject({
      state: 'not tried',
      remedy: 'Look at it alone: --key KEY_FORM_23.',
    })
    expect(layer(told, 'key browser')).toMatchObject({
      state: 'pass',
      seen: expect.stringContaining(
        'whether it reads more was not looked at (no request was left; look at it alone: --key browser)',
      ),
    })
    const alone = await seen(['--target', target.file, '--key', 'KEY_FORM_23'], env)
    const names = alone.layers.map(({ name }) => name).filter((name) => name.startsWith('key '))
    expect(names).toEqual(['key full', 'key allowed (KEY_FORM_23)'])
    expect(layer(alone, 'key allowed (KEY_FORM_23)').seen).toContain('a key that does not exist')
    expect(alone.requests).toBeLessThan(12)
    expect(alone.readiness).toBeUndefined()
    const other = await look(verifyCommand, ['--target', target.file, '--key', 'ful'], env)
    expect(other).toMatchObject({ code: 2, out: expect.stringContaining('Did you mean "full"?') })
  })

  test('a key of role full that may read funds is warned of', async () => {
    await using service = await frontedService(({ url, headers }) =>
      url.startsWith('/api/v1/balance') && headers['x-api-key'] === demoKey('full')
        ? {
            status: 200,
            body: '{"status":"SUCCESS","statusCode":0,"statusMessage":"OK","traceId":"t"}',
          }
        : 'pass',
    )
    await using target = await targetOnDisk(service.baseUrl, (file) => ({
      ...file,
      operations: { getBalance: { path: '/api/v1/balance' } },
    }))
    const told = await seen(['--target', target.file], target.env)
    expect(layer(told, 'key full')).toMatchObject({
      state: 'warn',
      seen: expect.stringContaining('the role full has no funds:read'),
    })
  })
})

test('a target that its file declares production is not free on loopback', async () => {
  await using service = await frontedService(() => 'pass')
  await using target = await targetOnDisk(service.baseUrl, (file) => ({
    ...file,
    environment: 'production',
  }))
  const told = await seen(['--target', target.file], target.env)
  const lacking = told.readiness.notReady.map(({ what }) => what)
  expect(lacking).toEqual(expect.arrayContaining(['purchases', 'load']))
})

test.concurrent('a capped key whose cap the file does not state is not ready for the spend cap', async () => {
  await using service = await frontedService()
  await using target = await targetOnDisk(service.baseUrl, (file) => {
    const { capped: _, ...credentials } = file['credentials'] as Record<string, { env: string }>
    return { ...file, credentials: { ...credentials, capped: { env: _?.env } } }
  })
  const told = await seen(['--target', target.file], target.env)
  expect(told.readiness.notReady).toEqual([
    {
      what: 'the spend cap',
      because: 'credentials.capped.transactionLimit (limit and used) is missing',
    },
  ])
})

test.concurrent('prices of the file that the catalog does not state are told before anything is bought', async () => {
  await using service = await frontedService()
  await using target = await targetOnDisk(service.baseUrl, (file) => {
    const products = file['products'] as Record<string, object>
    const voucher = { ...products['voucher'], unitPrice: '0.01' }
    return { ...file, products: { ...products, voucher } }
  })
  const told = await seen(['--target', target.file], target.env)
  expect(told.exitCode).toBe(3)
  expect(layer(told, 'products').seen).toBe('voucher costs USD 1.00, the file says USD 0.01')
  expect(told.readiness.notReady.map(({ what }) => what)).toEqual(['purchases', 'the spend cap'])
})

test.concurrent('units may cost more than the catalog says: a tariff markup is permitted, a price below it is none', async () => {
  await using service = await frontedService()
  const stateAt = async (unitPrice: string): Promise<unknown> => {
    await using target = await targetOnDisk(service.baseUrl, (file) => {
      const products = file['products'] as Record<string, object>
      const quantity = { ...products['quantity'], unitPrice }
      return { ...file, products: { ...products, quantity } }
    })
    return layer(await seen(['--target', target.file], target.env), 'products').state
  }
  expect([await stateAt('9.00'), await stateAt('0.0001')]).toEqual(['pass', 'fail'])
})

test.concurrent('currencies in small letters are those of the file', async () => {
  await using service = await frontedService(undefined, { variants: ['currencies-lower-case'] })
  await using target = await targetOnDisk(service.baseUrl)
  const told = await seen(['--target', target.file], target.env)
  expect(layer(told, 'products').state).toBe('pass')
})

test.concurrent('scopes that the file states are what a key is held against', async () => {
  await using service = await frontedService()
  await using target = await targetOnDisk(service.baseUrl, (file) => {
    const credentials = file['credentials'] as Record<string, object>
    const browser = { ...credentials['browser'], scopes: ['product:read', 'orders:read'] }
    return { ...file, credentials: { ...credentials, browser } }
  })
  const told = await seen(['--target', target.file], target.env)
  expect(statesOf(told, 'fail')).toEqual(['key browser'])
  expect(layer(told, 'key browser').seen).toContain('it lacks orders:read')
})

describe.concurrent('the command line', () => {
  test('nothing named, or a forgotten option', async () => {
    const none = await look(verifyCommand, [], FULL)
    expect(none).toMatchObject({
      code: 2,
      out: expect.stringContaining('E_USAGE: no target is named'),
    })
    const forgotten = await look(verifyCommand, ['http://127.0.0.1:1'], FULL)
    expect(forgotten.out).toContain('npm run verify -- --base-url http://127.0.0.1:1')
    const misspelt = await look(verifyCommand, ['--baseurl', 'http://127.0.0.1:1'], FULL)
    expect(misspelt.out).toContain('Did you mean --base-url?')
  })

  test('the text ends with what is ready and what is not', async () => {
    await using service = await frontedService()
    const { out, code } = await look(verifyCommand, ['--base-url', service.baseUrl], FULL)
    expect(code).toBe(0)
    expect(out).toMatch(/^127\.0\.0\.1:\d+ at http:\S+: \d+ requests in [\d.]+ s, nothing bought\n/)
    expect(out).toMatch(
      /Ready for: reading .*\.\nNot ready for:\n  windows .*: not all windows were read\n/,
    )
    expect(out).toMatch(/Exit 0\.\n$/)
  })

  test('every demo key is looked at', async () => {
    await using service = await frontedService()
    const env = demoEnvironment()
    const told = await seen(['--base-url', service.baseUrl], env)
    const keys = told.layers.filter(({ name }) => name.startsWith('key '))
    expect(keys.filter(({ state }) => state !== 'pass')).toEqual([
      {
        name: 'key funds',
        state: 'not tried',
        seen: expect.stringContaining('funds:read could not be looked at'),
        remedy: 'Give operations.getBalance.path in the target file.',
      },
    ])
    expect(keys).toHaveLength(Object.keys(env).length)
    expect(layer(told, 'key blocked-unscoped').seen).toMatch(
      /its allowlist .* cannot be told apart/,
    )
    const { out } = await look(verifyCommand, ['--base-url', service.baseUrl], env)
    expect(out).toMatch(/key blocked-unscoped +refused/)
  })

  test('a bundle lists its contents, and holds no key', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const bundle = `${target.file}.tar.gz`
    const argv = ['--target', target.file, '--bundle', bundle]
    const { out, code } = await look(verifyCommand, argv, target.env)
    expect(code).toBe(0)
    const listed = [...out.matchAll(/^ {2}(\S+) +(\d+) bytes: /gm)].map(([, name]) => name)
    const { stdout } = await promisify(execFile)('tar', ['-xzOf', bundle])
    const { stdout: names } = await promisify(execFile)('tar', ['-tzf', bundle])
    expect(names.trim().split('\n')).toEqual(
      listed.map((name) => `ordering-harness-verify/${name}`),
    )
    expect(stdout).toContain('"url": "http://127.0.0.1')
    for (const secret of Object.values(target.env)) expect(stdout).not.toContain(secret)
    const again = await look(verifyCommand, argv, target.env)
    expect(again).toMatchObject({ code: 2, out: expect.stringContaining('EEXIST') })
  })
})

test.concurrent('a control side makes the keys of every role, so none is missing', async () => {
  await using service = await frontedService()
  await using target = await targetOnDisk(service.baseUrl, (file) => {
    const { full } = file['credentials'] as Record<string, { env: string }>
    return { ...file, credentials: { full }, control: { baseUrl: service.baseUrl } }
  })
  const told = await seen(['--target', target.file], target.env)
  expect(told.readiness.notReady).toEqual([])
})
