/**
 * The evidence: every line that k6 writes, by the kind of scenario and by its first word. What writes lines, reads them, keeps them in
 * columns, moves them to another clock and shows them live is derived from this table.
 */
import { BURST_PHASES, REQUEST_KINDS, SCRIPT_ENDS } from './bursts.ts'
import { PHASES, STREAM_ENDS } from './evidence.ts'
import { SESSION_ENDS, SESSION_KINDS, SESSION_OPERATIONS } from './open-model.ts'
import type { LineFields } from './lines.ts'

/** Fifteen digits: the reader takes no more. */
const LARGE = { is: 'count', max: 999_999_999_999_999 } as const
const INDEX = { is: 'count', max: 0xffffffff } as const
const SMALL = { is: 'count', max: 0xffff } as const
const SENT = { is: 'sent' } as const
const RECEIVED = { is: 'received' } as const
const TEXT = { is: 'text' } as const
const LIST = { is: 'list' } as const

/** Of every exchange. Sent and received lie around the call: they hold for certain what the service did, and what k6 took besides. */
const ROUND_TRIP = { sentMs: SENT, receivedMs: RECEIVED } as const

/** k6's http_req_duration, from the first byte that was sent to the last that was received: the latency of the service. */
const DURATION = { durationUs: { is: 'count', max: 0xffffffff } } as const

/** Status 0 is no answer; code is then k6's error code, else the envelope's statusCode. Retry-After is the header. */
const ANSWER = {
  status: { is: 'count', max: 999 },
  code: { is: 'maybe', min: -0x7fffffff, max: 0x7fffffff },
  retryAfter: TEXT,
} as const

/** `n` for a new one, `r` for one used before, `-` where there was none. */
const CONNECTION = { is: 'word', of: ['n', 'r', '-'] } as const

const NATURAL = { is: 'maybe', min: 0, max: 0x7fffffff } as const

export const EVIDENCE = {
  windows: {
    /** A stream begins: both clocks at one moment. */
    h: { version: LARGE, stream: INDEX, unixMs: LARGE, testMs: SENT },
    x: {
      stream: INDEX,
      key: SMALL,
      phase: { is: 'index', of: PHASES },
      ...ROUND_TRIP,
      ...ANSWER,
      connection: CONNECTION,
    },
    /** Refusals whose message has what the plan looks for, and others with a message. */
    m: { stream: INDEX, named: LARGE, unnamed: LARGE },
    /** A stream ends: how many x lines it wrote. */
    e: { stream: INDEX, exchanges: LARGE, end: { is: 'word', of: STREAM_ENDS } },
  },
  bursts: {
    /**
     * Requests that were released together have the same times: sent before the first of them, received after the last. Order names one
     * order, or all of a checkout; state that of each order of a read. Units are 0 where nothing is bought.
     */
    o: {
      script: INDEX,
      key: SMALL,
      phase: { is: 'index', of: BURST_PHASES },
      kind: { is: 'index', of: REQUEST_KINDS },
      reference: NATURAL,
      units: INDEX,
      ...ROUND_TRIP,
      ...DURATION,
      ...ANSWER,
      errorCode: TEXT,
      orderId: LIST,
      price: TEXT,
      currency: TEXT,
      state: LIST,
      items: NATURAL,
      connection: CONNECTION,
    },
    /** A script ends. */
    f: { script: INDEX, exchanges: LARGE, end: { is: 'word', of: SCRIPT_ENDS } },
  },
  /**
   * Due is the planned moment: the session's start, then think times and waits, never later because an answer was late. So received - due
   * is free of coordinated omission. Only a 429 moves the plan: the request is due again when its Retry-After says.
   */
  'open-model': {
    /** Once for each virtual user: both clocks, and time 0 of the schedule. */
    h: { version: LARGE, unixMs: LARGE, testMs: SENT, zeroMs: SENT },
    /** A session begins. */
    s: {
      session: INDEX,
      kind: { is: 'index', of: SESSION_KINDS },
      key: SMALL,
      dueMs: SENT,
      startedMs: SENT,
    },
    /**
     * Attempt counts from 0 and grows with each retry of the same request. From state on: what ReadName says; for operation services, ids
     * are digests of the products without stock and price.
     */
    a: {
      session: INDEX,
      operation: { is: 'index', of: SESSION_OPERATIONS },
      attempt: SMALL,
      dueMs: SENT,
      ...ROUND_TRIP,
      ...DURATION,
      ...ANSWER,
      errorCode: TEXT,
      connection: CONNECTION,
      state: TEXT,
      currency: TEXT,
      total: TEXT,
      reference: TEXT,
      items: NATURAL,
      ids: LIST,
      prices: LIST,
      states: LIST,
    },
    /** A session ends: how many a lines it wrote. */
    z: { session: INDEX, exchanges: INDEX, end: { is: 'word', of: SESSION_ENDS } },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, LineFields>>>>
