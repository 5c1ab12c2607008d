/** The control side over HTTP: small JSON calls, answered without the envelope, since it is no part of the interface. */
import { type JsonObject, peekJson } from '../http/body.ts'
import type { Handler } from '../http/adapter.ts'
import type { Control } from './control.ts'
import type { ServiceRequest, ServiceResponse } from '../base/types.ts'
import { refusalOf } from './access.ts'
import { readAccountSpec, readKeyChange, readNames, readNumber, readText } from './read.ts'

/** What is controlled. */
type Service = { readonly control: Control; stats(): unknown }

type ControlAnswer = { readonly status: number; readonly body: unknown }
type ControlCall = (service: Service, body: JsonObject) => unknown

const ok: ControlAnswer['body'] = { ok: true }

/** Method and path of every control call. */
const CALLS: Readonly<Record<string, ControlCall>> = {
  'POST /accounts': ({ control }, body) => control.createAccount(readAccountSpec(body)),
  'POST /orders': ({ control }, body) => ({ orders: control.orders(readText(body, 'account')) }),
  'POST /balance': ({ control }, body) => ({ balance: control.balance(readText(body, 'account')) }),
  'POST /keys/facts': ({ control }, body) => control.keyFacts(readText(body, 'key')),
  'POST /keys/change': ({ control }, body) => {
    control.changeKey(readText(body, 'key'), readKeyChange(body))
    return ok
  },
  'POST /shop-limit': ({ control }, body) => {
    const seconds = readNumber(body, 'retryAfterSeconds')
    control.relayShopLimit(readText(body, 'account'), readNumber(body, 'count'), seconds)
    return ok
  },
  'GET /faults': ({ control }) => ({ names: control.faults() }),
  'POST /faults': ({ control }, body) => {
    control.setFaults(readNames(body, 'names'))
    return { names: control.faults() }
  },
  'GET /stats': (service) => service.stats(),
}

/** `token`: what callers have to present. */
export function handlerOfControl(service: Service, token?: string): Handler {
  return {
    handle: async (request) => respond(answer(service, request, token)),
    refuse: (status, message) => respond({ status, body: { error: message } }),
  }
}

function answer(
  service: Service,
  request: ServiceRequest,
  token: string | undefined,
): ControlAnswer {
  const refusal = refusalOf(request, token)
  if (refusal) return { status: refusal.status, body: { error: refusal.reason } }
  const call = CALLS[`${request.method} ${request.url}`]
  if (call === undefined) return { status: 404, body: { error: 'No such control call.' } }
  const body = request.method === 'POST' ? peekJson(request.body) : {}
  if (body === undefined) return { status: 400, body: { error: 'Expected a JSON object.' } }
  try {
    return { status: 200, body: call(service, body) }
  } catch (error) {
    if (error instanceof RangeError) return { status: 400, body: { error: error.message } }
    return { status: 500, body: { error: String(error) } }
  }
}

function respond({ status, body }: ControlAnswer): ServiceResponse {
  return { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) }
}
