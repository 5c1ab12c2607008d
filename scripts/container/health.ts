/** Health check of the image: whether the service answers in its envelope. Needs neither a key nor a shell. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const { REFERENCE_HOST: host = '', REFERENCE_PORT: port = '8080' } = process.env
const WILDCARDS = ['', '0.0.0.0', '::']
const TIMEOUT_MS = 2_000

const request = get({
  host: WILDCARDS.includes(host) ? '127.0.0.1' : host,
  port,
  path: '/whoami',
  signal: AbortSignal.timeout(TIMEOUT_MS),
})
const [response] = (await once(request, 'response')) as [IncomingMessage]
const body = await text(response)
if (!body.includes('"traceId"'))
  throw new Error(`Got HTTP ${response.statusCode} without the traceId of the envelope.`)
