/** CPU per request of our client beside bare undici.request: same server process, same process, in turns. */
import { recordAnswer } from './recorded-answer.ts'
import { startChild, startServer } from './child.ts'
import type { ClientCost, ClientKind, ClientTask } from './client-child.ts'
import { type Spread, spreadOf } from './spread.ts'

export type ClientOptions = {
  readonly repeats: number
  readonly requests: number
  readonly inFlight: number
}

export type ClientResult = {
  /** Requests per second of CPU time. */
  readonly bare: Spread
  readonly ours: Spread
  /** ours / bare, repeat by repeat. */
  readonly ratio: Spread
}

/** Answers of 600 bytes: an order, read by its identifier. */
export async function compareClients(options: ClientOptions): Promise<ClientResult> {
  const { repeats, requests, inFlight } = options
  const { answer, key, orderId } = await recordAnswer()
  await using server = await startServer({ kind: 'bare', answer })
  await using client = startChild('client-child.ts')
  const rateOf = async (kind: ClientKind): Promise<number> => {
    const { baseUrl } = server
    const task: ClientTask = { kind, baseUrl, key, orderId, requests, inFlight }
    const { cpuMicroseconds } = await client.ask<ClientCost>(task)
    return (requests / cpuMicroseconds) * 1e6
  }
  const rates: { bare: number; ours: number }[] = []
  // The first repeat warms up and is left out.
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const rate = { bare: await rateOf('bare'), ours: await rateOf('ours') }
    if (repeat > 0) rates.push(rate)
  }
  return {
    bare: spreadOf(rates.map(({ bare }) => bare)),
    ours: spreadOf(rates.map(({ ours }) => ours)),
    ratio: spreadOf(rates.map(({ ours, bare }) => ours / bare)),
  }
}
