/** Servers that speak HTTP and answer every request in one hostile way. They know no key, no limit and no order. */
import { randomUUID } from 'node:crypto'
import type http from 'node:http'
import type net from 'node:net'
import { expect } from 'vitest'
import { answering, talking } from '../../verdict/servers.ts'
import type { Row } from '../row.ts'
import { stranger } from '../servers.ts'

type Ended = Pick<Row, 'exit' | 'says' | 'also'> & { readonly record?: object }

/** None of these spends a window of the interface's size, which is what takes long. */
const SELECTION = [
  '--only',
  'auth.missing-key,allowlist.whoami-address,answers.services,catalog.type-voucher,envelope',
]

const always = (
  probe: number,
  what: string,
  handler: http.RequestListener,
  { record = {}, ...ended }: Ended,
): Row => ({
  probes: [probe],
  what,
  against: () => stranger(answering(handler)),
  parameters: SELECTION,
  record,
  ...ended,
})

const envelope = (more: object = {}): string =>
  JSON.stringify({ status: 'SUCCESS', statusCode: 0, statusMessage: 'OK', traceId: 't', ...more })

/** The same answer to everything. */
const answer =
  (
    status: number,
    body: string | Buffer,
    headers: http.OutgoingHttpHeaders = {},
  ): http.RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

const fails = (...says: readonly RegExp[]): Ended => ({
  exit: 1,
  says,
  record: { verdict: 'fail', problems: [] },
})

const DEEP = 100_000

/** What would be read as more than text by a terminal, a page, a report or a workflow. */
const INJECTION =
  '\u001b]0;pwned\u0007\u001b[2J\u0000\u202e\u2028<script>alert(1)</script>]]>&x;\n::error::pwned\r\n[x](javascript:alert(1))'

/** What no terminal and no page may get. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const RAW = /[\u0000-\u0008\u000b-\u001f\u202e\u2028]/u
/** What a log takes for a command, where it begins a line. */
const COMMAND = /^::error::/m
const MARKUP = /<script>alert/

export const STRANGERS: readonly Row[] = [
  always(16, 'success for everyone', answer(200, envelope({ data: {} })), fails(/breaks \d+ of/)),
  always(26, 'a redirect to another host', redirect, {
    exit: 3,
    says: [/E_ENVIRONMENT_STRANGER: .*HTTP 302/, /redirects to \(http/],
  }),
  always(
    26,
    'a redirect with an envelope',
    (_, response) => {
      response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end(envelope())
    },
    fails(/HTTP 302/),
  ),
  always(30, '429 for ever', throttled, {
    exit: 5,
    says: [/answers HTTP 429 to all \d+ requests/, /Next: Let the windows of these accounts pass/],
    record: { causes: [{ kind: 'throttled' }] },
  }),
  always(31, '500 for ever', answer(500, envelope()), {
    ...fails(/answers HTTP 500 to all \d+ requests/, /Look at the log of the service/),
    also: (_, record) => expect(record?.causes).toMatchObject([{ kind: 'server-error' }]),
  }),
  always(33, 'bytes that are no UTF-8', answer(200, invalidUtf8()), {
    ...fails(/ENV-02/),
  }),
  always(
    34,
    `arrays ${DEEP} deep`,
    answer(200, envelope({ data: '@' }).replace('"@"', '['.repeat(DEEP) + ']'.repeat(DEEP))),
    fails(/breaks \d+ of/),
  ),
  always(
    36,
    'names of the prototype',
    answer(
      200,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"traceId":"t"}',
    ),
    {
      ...fails(/breaks \d+ of/),
      also: () => expect(({} as { polluted?: unknown }).polluted).toBeUndefined(),
    },
  ),
  always(37, 'headers that come twice', twice, fails(/breaks \d+ of/)),
  {
    probes: [41],
    what: 'two answers to one request',
    against: () => stranger(talking(answerTwice)),
    parameters: SELECTION,
    ...fails(/breaks \d+ of/),
    record: { verdict: 'fail' },
  },
  always(44, 'control letters, markup and commands in every text', injecting(), {
    ...fails(/breaks \d+ of/),
    also: async (ended) => {
      for (const text of [ended.out, ended.err])
        for (const wrong of [RAW, COMMAND]) expect(text).not.toMatch(wrong)
      for (const name of ['index.html', 'junit.xml', 'summary.md'])
        for (const wrong of [RAW, MARKUP]) expect(await ended.file(name)).not.toMatch(wrong)
      expect(await ended.file('summary.md')).not.toMatch(COMMAND)
      expect(await ended.file('index.html')).toContain("default-src 'none'")
    },
  }),
]

/** Each with a trace of its own, so that nothing else is wrong with it. */
function throttled(_request: unknown, response: http.ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'retry-after': '0' }
  response.writeHead(429, headers).end(envelope({ statusCode: 8, traceId: randomUUID() }))
}

function redirect(_request: unknown, response: http.ServerResponse): void {
  response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end()
}

function invalidUtf8(): Buffer {
  const [before = '', after = ''] = envelope({ statusMessage: '@' }).split('@')
  return Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from(after)])
}

function twice(_request: unknown, response: http.ServerResponse): void {
  response.setHeader('content-type', ['application/json', 'text/html'])
  response.setHeader('date', ['Thu, 01 Jan 1970 00:00:00 GMT', new Date().toUTCString()])
  response.end(envelope())
}

function answerTwice(socket: net.Socket): void {
  const body = envelope()
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.on('data', () => socket.write(`${head}${body}${head}${body}`))
}

function injecting(): http.RequestListener {
  const texts = { statusMessage: INJECTION, traceId: INJECTION, errorCode: INJECTION }
  const errors = [{ code: INJECTION, field: INJECTION, message: INJECTION }]
  return answer(422, envelope({ ...texts, errors, data: { [INJECTION]: INJECTION } }))
}
