/** Servers that are hostile from the first request: what they send is no answer, or none of this interface. */
import type http from 'node:http'
import { gzipSync } from 'node:zlib'
import { answering, closedPort, talking } from '../../verdict/servers.ts'
import type { Against, Row } from '../row.ts'
import { stranger } from '../servers.ts'

const BODY = '{"status":"SUCCESS","statusCode":0,"statusMessage":"ok","traceId":"t","data":{}}'
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const LENGTH = `Content-Length: ${BODY.length}\r\n`

/** One name of a code, one thing to do. */
type Told = readonly [code: string, cause: RegExp, next: RegExp]

const notReady = (
  probe: number,
  what: string,
  against: () => Promise<Against>,
  [code, cause, next]: Told,
): Row => ({
  probes: [probe],
  what,
  against,
  parameters: ['--only', 'auth,envelope,catalog,content-type'],
  exit: 3,
  says: [new RegExp(`${code}: .*${cause.source}`), new RegExp(`Next: .*${next.source}`)],
  record: { verdict: 'untested', requirements: [] },
})

const handled = (handler: http.RequestListener) => (): Promise<Against> =>
  stranger(answering(handler))

/** Says the same bytes to whatever comes, and hangs up. */
const raw =
  (...pieces: readonly (string | Buffer)[]) =>
  (): Promise<Against> =>
    stranger(
      talking((socket) => {
        socket.once('data', () => {
          for (const piece of pieces) socket.write(piece)
          socket.end()
        })
      }),
    )

const sealed = (body: Buffer, coding: string): (() => Promise<Against>) =>
  raw(`${OK}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`, body)

const UNREACHABLE = 'E_ENVIRONMENT_UNREACHABLE'
const STRANGER = 'E_ENVIRONMENT_STRANGER'
const BASE_URL = /(?:Check that|Correct) the base URL/

/** 64 MiB of zeros in 65 KB, and in a few hundred bytes. */
const BOMB = gzipSync(Buffer.alloc(64 << 20))

export const SERVERS: readonly Row[] = [
  notReady(22, 'a closed port', async () => closed(await closedPort()), [
    UNREACHABLE,
    /does not answer \(ECONNREFUSED/,
    /Start the service/,
  ]),
  {
    ...notReady(25, 'a body without end', handled(endless), [
      STRANGER,
      /a body that is longer than 16 MiB/,
      BASE_URL,
    ]),
    // Beside the others, a busy machine does not read so much in the 12 s that it has.
    by: 'turn',
  },
  notReady(
    27,
    'HTML with 200',
    handled((_, response) => response.end('<html>')),
    [STRANGER, /nothing of it is an envelope .*HTTP 200/, BASE_URL],
  ),
  notReady(
    27,
    'HTML with 500',
    handled((_, response) => response.writeHead(500).end('<html>')),
    [STRANGER, /HTTP 500/, BASE_URL],
  ),
  notReady(
    27,
    'JSON that is no envelope',
    handled((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"hello":"world"}'),
    ),
    [STRANGER, /nothing of it is an envelope/, BASE_URL],
  ),
  notReady(38, 'a header of 2 MB', raw(`${OK}X-Big: ${'a'.repeat(2e6)}\r\n${LENGTH}\r\n${BODY}`), [
    UNREACHABLE,
    /headers of more than 16 KiB/,
    /make them shorter/,
  ]),
  notReady(39, 'a header on two lines', raw(`${OK}X-Fold: a\r\n b\r\n${LENGTH}\r\n${BODY}`), [
    STRANGER,
    /folds a header over two lines/,
    /on one line/,
  ]),
  notReady(40, 'a Content-Length beyond the body', raw(`${OK}Content-Length: 999\r\n\r\n${BODY}`), [
    UNREACHABLE,
    /hangs up before its answer is whole/,
    /announce a longer body than it sends/,
  ]),
  notReady(
    40,
    'a Content-Length that is too short',
    raw(`${OK}Content-Length: 20\r\n\r\n${BODY}`),
    [STRANGER, /nothing of it is an envelope/, BASE_URL],
  ),
  notReady(40, 'two lengths', raw(`${OK}${LENGTH}Content-Length: 9\r\n\r\n${BODY}`), [
    UNREACHABLE,
    /a Content-Length that cannot be matched/,
    /Correct Content-Length/,
  ]),
  notReady(
    40,
    'a space after a length',
    raw(`${OK}Content-Length: ${BODY.length} \r\n\r\n${BODY}`),
    [UNREACHABLE, /a Content-Length that cannot be matched/, /space after its digits is allowed/],
  ),
  notReady(
    40,
    'a length beside chunks',
    raw(`${OK}${LENGTH}Transfer-Encoding: chunked\r\n\r\n${BODY}`),
    [UNREACHABLE, /a Content-Length that cannot be matched/, /none beside Transfer-Encoding/],
  ),
  notReady(42, 'a body without HTTP', raw(BODY), [
    STRANGER,
    /does not speak HTTP/,
    /the port and the scheme/,
  ]),
  notReady(42, 'HTTP 100 again and again', raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)), [
    UNREACHABLE,
    /sent 100 Continue/,
    /answer without 100/,
  ]),
  notReady(
    42,
    'HTTP 101',
    raw('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    [UNREACHABLE, /answers 101/, /WebSocket server/],
  ),
  notReady(42, 'connections that are reset', resetting, [
    UNREACHABLE,
    /hangs up before/,
    /log of the service/,
  ]),
  notReady(42, 'a content coding that nobody knows', sealed(Buffer.from(BODY), 'zz'), [
    STRANGER,
    /the content coding zz, which is not known/,
    BASE_URL,
  ]),
  notReady(43, 'a bomb of gzip', sealed(BOMB, 'gzip'), [
    STRANGER,
    /a body that is longer than 16 MiB/,
    BASE_URL,
  ]),
  notReady(43, 'a bomb of gzip in gzip', sealed(gzipSync(BOMB), 'gzip, gzip'), [
    STRANGER,
    /a body that is longer than 16 MiB/,
    BASE_URL,
  ]),
]

function closed(port: number): Against {
  const parameters = ['--base-url', `http://127.0.0.1:${port}`]
  return { parameters, async [Symbol.asyncDispose]() {} }
}

function resetting(): Promise<Against> {
  return stranger(talking((socket) => socket.once('data', () => socket.resetAndDestroy())))
}

const MIB = Buffer.alloc(1 << 20, 'a')

/** As fast as it is read, until nobody reads any more. */
function endless(_request: unknown, response: http.ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(MIB));
  }
  response.on('drain', write)
  write()
}
