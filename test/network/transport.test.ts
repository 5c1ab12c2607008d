/** The way of the checks' own client: through a proxy or not, by which addresses. */
import { describe, expect, test } from 'vitest'
import { openTransport } from '../../harness/client/open-transport.ts'
import type { WireResponse } from '../../harness/client/exchange.ts'
import { answering, closedPort } from '../verdict/servers.ts'
import { forwardingProxy, HOST, tlsFront } from './servers.ts'

async function get(url: string, env: Record<string, string>, network = {}): Promise<WireResponse> {
  const transport = openTransport({ network }, { connectTimeoutMs: 2_000 }, env)
  try {
    return await transport.send({ method: 'GET', url, headers: [['accept', 'text/plain']] })
  } finally {
    await transport.close()
  }
}

describe('the proxy of the environment', () => {
  test('gets plain requests whole, with the host of the target', async () => {
    await using server = await answering(({ headers, url }, response) =>
      response.end(`${headers.host} ${url}`),
    )
    await using proxy = await forwardingProxy(server)
    const { status, body } = await get(`http://${HOST}/whoami?a=1`, { HTTP_PROXY: proxy.url })
    expect({ status, body }).toEqual({ status: 200, body: `${HOST} /whoami?a=1` })
    expect(proxy.asked).toEqual([`GET http://${HOST}/whoami?a=1`])
  })

  test('is passed by where NO_PROXY names the host, and for this machine', async () => {
    await using server = await answering((_request, response) => response.end('direct'))
    await using proxy = await forwardingProxy(server)
    const local = `http://127.0.0.1:${server.port}/`
    expect((await get(local, { HTTP_PROXY: proxy.url })).body).toBe('direct')
    const env = { http_proxy: proxy.url, no_proxy: 'partner.test' }
    await expect(get(`http://${HOST}/`, env)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
    expect(proxy.asked).toEqual([])
  })

  test('is told the user and password that its URL gives', async () => {
    await using server = await answering((_request, response) => response.end('in'))
    await using proxy = await forwardingProxy({ port: server.port, login: 'me:p@ss' })
    const url = proxy.url.replace('://', '://me:p%40ss@')
    expect((await get(`http://${HOST}/`, { HTTP_PROXY: url })).body).toBe('in')
    await expect(get(`http://${HOST}/`, { HTTP_PROXY: proxy.url })).rejects.toThrow(
      `Proxy Authentication Required (407) (through the proxy 127.0.0.1:${proxy.port})`,
    )
  })

  test('is named where it refuses a tunnel, or is not there', async () => {
    await using proxy = await forwardingProxy({ port: 1, refuses: 403 })
    await expect(get(`https://${HOST}/`, { HTTPS_PROXY: proxy.url })).rejects.toThrow(
      `Proxy response (403) !== 200 when HTTP Tunneling (through the proxy 127.0.0.1:${proxy.port})`,
    )
    expect(proxy.asked).toEqual([`CONNECT ${HOST}:443`])
    const port = await closedPort()
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    await expect(get(`https://${HOST}/`, env)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('does not stand in for the certificate: that of the target is looked at', async () => {
    await using server = await answering((_request, response) => response.end('never'))
    await using front = await tlsFront(server.port, { name: 'self-signed' })
    await using proxy = await forwardingProxy(front)
    await expect(get(`https://${HOST}/`, { HTTPS_PROXY: proxy.url })).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  })
})

test('one family of addresses alone is asked for', async () => {
  await using server = await answering((_request, response) => response.end('here'))
  const url = `http://localhost:${server.port}/`
  expect((await get(url, {}, { family: 4 })).body).toBe('here')
  await expect(get(url, {}, { family: 6 })).rejects.toThrow(/ECONNREFUSED|ENOTFOUND|EADDRNOTAVAIL/)
})
