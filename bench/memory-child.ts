/** Creates orders, reads some of them with unhide, and tells what stays in memory. Needs --expose-gc. */
import { benchService } from './bench-service.ts'
import type { MemorySample } from './memory.ts'
import { tell } from './usage.ts'

const ORDERS = Number(process.argv[2])
const SAMPLES = 10
/** Every so many orders one is read with unhide, which has counters of its own. */
const READ_EVERY = 5
/** Short windows, so that a run sees many of them end. */
const WINDOW = { count: 1_000_000_000, windowSeconds: 1 } as const

const { service, key } = benchService({
  limits: {
    default: WINDOW,
    'orders.filtered': WINDOW,
    'orders.unhide.pending': WINDOW,
    'orders.unhide.completed': WINDOW,
  },
})

async function send(method: string, url: string, body: string): Promise<void> {
  const headers = ['X-API-Key', key, 'Content-Type', 'application/json']
  const { status } = await service.handle({
    method,
    url,
    headers,
    body,
    remoteAddress: '127.0.0.1',
  })
  if (status !== 200) throw new Error(`Got ${status} for ${method} ${url}.`)
}

async function buy(serial: number): Promise<void> {
  const place = { serviceId: 'svc-arcade', itemId: 'arcade-1' }
  const order = { ordersType: 'shop', referenceId: `memory-${serial}`, ...place, quantity: 1 }
  await send('POST', '/api/v1/orders', JSON.stringify(order))
  if (serial % READ_EVERY === 0)
    await send('GET', `/api/v1/orders?referenceId=memory-${serial}&unhide=true`, '')
}

function sample(created: number): MemorySample {
  globalThis.gc?.()
  const { orders, counters } = service.stats()
  const { heapUsed: heapBytes, arrayBuffers: arrayBytes } = process.memoryUsage()
  return { created, orders, counters, heapBytes, arrayBytes }
}

for (let serial = 1; serial <= ORDERS; serial++) {
  await buy(serial)
  if (serial % Math.ceil(ORDERS / SAMPLES) === 0) tell(sample(serial))
}
process.disconnect()
