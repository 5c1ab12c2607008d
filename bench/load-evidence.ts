/** Evidence of simulated limiters, as k6 would have written it, of any size. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { EVIDENCE_VERSION, PHASES } from '../load/protocol/evidence.ts'
import type { Limiter } from '../test/support/limiter-simulator.ts'

export type SimulatedLoad = {
  /** One for each stream. */
  readonly limiters: readonly Limiter[]
  readonly limit: { readonly count: number; readonly windowSeconds: number }
  readonly exchanges: number
}

/** Requests sent at once. */
const BATCH = 20
/** Requests for each one that a window admits: each window is spent and overstepped. */
const OFFERED_SHARE = 1.25
const LATENCY_US = 1500
const AT = PHASES.indexOf('at')

/** Writes the evidence; every stream sends batches at even distances, through as many windows as it takes. */
export async function writeEvidence(path: string, load: SimulatedLoad): Promise<void> {
  const { limiters, limit, exchanges } = load
  const file = createWriteStream(path, { highWaterMark: 1 << 20 })
  const write = async (text: string): Promise<void> => {
    if (!file.write(text)) await once(file, 'drain')
  }
  for (const stream of limiters.keys())
    await write(`h ${EVIDENCE_VERSION} ${stream} 1795248101075 1200\n`)
  const each = Math.ceil(exchanges / limiters.length)
  const gapUs = (1e6 * limit.windowSeconds * BATCH) / (limit.count * OFFERED_SHARE)
  for (let sent = 0; sent < each; sent += BATCH) {
    const sentUs = Math.floor(5000 + (sent / BATCH) * gapUs)
    const size = Math.min(BATCH, each - sent)
    for (const [stream, limiter] of limiters.entries())
      await write(batchText(stream, limiter, sentUs + 97 * stream, size))
  }
  for (const stream of limiters.keys()) await write(`e ${stream} ${each} done\n`)
  file.end()
  await once(file, 'close')
}

function batchText(stream: number, limiter: Limiter, sentUs: number, size: number): string {
  let text = ''
  for (let index = 0; index < size; index++) {
    const waitSeconds = limiter((sentUs + (LATENCY_US * (index + 1)) / (size + 1)) / 1000, 0)
    const answer = waitSeconds === undefined ? '200 - -' : `429 8 ${waitSeconds}`
    text += `x ${stream} 0 ${AT} ${sentUs} ${sentUs + LATENCY_US} ${answer} r\n`
  }
  return text
}
