/** Which hosts NO_PROXY exempts, by the rules of Go's net/http: k6 follows them, and both halves of a run must go the same way. */
import { BlockList, isIP } from 'node:net'
import { isLoopback } from './loopback.ts'

/** Whether requests to a URL go there directly although a proxy is named. This machine itself is never asked for through one. */
export function isExempt(url: string, noProxy: string): boolean {
  if (isLoopback(url)) return true
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const reached = { host, port: port || (protocol === 'https:' ? '443' : '80') }
  return noProxy.split(',').some((entry) => matches(entry.trim().toLowerCase(), reached))
}

type Reached = { readonly host: string; readonly port: string }

function matches(entry: string, reached: Reached): boolean {
  if (entry === '') return false
  if (entry === '*') return true
  if (entry.includes('/')) return isInNetwork(entry, reached.host)
  const { name, port } = splitPort(entry)
  if (port !== undefined && port !== reached.port) return false
  if (isIP(name) > 0) return isInNetwork(`${name}/${isIP(name) === 4 ? 32 : 128}`, reached.host)
  const domain = name.replace(/^\*(?=\.)/, '')
  if (domain === '') return false
  // A dot in front means what is below the domain alone.
  if (domain.startsWith('.')) return reached.host.endsWith(domain)
  return reached.host === domain || reached.host.endsWith(`.${domain}`)
}

function splitPort(entry: string): { readonly name: string; readonly port?: string } {
  if (isIP(entry) === 6) return { name: entry }
  const [, name = entry, port] = /^(.*):(\d+)$/.exec(entry) ?? []
  const bare = name.replace(/^\[|\]$/g, '')
  return port === undefined ? { name: bare } : { name: bare, port }
}

function isInNetwork(network: string, host: string): boolean {
  const [address = '', bits = ''] = network.split('/')
  const version = isIP(address)
  if (version === 0 || version !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false
  const prefix = Number(bits)
  if (prefix > (version === 4 ? 32 : 128)) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(address, prefix, family)
  return list.check(host, family)
}
