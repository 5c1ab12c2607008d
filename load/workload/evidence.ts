import http from 'k6/http'
import type { RefinedResponse, ResponseType } from 'k6/http'
import { readAnswer } from './answers.ts'
import { EvidenceWriter } from './evidence-writer.ts'
import { testMs } from './requests.ts'

type Response = RefinedResponse<ResponseType | undefined>

export type Evidence = {
  /** Sends as k6 does, and writes down when, with which key of the stream, and what came back. */
  exchange(key: number, send: () => Response): Response
  /** The last line: how many exchanges there were. */
  end(): void
}

/** Evidence of one stream of the plan, for a scenario in k6's own words; in its virtual user. */
export function evidenceOf(stream: number): Evidence {
  // A 429 is an expected answer here: k6 is not to count it as a failure.
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))
  const writer = new EvidenceWriter({ stream, testMs: testMs() })
  return {
    exchange(key, send) {
      const sentMs = testMs()
      const response = send()
      const released = { phase: 'below' as const, sentMs, receivedMs: testMs() }
      writer.exchange(key, released, readAnswer(response))
      return response
    },
    end: () => writer.end('done'),
  }
}
