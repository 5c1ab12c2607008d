import { HEADER } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import { keyVariable as keyVariableOf } from '../target-file/options.ts'

/** The command that repeats an exchange, with the key as the shell variable that the target names for it. */
export function curlOf({ request, role, keyVariable = keyVariableOf(role) }: Exchange): string {
  // A bracket or a brace of the URL is meant as it stands.
  const parts = ['curl', '-i', '--globoff']
  if (request.method !== 'GET') parts.push('-X', request.method)
  parts.push(quote(request.url))
  for (const [name, value] of request.headers)
    parts.push('-H', isKey(name) ? keyHeader(name, keyVariable) : quote(headerText(name, value)))
  if (request.localAddress !== undefined) parts.push('--interface', quote(request.localAddress))
  if (request.body !== undefined) {
    if (!request.headers.some(([name]) => isContentType(name)))
      parts.push('-H', quote(WITHOUT_CONTENT_TYPE))
    parts.push('--data-raw', quote(request.body))
  }
  return parts.join(' ')
}

/** Double quotes, so that the shell puts the key in. */
function keyHeader(name: string, variable: string): string {
  return `"${name}: $${variable}"`
}

/** Else curl would add the media type of forms. */
const WITHOUT_CONTENT_TYPE = `${HEADER.contentType}:`

/** curl drops a header without a value unless it ends in a semicolon. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === HEADER.contentType.toLowerCase()
}

function isKey(name: string): boolean {
  return name.toLowerCase() === HEADER.apiKey.toLowerCase()
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
