/** CPU per request of our client beside bare undici.request: same server process, same process, in turns. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { recordAnswer } from './recorded-answer.ts'
import { startServer } from './child.ts'
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

type MeasuredClient = AsyncDisposable & { measure(task: ClientTask): Promise<ClientCost> }

function startClient(): MeasuredClient {
  const child = fork(path.join(import.meta.dirname, 'client-child.ts'))
  const ended = once(child, 'exit')
  const died = ended.then(([code]) => {
    throw new Error(`The process of the clients ended with ${String(code)}.`)
  })
  return {
    async measure(task) {
      const reply = once(child, 'message')
      child.send(task)
      const [cost] = (await Promise.race([reply, died])) as [ClientCost]
      return cost
    },
    [Symbol.asyncDispose]: async () => {
      died.catch(() => undefined)
      child.disconnect()
      await ended
    },
  }
}

/** Answers of 600 bytes: an order, read by its identifier. */
export async function compareClients(options: ClientOptions): Promise<ClientResult> {
  const { repeats, requests, inFlight } = options
  const { answer, key, orderId } = await recordAnswer()
  await using server = await startServer({ kind: 'bare', answer })
  await using client = startClient()
  const rateOf = async (kind: ClientKind): Promise<number> => {
    const { baseUrl } = server
    const task = { kind, baseUrl, key, orderId, requests, inFlight }
    const { cpuMicroseconds } = await client.measure(task)
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
