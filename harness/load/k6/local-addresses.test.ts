import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { hasLocalAddresses, localAddress, localAddressArguments } from './local-addresses.ts'

test('each virtual user of each process has an address of its own', () => {
  expect(localAddressArguments(undefined, 0)).toEqual([])
  expect(localAddressArguments(12, 0)).toEqual(['--local-ips=127.83.64.1-127.83.64.12'])
  expect(localAddressArguments(900, 2)).toEqual(['--local-ips=127.83.66.1-127.83.66.254'])
  expect(localAddress(11)).toBe('127.83.64.12')
})

test('a target that is somewhere else is not called from them', async () => {
  expect(await hasLocalAddresses('https://orders.example.com')).toBe(false)
  expect(await hasLocalAddresses('http://[::1]:8080')).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a target on this machine is, while it listens',
  async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await hasLocalAddresses(baseUrl)).toBe(true)
    await server[Symbol.asyncDispose]()
    expect(await hasLocalAddresses(baseUrl)).toBe(false)
  },
)
