import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import * as answers from '../../contract/answers.ts'
import type { Meaning } from '../../contract/answers.ts'
import type { OpenModelFile } from '../../load/protocol/open-model.ts'
import { readOrderAnswer } from '../../load/workload/order-answers.ts'
import { SessionWire } from '../../load/workload/session-wire.ts'
import { isAccepted, isCapRefusal, isDecided, isLost, isThrottled, meaningOf } from './answer.ts'

type Row = readonly [status: number, body: object | undefined, meaning: Meaning]

const OF_CAP = { statusCode: 13, errorCode: 'api_key_transaction_limit_exceeded' }

const TABLE: readonly Row[] = [
  [0, undefined, 'lost'],
  [200, { statusCode: 0 }, 'accepted'],
  [201, { statusCode: 0 }, 'accepted'],
  [202, { statusCode: 0 }, 'accepted'],
  [204, undefined, 'accepted'],
  [302, undefined, 'lost'],
  [304, undefined, 'lost'],
  [400, { statusCode: 2 }, 'refused otherwise'],
  [403, {}, 'refused otherwise'],
  [404, {}, 'refused otherwise'],
  [409, OF_CAP, 'refused by the cap'],
  [409, { statusCode: 13 }, 'refused by the cap'],
  [409, { errorCode: OF_CAP.errorCode }, 'refused by the cap'],
  [409, { statusCode: 7, errorCode: 'insufficient_funds' }, 'refused otherwise'],
  [422, OF_CAP, 'refused otherwise'],
  [429, { statusCode: 8 }, 'refused by a window'],
  [429, OF_CAP, 'refused by a window'],
  [431, undefined, 'refused otherwise'],
  [451, undefined, 'refused otherwise'],
  [500, { statusCode: 5 }, 'lost'],
  [502, undefined, 'lost'],
  [504, { statusCode: 9 }, 'lost'],
]

function exchangeOf(status: number, json: object | undefined): Exchange {
  return { json, ...(status > 0 && { response: { status } }) } as unknown as Exchange
}

/** What a burst of k6 writes down, as it is read back. */
function inBurst(status: number, body: object | undefined): answers.Answered {
  const circumstances = { durationMs: 1, isNew: false, reads: {} }
  const written = readOrderAnswer({ status, body: JSON.stringify(body) }, circumstances)
  return { status, code: Number(written.code), errorCode: written.errorCode }
}

/** What a session of k6 writes down. */
function inSession(status: number, body: object | undefined): answers.Answered {
  const plan = { operations: {} } as unknown as OpenModelFile
  const wire = new SessionWire({ plan, keys: [], digest: String })
  const times = { sentMs: 0, receivedMs: 1, durationMs: 1, retryAfter: undefined }
  return wire.answer('order', { status, body: JSON.stringify(body), ...times })
}

test.each(TABLE)('%i %j means the same at rest and under load: %s', (status, body, meaning) => {
  expect(meaningOf(exchangeOf(status, body))).toBe(meaning)
  expect(answers.meaningOf(inBurst(status, body))).toBe(meaning)
  expect(answers.meaningOf(inSession(status, body))).toBe(meaning)
})

test.each(TABLE)(
  '%i %j: every question to it follows from its meaning',
  (status, body, meaning) => {
    const exchange = exchangeOf(status, body)
    expect({
      accepted: isAccepted(exchange),
      byCap: isCapRefusal(exchange),
      byWindow: isThrottled(exchange),
      lost: isLost(exchange),
      decided: isDecided(exchange),
    }).toEqual({
      accepted: meaning === 'accepted',
      byCap: meaning === 'refused by the cap',
      byWindow: meaning === 'refused by a window',
      lost: meaning === 'lost',
      decided: meaning !== 'lost' && meaning !== 'refused by a window',
    })
  },
)
