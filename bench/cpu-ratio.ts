/** CPU per request of the reference service, beside a bare node:http server that answers the same bytes. */
import { type Answered, sendBurst } from './wire-client.ts'
import { type MeasuredServer, startServer } from './child.ts'
import type { Recorded } from './server-child.ts'
import { type Spread, spreadOf } from './spread.ts'

export type Workload = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Undefined: none. */
  readonly body?: (serial: number) => string
}

const SERIAL_FIRST = 1_000_000

export const WORKLOADS: readonly Workload[] = [
  { name: 'GET /api/v1/services', method: 'GET', path: '/api/v1/services' },
  {
    name: 'POST /api/v1/orders',
    method: 'POST',
    path: '/api/v1/orders',
    body: (serial) =>
      JSON.stringify({
        ordersType: 'shop',
        // As long for every order: so are the answers.
        referenceId: `bench-${SERIAL_FIRST + serial}`,
        serviceId: 'svc-arcade',
        itemId: 'arcade-1',
        quantity: 1,
      }),
  },
]

export type RatioOptions = {
  readonly repeats: number
  readonly requests: number
  readonly connections: number
}

export type RatioResult = {
  readonly name: string
  /** Microseconds of CPU per request. */
  readonly bare: Spread
  readonly reference: Spread
  /** bare / reference, repeat by repeat. */
  readonly ratio: Spread
}

function requestText({ method, path, body }: Workload, key: string, serial: number): string {
  const text = body?.(serial) ?? ''
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    `X-API-Key: ${key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${text.length}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** Sends one burst and returns the CPU per request that it cost the server. */
async function measure(
  server: MeasuredServer,
  workload: Workload,
  {
    requests,
    connections,
    key,
    from,
  }: RatioOptions & { readonly key: string; readonly from: number },
): Promise<number> {
  const before = await server.usage()
  const request = (serial: number): string => requestText(workload, key, from + serial)
  await sendBurst({ baseUrl: server.baseUrl, requests, connections, request })
  const after = await server.usage()
  return (after.cpuMicroseconds - before.cpuMicroseconds) / requests
}

function recorded({ head, body }: Answered): Recorded {
  const [, ...lines] = head.split('\r\n')
  const kept = lines.filter((line) => !/^(date|connection|keep-alive):/i.test(line))
  const headers = kept.flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: 200, headers, body: body.toString() }
}

/** Throws when the bare server does not answer what was recorded, but for the moment. */
function requireAlike(recorded: Answered, bare: Answered): void {
  const [expected, got] = [recorded, bare].map(
    ({ head, body }) => `${head.replace(/^date: .*$/im, '')}\n${body.toString()}`,
  )
  if (got !== expected)
    throw new Error(`The bare server answers ${got}; expected what it was given: ${expected}`)
}

export async function compare(workload: Workload, options: RatioOptions): Promise<RatioResult> {
  await using reference = await startServer({ kind: 'reference' })
  const { baseUrl, key } = reference
  const request = (): string => requestText(workload, key, 0)
  const first = await sendBurst({ baseUrl, requests: 1, connections: 1, request })
  await using bare = await startServer({ kind: 'bare', answer: recorded(first) })
  requireAlike(
    first,
    await sendBurst({ baseUrl: bare.baseUrl, requests: 1, connections: 1, request }),
  )
  const costs: { bare: number; reference: number }[] = []
  // The first repeat warms up and is left out.
  for (let repeat = 0; repeat <= options.repeats; repeat++) {
    const setting = { ...options, key, from: 1 + repeat * options.requests }
    const cost = {
      bare: await measure(bare, workload, setting),
      reference: await measure(reference, workload, setting),
    }
    if (repeat > 0) costs.push(cost)
  }
  return {
    name: workload.name,
    bare: spreadOf(costs.map((cost) => cost.bare)),
    reference: spreadOf(costs.map((cost) => cost.reference)),
    ratio: spreadOf(costs.map((cost) => cost.bare / cost.reference)),
  }
}
