/** One server under measurement, in a process of its own, so that its CPU time is nobody else's. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE_TIMEOUT_MS } from '../reference/http/adapter.ts'
import { listen } from '../reference/server.ts'
import { benchService } from './bench-service.ts'
import { tell, usageNow } from './usage.ts'

/** What a bare server answers to everything. */
export type Recorded = {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

export type Start =
  | { readonly kind: 'reference' }
  | { readonly kind: 'bare'; readonly answer: Recorded }

export type Started = { readonly baseUrl: string; readonly key: string }

/** Nothing but node:http: reads the request whole, and answers the recorded bytes. */
function listenBare({ status, headers, body }: Recorded): Promise<string> {
  const options = { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }
  const server = createServer(options, (request, response) => {
    const answer = (): void => {
      response.writeHead(status, [...headers])
      response.end(body)
    }
    if (request.method === 'GET') answer()
    else {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', answer)
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

async function start(options: Start): Promise<void> {
  if (options.kind === 'bare') tell({ baseUrl: await listenBare(options.answer), key: '' })
  else {
    const { service, key } = benchService()
    const { baseUrl } = await listen(service)
    tell({ baseUrl, key })
  }
  process.on('message', () => tell(usageNow()))
}

process.once('disconnect', () => process.exit())
process.once('message', (options: Start) => void start(options))
