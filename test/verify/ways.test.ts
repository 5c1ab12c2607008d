/** What `verify` says of ways to a service, and of what answers there: proxies, certificates, clocks, strangers. */
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { demoKey } from '../../reference/seed.ts'
import { forwardingProxy, HOST, tlsFront } from '../network/servers.ts'
import { answering, closedPort, frontedService } from '../verdict/servers.ts'
import { layer, seen, statesOf } from './seen.ts'

const FULL = { ORDERING_KEY: demoKey('full') }

describe.concurrent('the way', () => {
  test('through a proxy', async () => {
    await using service = await frontedService()
    await using proxy = await forwardingProxy(service)
    const env = { ...FULL, HTTP_PROXY: proxy.url }
    const told = await seen(['--base-url', `http://${HOST}`], env)
    expect(told.exitCode).toBe(0)
    expect(layer(told, 'proxy')).toMatchObject({
      state: 'warn',
      seen: expect.stringContaining(`127.0.0.1:${proxy.port} in `),
    })
    expect(layer(told, 'DNS').seen).toBe(`the proxy looks up ${HOST}`)
    expect(layer(told, 'whoami').seen).toContain("which is the proxy's")
    expect(proxy.asked).toHaveLength(told.requests)
  })

  test('a proxy that refuses the tunnel', async () => {
    await using proxy = await forwardingProxy({ port: 1, refuses: 403 })
    const told = await seen(['--base-url', `https://${HOST}`], { ...FULL, HTTPS_PROXY: proxy.url })
    expect(told).toMatchObject({ exitCode: 3, requests: 0 })
    expect(layer(told, 'proxy')).toMatchObject({
      state: 'fail',
      seen: expect.stringContaining(`it refuses a tunnel to ${HOST}:443`),
    })
  })

  test('a proxy that speaks SOCKS', async () => {
    const socks = `socks5://127.0.0.1:${await closedPort()}`
    for (const scheme of ['http', 'https']) {
      const env = { ...FULL, HTTP_PROXY: socks, HTTPS_PROXY: socks }
      const told = await seen(['--base-url', `${scheme}://${HOST}`], env)
      expect(told).toMatchObject({ exitCode: 3, requests: 0 })
      expect(layer(told, 'proxy')).toMatchObject({
        state: 'fail',
        seen: expect.stringContaining('ECONNREFUSED'),
      })
    }
  })

  test.each([
    ['self-signed', /self-signed certificate|DEPTH_ZERO/, /NODE_EXTRA_CA_CERTS=FILE.pem/],
    ['expired', /expired/, /renewed/],
    ['service', /unable to verify|UNABLE_TO/, /NODE_EXTRA_CA_CERTS=FILE.pem/],
  ])('a certificate that is not trusted: %s', async (name, what, remedy) => {
    await using service = await frontedService()
    await using front = await tlsFront(service.port, { name })
    const told = await seen(['--base-url', `https://localhost:${front.port}`, '--ipv4'], FULL)
    expect(told).toMatchObject({ exitCode: 3, requests: 0 })
    expect(layer(told, 'TLS').seen).toMatch(what)
    expect(layer(told, 'TLS').remedy).toMatch(remedy)
    expect(service.seen).toEqual([])
  })

  test('a certificate for another host', async () => {
    await using service = await frontedService()
    await using front = await tlsFront(service.port, { name: 'self-signed' })
    await using proxy = await forwardingProxy(front)
    const env = { ...FULL, HTTPS_PROXY: proxy.url }
    const told = await seen(['--base-url', 'https://another.partner.test'], env)
    expect(layer(told, 'TLS').state).toBe('fail')
  })

  test('plain HTTP where TLS is expected', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', `https://127.0.0.1:${service.port}`], FULL)
    expect(layer(told, 'TLS')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('Check that the port speaks TLS'),
    })
  })

  test('a closed port', async () => {
    const port = await closedPort()
    const told = await seen(['--base-url', `http://127.0.0.1:${port}`], FULL)
    expect(told).toMatchObject({ exitCode: 3, requests: 0 })
    expect(layer(told, 'TCP')).toMatchObject({
      state: 'fail',
      seen: `127.0.0.1:${port} ECONNREFUSED`,
    })
    expect(statesOf(told, 'fail')).toEqual(['TCP'])
  })

  test('a host that nobody knows', async () => {
    const told = await seen(['--base-url', 'http://no-such-host.invalid'], FULL)
    expect(statesOf(told, 'fail')).toEqual(['DNS'])
    const ipv6 = await seen(['--base-url', 'http://no-such-host.invalid', '--ipv6'], FULL)
    expect(layer(ipv6, 'DNS')).toMatchObject({
      state: 'fail',
      seen: expect.stringMatching(/has no address of IPv6/),
      remedy: expect.stringContaining('Leave --ipv6 out'),
    })
  })
})

describe.concurrent('what answers', () => {
  test('a clock two hours behind', async () => {
    await using service = await frontedService()
    const behind = async (url: string, response: ServerResponse, key: string): Promise<void> => {
      const answer = await fetch(`${service.baseUrl}${url}`, { headers: { 'x-api-key': key } })
      response.setHeader('date', new Date(Date.now() - 7_200_000).toUTCString())
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(await answer.text())
    }
    await using late = await answering(({ url = '', headers }, response) => {
      void behind(url, response, String(headers['x-api-key'] ?? ''))
    })
    const told = await seen(['--base-url', late.baseUrl], FULL)
    expect(told.exitCode).toBe(0)
    expect(layer(told, 'clock')).toMatchObject({
      state: 'warn',
      seen: expect.stringMatching(/the clock of the target is (2 h|1\d\d min) behind ours/),
    })
  })

  test('another service on the port', async () => {
    await using server = await answering((_request, response) =>
      response.setHeader('server', 'nginx').end('<html><title>Sign in</title></html>'),
    )
    const told = await seen(['--base-url', server.baseUrl], FULL)
    expect(told.exitCode).toBe(3)
    expect(layer(told, 'interface')).toMatchObject({
      state: 'fail',
      seen: expect.stringMatching(/another service answers.*Sign in.*server nginx/),
    })
    expect(told.requests).toBeLessThan(6)
  })

  test('a redirection to a login page', async () => {
    await using server = await answering((_request, response) =>
      response.writeHead(302, { location: 'https://login.example/' }).end(),
    )
    const told = await seen(['--base-url', server.baseUrl], FULL)
    expect(layer(told, 'interface').seen).toContain('https://login.example/')
  })

  test('windows that are used up are told, and are no failure of keys', async () => {
    await using service = await frontedService(undefined, {
      limits: { default: { count: 1, windowSeconds: 60 } },
    })
    const told = await seen(['--base-url', service.baseUrl], FULL)
    expect(layer(told, 'windows left')).toMatchObject({ state: 'warn' })
    expect(layer(told, 'key full').state).toBe('pass')
  })

  test('no key at all', async () => {
    await using service = await frontedService()
    const told = await seen(['--base-url', service.baseUrl], {})
    expect(told.exitCode).toBe(3)
    expect(statesOf(told, 'fail')).toEqual(['keys'])
  })
})
