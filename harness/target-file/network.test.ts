import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { resolveTarget, type ResolvedTarget } from './resolve.ts'
import type { TargetFlags } from './options.ts'

const CERTIFICATES = path.join(import.meta.dirname, '..', '..', 'test', 'network', 'certificates')
const certificate = (name: string): string => path.join(CERTIFICATES, `${name}.pem`)
const clientCert = certificate('client')
const clientKey = certificate('client.key')
const PASSWORD = 'password-of-the-proxy'

function resolve(flags: TargetFlags, env: Record<string, string> = {}): ResolvedTarget {
  return resolveTarget({
    flags: { baseUrl: 'https://orders.example', ...flags },
    env: { ORDERING_KEY: 'a-key-0123456789', ...env },
    cwd: CERTIFICATES,
  })
}

describe('the way to a target', () => {
  test('is that of any other where nothing is said', () => {
    const { network, hazards } = resolve({})
    expect(network).toBeUndefined()
    expect(hazards).toEqual([])
  })

  test('takes a certificate from flags or the environment, by its absolute path', () => {
    const expected = { clientCertFile: clientCert, clientKeyFile: clientKey }
    expect(resolve({ clientCert: 'client.pem', clientKey }).network).toEqual(expected)
    const ofEnvironment = { ORDERING_CLIENT_CERT: clientCert, ORDERING_CLIENT_KEY: clientKey }
    const { network, origins } = resolve({}, ofEnvironment)
    expect(network).toEqual(expected)
    expect(origins['network.clientCertFile']).toBe('environment')
  })

  test('takes one family', () => {
    expect(resolve({ ipv6: true })).toMatchObject({
      network: { family: 6 },
      origins: { 'network.family': 'flag' },
    })
  })

  test('names a proxy as what could void addresses and times, without its password', () => {
    const { hazards } = resolve({}, { https_proxy: `http://me:${PASSWORD}@proxy.example:3128` })
    expect(hazards).toEqual([
      "requests go through the proxy proxy.example:3128 (https_proxy): the address that the target sees and the latencies are the proxy's. NO_PROXY exempts hosts.",
    ])
  })

  test.each([
    [{ clientCert }, {}, /--client-cert: it was given without --client-key/],
    [{ clientKey }, {}, /--client-key: it was given without --client-cert/],
    [{ clientCert: 'none.pem', clientKey }, {}, /none\.pem cannot be read \(ENOENT\)/],
    [
      { clientCert, clientKey: certificate('service.key') },
      {},
      /certificate and key cannot be used together/,
    ],
    [{ clientCert, clientKey, baseUrl: 'http://127.0.0.1:1' }, {}, /the base URL is plain http/],
    [{ ipv4: true, ipv6: true }, {}, /--ipv6 was given as well/],
    [{ ipv4: true, baseUrl: 'https://[::1]' }, {}, /holds an address of IPv6/],
    [{}, { HTTPS_PROXY: `ftp://${PASSWORD}@proxy` }, /HTTPS_PROXY: its value \(not shown/],
  ])('%o %o is refused', (flags, env, sentence) => {
    expect(() => resolve(flags, env)).toThrow(sentence)
    expect(() => resolve(flags, env)).not.toThrow(PASSWORD)
  })
})
