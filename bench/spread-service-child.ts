/** A service of nothing but node:http, as the reference service is one: answers at once, and notes when it has read each purchase. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tell } from './usage.ts'

const ANSWER = JSON.stringify({
  data: { orderId: 'order-1', currency: 'USD', price: 1, status: 'SUCCESS' },
  status: 'SUCCESS',
  statusCode: 0,
  statusMessage: 'ok',
  traceId: 'trace-1',
})

/** Microseconds. */
let arrivals: number[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method === 'POST') {
      JSON.parse(Buffer.concat(chunks).toString())
      arrivals.push(1000 * performance.now())
    }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(ANSWER)
  })
})

process.once('disconnect', () => process.exit())
process.on('message', () => {
  tell(arrivals)
  arrivals = []
})
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
