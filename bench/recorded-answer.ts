import { request } from 'undici'
import { startServer } from './child.ts'
import type { Recorded } from './server-child.ts'

/** What the reference service answers to the read of one order, for a bare server to repeat. */
export async function recordAnswer(): Promise<{
  readonly answer: Recorded
  readonly key: string
  readonly orderId: string
}> {
  await using reference = await startServer({ kind: 'reference' })
  const { baseUrl, key } = reference
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const order = {
    ordersType: 'shop',
    referenceId: 'bench-client',
    serviceId: 'svc-arcade',
    itemId: 'arcade-1',
    quantity: 1,
  }
  const created = await request(`${baseUrl}/api/v1/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify(order),
  })
  const { data } = (await created.body.json()) as { data: { orderId: string } }
  const read = await request(`${baseUrl}/api/v1/orders?orderId=${data.orderId}`, {
    headers,
    responseHeaders: 'raw',
  })
  const kept = fields(read.headers as unknown as readonly string[])
  const answer = { status: read.statusCode, headers: kept, body: await read.body.text() }
  return { answer, key, orderId: data.orderId }
}

/** What the bare server adds itself is left out. */
function fields(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !OWN.test(String(raw[index - (index % 2)])))
}

const OWN = /^(date|connection|keep-alive)$/i
