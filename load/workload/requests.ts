import exec from 'k6/execution'
import http from 'k6/http'
import type { ObjectBatchRequest, RefinedResponse, ResponseType } from 'k6/http'
import { sleep } from 'k6'
import { isThrottled } from '../../contract/answers.ts'
import type { Phase, StreamEnd } from '../protocol/evidence.ts'
import { signedBy, USER_AGENTS } from '../../contract/wire.ts'
import type { PlannedStream } from '../protocol/plan.ts'
import { turnAt, turnsIn } from '../protocol/turns.ts'
import { readAnswer } from './answers.ts'
import { withOwnHeaders } from './own-headers.ts'
import { EvidenceWriter } from './evidence-writer.ts'
import { isRefusal } from './window-drill.ts'
import type { BatchOutcome, DrillIo } from './window-drill.ts'

const API_KEY_HEADER = 'X-API-Key'
const UNCOUNTED_MAX = 32

/**
 * Milliseconds since k6 started its test, the same for all VUs, in steps of a microsecond. k6 takes it from the wall clock
 * (lib/execution.go), so the orchestrator watches whether that clock was set during the run.
 */
export function testMs(): number {
  // k6 makes the object anew at each access, for a tenth of what a request costs; it stays right, for its values are getters.
  instance ??= exec.instance
  return instance.currentTestRunDuration
}

let instance: typeof exec.instance | undefined

/** The wall clock right after it went on: it shows whole milliseconds only. */
export function nextMillisecond(): number {
  const beforeMs = Date.now()
  let nowMs = beforeMs
  while (nowMs === beforeMs) nowMs = Date.now()
  return nowMs
}

/** Sends the requests of one stream, its keys in turns, and writes the evidence of each. */
export class StreamRequests implements DrillIo {
  readonly #evidence: EvidenceWriter
  readonly #requests: readonly ObjectBatchRequest[]
  readonly #keys: number
  readonly #counted: (phase: Phase, count: number) => void
  #sequence = 0
  /** Requests that are not in k6's counter yet: adding one by one would cost a tenth more CPU. */
  #uncounted = 0
  #uncountedPhase: Phase = 'below'

  constructor(
    streamIndex: number,
    stream: PlannedStream,
    keys: readonly string[],
    options: {
      timeoutSeconds: number
      signature?: string | undefined
      counted: (phase: Phase, count: number) => void
    },
  ) {
    this.#evidence = new EvidenceWriter({
      stream: streamIndex,
      testMs: testMs(),
      refusalNames: stream.refusalNames,
    })
    this.#counted = options.counted
    this.#keys = keys.length
    const { urls = [stream.url] } = stream
    const taking = { keys: keys.length, urls: urls.length }
    const turns = Array.from({ length: turnsIn(taking) }, (_, index) => turnAt(index, taking))
    this.#requests = turns.map(({ userAgent, url, key }) => ({
      method: stream.method,
      url: urls[url] as string,
      ...(stream.body !== undefined && { body: stream.body }),
      params: {
        headers: withOwnHeaders({
          ...stream.headers,
          'User-Agent': signedBy(options.signature, USER_AGENTS[userAgent]),
          [API_KEY_HEADER]: keys[key] as string,
        }),
        redirects: 0,
        timeout: options.timeoutSeconds * 1000,
        tags: { name: stream.name },
      },
    }))
  }

  nowMs(): number {
    return testMs()
  }

  sleepMs(milliseconds: number): void {
    this.#evidence.flush()
    this.#countNow()
    sleep(milliseconds / 1000)
  }

  send(phase: Phase, count: number): BatchOutcome {
    const first = this.#sequence
    const batch = Array.from({ length: count }, (_, offset) => this.#request(first + offset))
    this.#sequence += count
    const sentMs = testMs()
    const responses = sendAll(batch)
    const receivedMs = testMs()
    const released = { phase, sentMs, receivedMs }
    let admitted = 0
    let refused = 0
    let unanswered = 0
    // No iterator: in k6's engine it would make two objects for each answer.
    for (let offset = 0; offset < count; offset++) {
      const response = responses[offset] as RefinedResponse<ResponseType | undefined>
      const answer = readAnswer(response)
      this.#evidence.exchange(this.#key(first + offset), released, answer)
      if (isThrottled(answer)) this.#evidence.refusal(response.body)
      if (answer.status === 0) unanswered++
      else if (isRefusal(answer)) refused++
      else admitted++
    }
    this.#count(phase, count)
    return { sentMs, receivedMs, admitted, refused, unanswered }
  }

  end(end: StreamEnd): void {
    this.#countNow()
    this.#evidence.end(end)
  }

  #count(phase: Phase, count: number): void {
    if (phase !== this.#uncountedPhase) this.#countNow()
    this.#uncountedPhase = phase
    this.#uncounted += count
    if (this.#uncounted >= UNCOUNTED_MAX) this.#countNow()
  }

  /** What is counted is written first: whoever sees the count may end the test. */
  #countNow(): void {
    if (this.#uncounted === 0) return
    this.#evidence.flush()
    this.#counted(this.#uncountedPhase, this.#uncounted)
    this.#uncounted = 0
  }

  #key(sequence: number): number {
    return sequence % this.#keys
  }

  #request(sequence: number): ObjectBatchRequest {
    return this.#requests[sequence % this.#requests.length] as ObjectBatchRequest
  }
}

/** A batch of one would cost half as much again as a request alone. */
function sendAll(
  batch: readonly ObjectBatchRequest[],
): readonly RefinedResponse<ResponseType | undefined>[] {
  const [only] = batch
  if (batch.length !== 1 || only === undefined) return http.batch([...batch])
  return [http.request(only.method, only.url, only.body, only.params)]
}
