/** Who may use the control side, which makes keys and turns defects on. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { headerValue } from '../base/headers.ts'
import type { ServiceRequest } from '../base/types.ts'

export type Refusal = { readonly status: 401 | 403 | 415; readonly reason: string }

/** Undefined for a call that may be made. Without a token, the Host name under which this machine was called decides who may call. */
export function refusalOf(request: ServiceRequest, token: string | undefined): Refusal | undefined {
  if (token === undefined && !isLoopbackName(hostOf(request)))
    return {
      status: 403,
      reason: 'Expected a Host of this machine itself: localhost, 127.0.0.1 or [::1].',
    }
  if (token !== undefined && !presents(request, token))
    return { status: 401, reason: 'Expected Authorization: Bearer and the token of this service.' }
  if (request.method === 'POST' && mediaTypeOf(request) !== 'application/json')
    return { status: 415, reason: 'Expected Content-Type: application/json.' }
  return undefined
}

/** A page in a browser that has a name of its own lead here sends that name. */
function hostOf({ headers }: ServiceRequest): string {
  const host = headerValue(headers, 'Host') ?? ''
  const portAt = host.lastIndexOf(':')
  return portAt > host.lastIndexOf(']') ? host.slice(0, portAt) : host
}

/** A name or an address that means this machine alone. */
export function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase()
  return ['localhost', '[::1]', '::1'].includes(name) || /^127(\.\d{1,3}){3}$/.test(name)
}

function presents({ headers }: ServiceRequest, token: string): boolean {
  const given = headerValue(headers, 'Authorization') ?? ''
  return timingSafeEqual(digestOf(given), digestOf(`Bearer ${token}`))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A page in a browser can send a plain form to this machine, but not this type without asking first. */
function mediaTypeOf({ headers }: ServiceRequest): string {
  const [type = ''] = (headerValue(headers, 'Content-Type') ?? '').split(';')
  return type.trim().toLowerCase()
}
