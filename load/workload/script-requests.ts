import exec from 'k6/execution'
import http from 'k6/http'
import type { BatchRequest } from 'k6/http'
import { sleep } from 'k6'
import type { ScriptEnd, BurstFile, BurstPhase } from '../protocol/bursts.ts'
import type { ScriptAnswer, ScriptIo, ScriptRequest } from './script.ts'
import { ScriptWire } from './script-wire.ts'
import { readOrderAnswer } from './order-answers.ts'
import { withOwnHeaders } from './own-headers.ts'
import { isPriceBound, requirePrice } from './price-bound.ts'
import { testMs } from './requests.ts'

/**
 * Right before purchases are released, when they are made: what k6 and the service had to do for the warming is done. A thread that has
 * just slept gets a whole slice of its processor. On a busy machine a release is a fifth tighter for it.
 */
const BREATH_SECONDS = 0.005

export type ScriptOptions = {
  readonly script: number
  readonly plan: BurstFile
  readonly keys: readonly string[]
  counted(phase: BurstPhase, count: number): void
}

/** Sends the requests of one script and writes the evidence of each. */
export class ScriptRequests implements ScriptIo {
  readonly #options: ScriptOptions
  readonly #wire: ScriptWire
  readonly #offsetMs: number
  /** The most that each reference may cost. */
  readonly #most = new Map<number, number>()
  #exchanges = 0

  constructor(options: ScriptOptions) {
    this.#options = options
    this.#wire = new ScriptWire(options.script, options.plan, options.keys)
    // Both clocks at one moment: what follows is counted on the test's own.
    this.#offsetMs = testMs() - (Date.now() - exec.scenario.startTime)
  }

  nowMs(): number {
    return testMs() - this.#offsetMs
  }

  sleepMs(milliseconds: number): void {
    sleep(milliseconds / 1000)
  }

  send(phase: BurstPhase, requests: readonly ScriptRequest[]): readonly ScriptAnswer[] {
    const batch = requests.map((request) => this.#request(request))
    if (batch.length > 1 && requests[0]?.kind === 'buy') sleep(BREATH_SECONDS)
    const sentMs = testMs()
    const responses = http.batch(batch)
    const receivedMs = testMs()
    const answers = responses.map((response, index) =>
      readOrderAnswer(response, {
        retryAfter: response.status === 0 ? undefined : response.headers['Retry-After'],
        durationMs: response.timings.duration,
        isNew: response.timings.connecting > 0,
        reads: this.#wire.reads(requests[index] as ScriptRequest),
      }),
    )
    console.log(this.#wire.lines(phase, requests, answers, { sentMs, receivedMs }))
    if (isPriceBound()) this.#requirePrices(requests, answers)
    this.#exchanges += answers.length
    this.#options.counted(phase, answers.length)
    return answers
  }

  end(end: ScriptEnd): void {
    console.log(this.#wire.endLine(this.#exchanges, end))
  }

  /** Holds purchases and later readings of them against what they may cost: a price may rise when an order ends. */
  #requirePrices(requests: readonly ScriptRequest[], answers: readonly ScriptAnswer[]): void {
    const { products } = this.#options.plan
    for (const [index, { kind, product, reference, units }] of requests.entries()) {
      if (kind === 'buy') this.#most.set(reference, (products[product]?.unitPrice ?? 0) * units)
      requirePrice(Number(answers[index]?.price), this.#most.get(reference))
    }
  }

  #request(request: ScriptRequest): BatchRequest {
    const { method, url, headers, body } = this.#wire.request(request)
    const timeout = this.#options.plan.requestTimeoutSeconds * 1000
    const tags = { name: request.kind }
    const params = { headers: withOwnHeaders(headers), redirects: 0, timeout, tags }
    return body === undefined ? { method, url, params } : { method, url, body, params }
  }
}
