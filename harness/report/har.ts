/** The evidence of a run as HTTP Archive 1.2, for browsers and proxies that read such files. */
import type { Exchange, RunRecord } from '../../schemas/generated/run-record.ts'

type Named = { readonly name: string; readonly value: string }

function named(headers: readonly (readonly [string, string])[] = []): Named[] {
  return headers.map(([name, value]) => ({ name, value }))
}

function headerOf(headers: readonly (readonly [string, string])[] = [], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

function requestOf({ method, url, requestHeaders, requestBody }: Exchange) {
  const query = url.includes('?') ? [...new URLSearchParams(url.slice(url.indexOf('?') + 1))] : []
  const mimeType = headerOf(requestHeaders, 'content-type')
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: named(requestHeaders),
    queryString: named(query),
    headersSize: -1,
    bodySize: requestBody === undefined ? 0 : Buffer.byteLength(requestBody),
    ...(requestBody === undefined ? {} : { postData: { mimeType, text: requestBody } }),
  }
}

function responseOf({ status = 0, responseHeaders, responseBody = '', error }: Exchange) {
  return {
    status,
    statusText: error?.message ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: named(responseHeaders),
    content: {
      size: Buffer.byteLength(responseBody),
      mimeType: headerOf(responseHeaders, 'content-type'),
      text: responseBody,
    },
    redirectURL: headerOf(responseHeaders, 'location'),
    headersSize: -1,
    bodySize: -1,
  }
}

function entryOf(exchange: Exchange) {
  const tookMs = Math.max(0, exchange.receivedAtMs - exchange.sentAtMs)
  return {
    startedDateTime: exchange.sentAt,
    time: tookMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
    comment: [exchange.id, exchange.check, `role ${exchange.role}`].filter(Boolean).join(' · '),
  }
}

/** JSON text with a line feed at the end. Secrets are out of the record already. */
export function renderHar({ exchanges, environment, runId }: RunRecord): string {
  const log = {
    version: '1.2',
    creator: { name: 'ordering-harness', version: environment.harness },
    entries: exchanges.map(entryOf),
    comment: `run ${runId}`,
  }
  return `${JSON.stringify({ log }, undefined, 2)}\n`
}
