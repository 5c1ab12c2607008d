import { describe, expect, test } from 'vitest'
import { env, SECRET, targetFiles, url } from '../../test/support/target-files.ts'

const { resolveFile, fileError } = targetFiles()

function content(credentials: object): object {
  return { baseUrl: url, credentials }
}

function keyInOperations(apiKey: string): object {
  return {
    baseUrl: url,
    operations: {
      whoami: { query: { api_key: apiKey } },
      createCart: { body: { secret: apiKey } },
    },
  }
}

describe('several keys of a role', () => {
  const keys = { A_KEY: 'key-a', B_KEY: 'key-b', C_KEY: 'key-c' }

  test('a variable takes the place of the first alone', () => {
    const target = resolveFile(
      content({ full: [{ env: 'A_KEY' }, { env: 'B_KEY', account: 'second' }] }),
      { ...keys, ORDERING_KEY: SECRET },
    )
    expect(target.credentials.full).toMatchObject({ secret: SECRET, account: 'main' })
    expect(target.moreKeys).toMatchObject([{ role: 'full', secret: 'key-b', account: 'second' }])
  })

  test('a wrong member of a list is named at its place, once', () => {
    const error = fileError(content({ full: [{ env: 'A_KEY' }, { enw: 'B_KEY' }] }), keys)
    expect(error.message).toContain('/credentials/full/1')
    expect(error.message).not.toContain('expected an object')
  })

  test('one key twice, and an account without a key of role full', () => {
    const twice = content({ full: { env: 'A_KEY' }, blocked: [{ env: 'B_KEY' }, { env: 'B_KEY' }] })
    expect(fileError(twice, keys).message).toContain('have the same key')
    const apart = content({ full: { env: 'A_KEY' }, browser: { env: 'B_KEY', account: 'second' } })
    expect(fileError(apart, keys).message).toContain('is in another account than "full"')
  })
})

describe('credentials', () => {
  test('variables that may be missing are named in one sentence', () => {
    const credentials = { full: { env: 'KEY' }, capped: { env: 'CAP' }, blocked: { env: 'AWAY' } }
    const { hazards } = resolveFile(
      content(credentials),
      { KEY: SECRET },
      { allowMissingCredentials: true },
    )
    expect(hazards).toEqual([
      'CAP (role "capped"), AWAY (role "blocked") are not set. Checks that act in these roles are untested.',
    ])
  })

  test('a variable that is not set is named with its role and what is lost', () => {
    const error = fileError(content({ capped: { env: 'CAPPED_KEY' } }))
    expect(error.code).toBe('E_TARGET_ENV_MISSING')
    expect(error.message).toBe(
      'staging.json:5:14 (/credentials/capped/env): the environment variable CAPPED_KEY is not set or empty. It holds the key of role "capped" (scopes of full, with a transaction limit that the run may spend); without it, the checks that need this role are untested.',
    )
    expect(error.nextStep).toContain('--allow-missing-credentials')
  })

  test('--allow-missing-credentials drops the role and says so', () => {
    const target = resolveFile(content({ capped: { env: 'CAPPED_KEY' } }), env, {
      allowMissingCredentials: true,
    })
    expect(Object.keys(target.credentials)).toEqual(['full'])
    expect(target.hazards).toEqual([
      expect.stringContaining('Checks that act in this role are untested.'),
    ])
  })

  test.each(['a b', 'a\nb', 'ab\n', 'schlüssel'])(
    'the key %j is not sendable, and not shown',
    (key) => {
      const error = fileError(content({ capped: { env: 'CAPPED_KEY' } }), {
        ...env,
        CAPPED_KEY: key,
      })
      expect(error.code).toBe('E_TARGET_ENV_MISSING')
      expect(error.message).toContain('cannot be sent as a header')
      expect(error.message).not.toContain(key)
    },
  )

  test.each([
    [
      'a key in place of the name',
      { full: { env: `${SECRET}!` } },
      '/credentials/full/env',
      'not the name of an environment variable',
    ],
    [
      'a key that could be a name',
      { full: { env: SECRET } },
      '/credentials/full/env',
      'looks like the key itself',
    ],
    [
      'a key beside the name',
      { full: { env: 'A', key: SECRET } },
      '/credentials/full/key',
      'no secret may stand',
    ],
    [
      'a secret beside the name',
      { full: { env: 'A', secret: SECRET } },
      '/credentials/full/secret',
      'no secret may stand',
    ],
    [
      'a key as the role',
      { full: SECRET },
      '/credentials/full',
      'a text of 21 characters (not shown',
    ],
  ])('%s is never shown', (_, credentials, pointer, message) => {
    const error = fileError(content(credentials), { ...env, A: 'x' })
    expect(error.message).toContain(`(${pointer})`)
    expect(error.message).toContain(message)
    if (!/a text of/.test(message)) expect(error.code).toBe('E_TARGET_SECRET')
  })

  test('an api key in a query or a body is a secret too, a template is not', () => {
    const error = fileError(keyInOperations(SECRET))
    expect(error.code).toBe('E_TARGET_SECRET')
    expect(error.message).toContain('(/operations/whoami/query/api_key)')
    expect(error.message).toContain('(/operations/createCart/body/secret)')
    expect(resolveFile(keyInOperations('{{orderId}}')).operations.whoami.query).toEqual({
      api_key: '{{orderId}}',
    })
  })

  test.each([
    [
      'sibling',
      { sibling: { env: 'K1' } },
      { K1: 'key-of-full' },
      'the roles "sibling" and "full" have the same key',
    ],
    [
      'stranger in the same account',
      { full: { env: 'K1' }, stranger: { env: 'K2', account: 'main' } },
      { K1: 'a', K2: 'b' },
      '"stranger" is in the account of "full"',
    ],
    [
      'browser in another account',
      { full: { env: 'K1' }, browser: { env: 'K2', account: 'x' } },
      { K1: 'a', K2: 'b' },
      '"browser" is in another account than "full"',
    ],
  ])('roles that contradict each other: %s', (_, credentials, keys, message) => {
    const given = 'full' in credentials ? keys : { ...env, ...keys }
    const error = fileError(content(credentials), given)
    expect(error.code).toBe('E_TARGET_FILE_INVALID')
    expect(error.message).toContain(message)
  })

  test('one key may be full, capped and allowed at once', () => {
    const target = resolveFile(
      content({ full: { env: 'K' }, capped: { env: 'K' }, allowed: { env: 'K' } }),
      { K: 'a' },
    )
    expect(Object.keys(target.credentials)).toEqual(['allowed', 'capped', 'full'])
  })

  test.each([{}, { credentials: { full: { env: 'NOT_SET' }, capped: { env: 'NOT_SET_2' } } }])(
    'a target with a control plane needs no key: %j',
    (more) => {
      const control = { baseUrl: 'http://127.0.0.1:2/' }
      const { control: resolved, hazards } = resolveFile(
        { baseUrl: 'http://127.0.0.1:1', control, ...more },
        {},
      )
      expect(resolved).toEqual({ baseUrl: 'http://127.0.0.1:2' })
      expect(hazards).toEqual([])
    },
  )
})
