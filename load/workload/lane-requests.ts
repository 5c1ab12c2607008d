import exec from 'k6/execution'
import http from 'k6/http'
import type { BatchRequest } from 'k6/http'
import { sleep } from 'k6'
import { REQUEST_KINDS, VOLLEY_PHASES } from '../protocol/volleys.ts'
import type { LaneEnd, VolleyFile, VolleyPhase } from '../protocol/volleys.ts'
import type { LaneAnswer, LaneIo, LaneRequest } from './lane.ts'
import { readOrderAnswer } from './order-answers.ts'
import { testMs } from './requests.ts'

export type LaneOptions = {
  readonly lane: number
  readonly plan: VolleyFile
  readonly keys: readonly string[]
  counted(phase: VolleyPhase, count: number): void
}

/** Sends the requests of one lane and writes the evidence of each. */
export class LaneRequests implements LaneIo {
  readonly #options: LaneOptions
  readonly #offsetMs: number
  #exchanges = 0

  constructor(options: LaneOptions) {
    this.#options = options
    // Both clocks at one moment: what follows is counted on the test's own.
    this.#offsetMs = testMs() - (Date.now() - exec.scenario.startTime)
  }

  nowMs(): number {
    return testMs() - this.#offsetMs
  }

  sleepMs(milliseconds: number): void {
    sleep(milliseconds / 1000)
  }

  send(phase: VolleyPhase, requests: readonly LaneRequest[]): readonly LaneAnswer[] {
    const batch = requests.map((request) => this.#request(request))
    const sentMs = testMs()
    const responses = http.batch(batch)
    const receivedMs = testMs()
    const answers = responses.map(readOrderAnswer)
    const times = `${Math.floor(sentMs * 1000)} ${Math.ceil(receivedMs * 1000)}`
    const lines = answers.map((answer, index) =>
      this.#line(phase, requests[index] as LaneRequest, times, answer),
    )
    console.log(lines.join('\n'))
    this.#exchanges += lines.length
    this.#options.counted(phase, lines.length)
    return answers
  }

  end(end: LaneEnd): void {
    console.log(`f ${this.#options.lane} ${this.#exchanges} ${end}`)
  }

  #line(phase: VolleyPhase, request: LaneRequest, times: string, answer: LaneAnswer): string {
    const { kind, key, reference, units } = request
    return [
      'o',
      this.#options.lane,
      key,
      VOLLEY_PHASES.indexOf(phase),
      REQUEST_KINDS.indexOf(kind),
      reference < 0 ? '-' : reference,
      units,
      times,
      Math.floor(answer.durationMs * 1000),
      answer.status,
      answer.code,
      answer.retryAfter,
      answer.errorCode,
      answer.orderId,
      answer.price,
      answer.currency,
      answer.state,
      answer.items,
      answer.connection,
    ].join(' ')
  }

  #request(request: LaneRequest): BatchRequest {
    const { plan, keys } = this.#options
    const { kind, product, units } = request
    const headers = { 'X-API-Key': keys[request.key] ?? '', Accept: 'application/json' }
    const shared = { redirects: 0, timeout: plan.requestTimeoutSeconds * 1000 }
    if (kind === 'buy') {
      const body = (plan.bodies[product]?.[units - 1] ?? '').replaceAll(
        plan.referenceMark,
        this.#reference(request),
      )
      const params = { ...shared, headers: { ...headers, 'Content-Type': 'application/json' } }
      return {
        method: 'POST',
        url: plan.ordersUrl,
        body,
        params: { ...params, tags: { name: kind } },
      }
    }
    const params = { ...shared, headers, tags: { name: kind } }
    return { method: 'GET', url: kind === 'warm' ? plan.warmUrl : this.#readUrl(request), params }
  }

  #readUrl(request: LaneRequest): string {
    const { readUrl } = this.#options.plan
    const filter =
      request.kind === 'by-order'
        ? `orderId=${encodeURIComponent(request.orderId ?? '')}`
        : `referenceId=${this.#reference(request)}`
    const unhide = request.kind === 'masked' ? '' : '&unhide=true'
    return `${readUrl}${readUrl.includes('?') ? '&' : '?'}${filter}${unhide}`
  }

  #reference({ reference }: LaneRequest): string {
    const { plan, lane } = this.#options
    return `${plan.referencePrefix}-${lane}-${reference}`
  }
}
