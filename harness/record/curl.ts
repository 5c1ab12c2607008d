import { HEADER } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'

/** The command that repeats an exchange, with the key as a shell variable. */
export function curlOf(exchange: Exchange): string {
  const { request, role } = exchange
  const parts = ['curl', '-i']
  if (request.method !== 'GET') parts.push('-X', request.method)
  parts.push(quote(request.url))
  for (const [name, value] of request.headers)
    parts.push('-H', isKey(name) ? keyHeader(name, role) : quote(`${name}: ${value}`))
  if (request.localAddress !== undefined) parts.push('--interface', quote(request.localAddress))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return parts.join(' ')
}

/** Double quotes, so that the shell puts the key in. */
function keyHeader(name: string, role: Exchange['role']): string {
  return `"${name}: $${keyVariable(role)}"`
}

/** The environment variable that holds the key of a role, by convention. */
export function keyVariable(role: Exchange['role']): string {
  return `ORDERING_KEY_${role.toUpperCase().replaceAll('-', '_')}`
}

function isKey(name: string): boolean {
  return name.toLowerCase() === HEADER.apiKey.toLowerCase()
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
