import type { Exchange } from '../../harness/client/exchange.ts'

const TEXT_MAX = 240

/** A value as a finding prints it: JSON, bounded. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return clip(text)
}

/** Bounds a text. It is cut between the values of a JSON text, never inside one: half a code would pass redaction unseen. */
export function clip(text: string, max = TEXT_MAX): string {
  if (text.length <= max) return text
  const boundary = text.slice(0, max).search(/[,{[][^,{[]*$/)
  const cut = boundary > 0 ? boundary + 1 : max
  return `${text.slice(0, cut)}… and ${text.length - cut} more characters`
}

/** What was answered, in a line. */
export function showAnswer({ response, error, json }: Exchange): string {
  if (!response) return `no response (${error?.code ?? 'unknown'}: ${clip(error?.message ?? '')})`
  const notes = [flawOf({ response }), refusedFields(json)].filter((note) => note !== undefined)
  // The flaw of what cannot be decoded stands in place of the body.
  const told = notes
    .map((note) => `(${note}) `)
    .filter((note) => note !== `${response.body} `)
    .join('')
  return `HTTP ${response.status} ${told}${clip(response.body)}`
}

const FIELDS_MAX = 3

/** The offending fields come first, for a body is cut: `itemId INVALID_VALUE`. */
function refusedFields(json: unknown): string | undefined {
  const { errors } = (json ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return undefined
  const named = errors.slice(0, FIELDS_MAX).flatMap((error: unknown) => {
    const { field, code } = (error ?? {}) as { field?: unknown; code?: unknown }
    if (typeof field !== 'string') return []
    return [clip(typeof code === 'string' ? `${field} ${code}` : field, 80)]
  })
  return named.length === 0 ? undefined : `refused: ${named.join(', ')}`
}

/** What is wrong with the bytes of a body that is to be JSON, besides what a parser says. */
export function flawOf({ response }: Pick<Exchange, 'response'>): string | undefined {
  return response?.body.startsWith('\ufeff')
    ? 'the body begins with a byte order mark, which JSON on a network must not have (RFC 8259, 8.1)'
    : response?.flaw
}

export function showRequest({ request, role }: Exchange): string {
  const { pathname, search } = new URL(request.url)
  return `${request.method} ${pathname}${search} ${callerOf(role)}`
}

function callerOf(role: string): string {
  if (role === 'none') return 'without a key'
  return role === 'invented' ? 'with a key that was never issued' : `with the key ${role}`
}
