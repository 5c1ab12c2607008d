import exec from 'k6/execution'
import http from 'k6/http'
import type { BatchRequest } from 'k6/http'
import { sleep } from 'k6'
import { PHASES } from '../protocol/evidence.ts'
import type { Phase } from '../protocol/evidence.ts'
import type { PlannedStream } from '../protocol/plan.ts'
import { readAnswer } from './answers.ts'
import { EvidenceWriter } from './evidence-writer.ts'
import type { BatchOutcome, DrillIo } from './window-drill.ts'

const API_KEY_HEADER = 'X-API-Key'
const TOO_MANY_REQUESTS = 429

/**
 * Milliseconds since k6 started its test, the same for all VUs, in steps of a microsecond. k6 takes it from the wall clock
 * (lib/execution.go), so the orchestrator watches whether that clock was set during the run.
 */
export function testMs(): number {
  return exec.instance.currentTestRunDuration
}

/** Sends the requests of one stream, its keys in turns, and writes the evidence of each. */
export class StreamRequests implements DrillIo {
  readonly evidence: EvidenceWriter
  readonly #requests: readonly BatchRequest[]
  readonly #counted: (phase: Phase, count: number) => void
  #sequence = 0

  constructor(
    streamIndex: number,
    stream: PlannedStream,
    keys: readonly string[],
    options: { timeoutSeconds: number; counted: (phase: Phase, count: number) => void },
  ) {
    this.evidence = new EvidenceWriter(streamIndex, testMs())
    this.#counted = options.counted
    this.#requests = keys.map((key) => ({
      method: stream.method,
      url: stream.url,
      ...(stream.body !== undefined && { body: stream.body }),
      params: {
        headers: { ...stream.headers, [API_KEY_HEADER]: key },
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
    this.evidence.flush()
    sleep(milliseconds / 1000)
  }

  send(phase: Phase, count: number): BatchOutcome {
    const first = this.#sequence
    const batch = Array.from({ length: count }, (_, offset) => this.#request(first + offset))
    this.#sequence += count
    const sentMs = testMs()
    const responses = http.batch(batch)
    const receivedMs = testMs()
    const phaseIndex = PHASES.indexOf(phase)
    let admitted = 0
    let refused = 0
    let unanswered = 0
    for (const [offset, response] of responses.entries()) {
      const answer = readAnswer(response)
      this.evidence.exchange(this.#key(first + offset), phaseIndex, sentMs, receivedMs, answer)
      if (answer.status === 0) unanswered++
      else if (answer.status === TOO_MANY_REQUESTS) refused++
      else if (answer.status < 300) admitted++
    }
    this.#counted(phase, count)
    return { sentMs, receivedMs, admitted, refused, unanswered }
  }

  #key(sequence: number): number {
    return sequence % this.#requests.length
  }

  #request(sequence: number): BatchRequest {
    return this.#requests[this.#key(sequence)] as BatchRequest
  }
}
