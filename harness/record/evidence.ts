import type { Exchange as RecordedExchange } from '../../schemas/generated/run-record.ts'
import type { Exchange, HeaderList } from '../client/exchange.ts'
import { curlOf } from './curl.ts'
import type { Redactor } from './redact.ts'

/** Characters of a body that a record keeps. */
const BODY_LENGTH_MAX = 4_000
/** No form of a secret reaches further; where it does, a text that ends in half of it is recognised. */
const SECRET_ROOM = 4_000
const HEADERS_MAX = 64

/** An exchange as evidence: redacted, bounded, with the curl that repeats it. */
export function evidenceOf(exchange: Exchange, redactor: Redactor): RecordedExchange {
  const { request, response, error } = exchange
  return {
    id: exchange.id,
    check: exchange.check,
    operation: exchange.operation,
    role: exchange.role,
    account: exchange.account,
    method: request.method,
    url: redactor.text(request.url),
    requestHeaders: redactHeaders(request.headers, redactor),
    ...(request.body === undefined ? {} : { requestBody: bounded(request.body, redactor) }),
    sentAt: new Date(exchange.sentAtWallMs).toISOString(),
    sentAtMs: exchange.sentAtMs,
    receivedAtMs: exchange.receivedAtMs,
    ...(response
      ? {
          status: response.status,
          responseHeaders: redactHeaders(response.headers, redactor),
          responseBody: bounded(response.body, redactor),
          truncated: response.truncated || response.body.length > BODY_LENGTH_MAX,
          ...(response.connection === undefined ? {} : { connection: response.connection }),
        }
      : {}),
    ...(error ? { error: { code: error.code, message: redactor.text(error.message) } } : {}),
    curl: redactor.text(curlOf(exchange)),
  }
}

function redactHeaders(headers: HeaderList, redactor: Redactor): [string, string][] {
  return headers
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => [name, redactor.header(name, value).slice(0, BODY_LENGTH_MAX)])
}

/** Redacted before the last cut, which could leave half a secret that no pattern knows; not whole, for a body may have megabytes. */
function bounded(body: string, redactor: Redactor): string {
  return redactor.text(body.slice(0, BODY_LENGTH_MAX + SECRET_ROOM)).slice(0, BODY_LENGTH_MAX)
}
