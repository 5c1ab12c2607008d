import type { Exchange } from '../../harness/client/exchange.ts'

const TEXT_MAX = 240

/** A value as a finding prints it: JSON, bounded. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return clip(text)
}

export function clip(text: string, max = TEXT_MAX): string {
  return text.length > max
    ? `${text.slice(0, max)}… and ${text.length - max} more characters`
    : text
}

/** What was answered, in a line. */
export function showAnswer({ response, error }: Exchange): string {
  if (!response) return `no response (${error?.code ?? 'unknown'}: ${clip(error?.message ?? '')})`
  return `HTTP ${response.status} ${clip(response.body)}`
}

export function showRequest({ request, role }: Exchange): string {
  const { pathname, search } = new URL(request.url)
  return `${request.method} ${pathname}${search} as ${role}`
}
