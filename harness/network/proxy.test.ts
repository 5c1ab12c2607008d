import { describe, expect, test } from 'vitest'
import { isExempt } from './no-proxy.ts'
import { proxyFor, proxySecrets, unreadableProxy } from './proxy.ts'

/** As golang.org/x/net/http/httpproxy has it, which is what k6 follows. */
describe('NO_PROXY', () => {
  test.each([
    ['https://orders.example', 'orders.example', true],
    ['https://orders.example', 'ORDERS.EXAMPLE', true],
    ['https://eu.orders.example', 'orders.example', true],
    ['https://eu.orders.example', '.orders.example', true],
    ['https://orders.example', '.orders.example', false],
    ['https://orders.example', '*.orders.example', false],
    ['https://eu.orders.example', '*.orders.example', true],
    ['https://reorders.example', 'orders.example', false],
    ['https://orders.example', 'a.example, orders.example', true],
    ['https://orders.example', 'orders.example:443', true],
    ['https://orders.example', 'orders.example:8443', false],
    ['https://orders.example:8443', 'orders.example:8443', true],
    ['http://orders.example', 'orders.example:80', true],
    ['https://orders.example', '*', true],
    ['https://orders.example', '', false],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '10.1.2.3:8443', false],
    ['https://10.1.2.3', '10.1.2.3/99', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]', 'fd00::1', true],
    ['https://[fd00::1]:8443', '[fd00::1]:8443', true],
    ['https://orders.example', '10.0.0.0/8', false],
    // This machine is never asked for through a proxy, whatever the variable says.
    ['http://127.0.0.1:8080', '', true],
    ['http://localhost:8080', '', true],
    ['http://[::1]:8080', '', true],
  ])('%s with "%s": exempt %s', (url, noProxy, exempt) => {
    expect(isExempt(url, noProxy)).toBe(exempt)
  })
})

describe('the proxy of a URL', () => {
  const proxies = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'http://secure:3128' }

  test('depends on the scheme of the URL', () => {
    expect(proxyFor('http://a.example', proxies)?.host).toBe('plain:3128')
    expect(proxyFor('https://a.example', proxies)).toEqual({
      url: 'http://secure:3128/',
      host: 'secure:3128',
      variable: 'HTTPS_PROXY',
    })
    expect(proxyFor('https://a.example', { HTTP_PROXY: 'http://plain:3128' })).toBeUndefined()
  })

  test('is named in lower case too; the upper case comes first, and empty counts as unset', () => {
    const lower = { https_proxy: 'http://lower:3128' }
    expect(proxyFor('https://a.example', lower)?.host).toBe('lower:3128')
    expect(proxyFor('https://a.example', { ...lower, HTTPS_PROXY: '' })?.host).toBe('lower:3128')
    expect(proxyFor('https://a.example', { ...lower, ...proxies })?.host).toBe('secure:3128')
    expect(proxyFor('https://a.example', { ...proxies, no_proxy: 'a.example' })).toBeUndefined()
  })

  test('may be named without a scheme', () => {
    expect(proxyFor('https://a.example', { HTTPS_PROXY: 'secure:3128' })?.url).toBe(
      'http://secure:3128/',
    )
  })

  test('shows no password, whose forms are told for redaction', () => {
    const env = { HTTPS_PROXY: 'http://me:p%40ss@secure:3128' }
    const proxy = proxyFor('https://a.example', env)
    expect(proxy?.host).toBe('secure:3128')
    expect(proxySecrets('https://a.example', env)).toEqual(['p%40ss', 'p@ss'])
    expect(proxySecrets('https://a.example', proxies)).toEqual([])
  })

  test.each(['ftp://secure:3128', 'http://', '::', 'http://me:50%@secure:3128'])(
    'is refused where it reads %s',
    (value) => {
      const env = { HTTPS_PROXY: value }
      expect(unreadableProxy('https://a.example', env)).toBe('HTTPS_PROXY')
      expect(unreadableProxy('https://a.example', { ...env, NO_PROXY: '*' })).toBeUndefined()
      expect(unreadableProxy('https://a.example', proxies)).toBeUndefined()
    },
  )
})
