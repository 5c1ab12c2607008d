/** Run records that look like real ones, for the tests of the renderers. Nothing in them was measured. */
import type { Check, Exchange, RunRecord, Verdict } from '../../schemas/generated/run-record.ts'
import { filteredWindow, LISTING_WINDOW, loadResult } from './sample-load.ts'
import {
  base,
  checkIdOf,
  finding,
  passingChecks,
  requirementsWith,
  sampleCheck,
  sampleExchange,
} from './sample-parts.ts'
import { SAMPLE_REQUIREMENTS } from './sample-requirements.ts'

const OBSERVATIONS: RunRecord['observations'] = [
  {
    id: 'OPEN-REFUSED-COUNTED',
    question: 'Do refused requests consume the quota of a window?',
    answer: 'No: 60 were admitted right after an edge although 12 were refused before it.',
    check: 'limits/listing-window',
    exchanges: [],
  },
  {
    id: 'OPEN-UNKNOWN-KEY-STATUS',
    question: 'Which HTTP status does a key get that no account has?',
    answer: '401, the same for missing, unknown and revoked keys',
    check: 'auth/key-exists',
    exchanges: [],
  },
  {
    id: 'OPEN-WINDOW-START',
    question: 'Where do windows start: at the epoch, at server start, at the first request?',
    answer: 'aligned with the epoch: edges at multiples of 6 s, within 40 ms',
    check: 'limits/filtered-window',
    exchanges: [],
  },
]

const QUOTA: RunRecord['quota'] = [
  {
    partition: 'account acme',
    bucket: 'orders.list',
    spent: 14,
    throttled: 6,
    waitedSeconds: 11.2,
  },
  { partition: 'account acme', bucket: 'orders.filtered', spent: 257, throttled: 71 },
  { partition: 'account globex', bucket: 'default', spent: 1_400, throttled: 620 },
]

/** Everything decided and passed. */
export function passingRecord(): RunRecord {
  const exchanges = Array.from({ length: 24 }, (_, i) =>
    sampleExchange(`x${String(i + 1).padStart(4, '0')}`, { status: i % 3 === 0 ? 429 : 200 }),
  )
  const checks = passingChecks(new Set()).map((check, i) => {
    const exchange = exchanges[i % exchanges.length]
    return { ...check, exchanges: exchange === undefined ? [] : [exchange.id] }
  })
  return base({
    requirements: requirementsWith({}, checkIdOf),
    checks,
    exchanges,
    observations: OBSERVATIONS,
    load: [loadResult(0)],
    quota: QUOTA,
    windows: [LISTING_WINDOW, filteredWindow(0)],
  })
}

const MISSING_STRANGER = 'No credential for role stranger: set ORDERING_KEY_STRANGER.'
const SATURATED = 'No two orders of the batch overlapped in three attempts (spread 14 to 22 ms).'

function failingChecks(): Check[] {
  const listing = sampleCheck('limits/listing-window', {
    title: 'A throttled listing names its wait in whole seconds',
    requirements: ['RATE-07'],
    verdict: 'fail',
    findings: [
      finding('RATE-07', 'fail', {
        statement: 'Retry-After of the third listing within one window',
        expected: 'digits only: a whole number of seconds from 1 to 6',
        observed: '"1.5"',
        exchanges: ['x0042', 'x0043'],
      }),
    ],
    exchanges: ['x0042', 'x0043'],
    durationSeconds: 6.4,
    waitedSeconds: 5.9,
  })
  const cap = sampleCheck('spend/cap-under-contention', {
    title: 'Twenty purchases at once never exceed the cap',
    requirements: ['CAP-13', 'CAP-03'],
    verdict: 'fail',
    findings: [
      finding('CAP-13', 'fail', {
        statement: 'Sum of the purchases that 20 simultaneous orders were granted',
        expected: 'at most 10.00 USD, the headroom of the key before the batch',
        observed: '13.00 USD: 13 orders of 1.00 were answered with SUCCESS, 7 with 409 / 13',
        exchanges: ['x0101', 'x0102'],
      }),
      finding('CAP-03', 'pass'),
    ],
    exchanges: ['x0101', 'x0102'],
    durationSeconds: 2.1,
  })
  const leaky = sampleCheck('limits/filtered-window', {
    title: 'The filtered window admits its budget and no more',
    requirements: ['RATE-14'],
    verdict: 'fail',
    findings: [
      finding('RATE-14', 'fail', {
        statement: 'Reads by referenceId admitted in one window',
        expected: 'at most 60 in each window of 6 s',
        observed: '63 admitted in window 2 and 63 in window 3',
        exchanges: ['x0043', 'x0077'],
      }),
    ],
    exchanges: ['x0077'],
    durationSeconds: 9.2,
    waitedSeconds: 6.6,
  })
  return [listing, cap, leaky]
}

function undecidedChecks(): Check[] {
  return [
    sampleCheck('orders/contention', {
      title: 'Contention is answered by 429 or by waiting, never by 502',
      requirements: ['BUSY-01'],
      verdict: 'inconclusive',
      reason: SATURATED,
      findings: [
        finding('BUSY-01', 'inconclusive', {
          statement: 'Overlap of 20 simultaneous orders on one key',
          expected: 'at least one pair that overlaps',
          observed: 'none in three batches',
          exchanges: ['x0101'],
        }),
      ],
    }),
    ...['IDEM-11', 'GET-11', 'RATE-09'].map((id) =>
      sampleCheck(checkIdOf(id), {
        requirements: [id],
        verdict: 'untested',
        reason: MISSING_STRANGER,
        observed: 'nothing was sent',
        findings: [],
        durationSeconds: 0,
      }),
    ),
    sampleCheck('errors/typical-wait', {
      title: 'A contention 429 typically names one second',
      requirements: ['BUSY-03'],
      verdict: 'warn',
      findings: [
        finding('BUSY-03', 'warn', {
          statement: 'Retry-After of a contention 429',
          expected: 'typically 1',
          observed: '5 in 4 of 4 answers',
          exchanges: ['x0102'],
        }),
      ],
    }),
  ]
}

function unanswered(id: string): Exchange {
  const { status, responseHeaders, responseBody, ...sent } = sampleExchange(id)
  const message = `The connection was reset where ${status} with ${responseHeaders?.length} headers and ${responseBody?.length} characters was due.`
  return { ...sent, error: { code: 'ECONNRESET', message } }
}

function failingExchanges(): Exchange[] {
  const order = {
    operation: 'createOrder',
    role: 'capped',
    method: 'POST',
    url: 'https://staging.example.test/api/v1/orders',
    requestHeaders: [
      ['X-API-Key', '[redacted: capped]'],
      ['Content-Type', 'application/json'],
    ] as [string, string][],
    requestBody:
      '{"ordersType":"shop","referenceId":"ref-cap-07","serviceId":"svc-1","itemId":"itm-100","quantity":1}',
    curl: `curl -sS -i -X POST 'https://staging.example.test/api/v1/orders' \\\n  -H "X-API-Key: $ORDERING_KEY_CAPPED" \\\n  -H 'Content-Type: application/json' \\\n  --data '{"ordersType":"shop","referenceId":"ref-cap-07","serviceId":"svc-1","itemId":"itm-100","quantity":1}'`,
  }
  return [
    sampleExchange('x0042'),
    sampleExchange('x0043', {
      responseHeaders: [['retry-after', '1.2']],
      sentAtMs: 5_400.1,
      receivedAtMs: 5_409.3,
    }),
    sampleExchange('x0077', {
      status: 200,
      responseBody:
        '{"data":{"page":{"items":[{"orderId":"ord-19","status":"SUCCESS","price":1.00}]}},"errorCode":null,"errors":null,"status":"SUCCESS","statusCode":0,"statusMessage":"OK","traceId":"00f067aa0ba902b7"}',
    }),
    sampleExchange('x0101', {
      ...order,
      status: 200,
      responseBody:
        '{"data":{"orderId":"ord-31","currency":"USD","price":1.00,"status":"SUCCESS","result":{"vouchers":[{"pin":"[redacted: code]"}]}},"status":"SUCCESS","statusCode":0,"statusMessage":"OK","traceId":"9d1c"}',
    }),
    sampleExchange('x0102', order),
    unanswered('x0103'),
  ]
}

/** Failures of checks and of load, a warning, an inconclusive check, a missing credential. */
export function failingRecord(): RunRecord {
  const checks = [...failingChecks(), ...undecidedChecks()]
  const named = new Set(checks.flatMap((check) => check.requirements))
  const checkOf = (id: string): string =>
    checks.find((check) => check.requirements.includes(id))?.id ?? checkIdOf(id)
  const failed: Record<string, readonly [Verdict, string?]> = {
    'RATE-02': ['fail'],
    'RATE-07': ['fail'],
    'RATE-14': ['fail'],
    'CAP-13': ['fail'],
    'BUSY-01': ['inconclusive', SATURATED],
    'BUSY-03': ['warn'],
    'IDEM-11': ['untested', MISSING_STRANGER],
    'GET-11': ['untested', MISSING_STRANGER],
    'RATE-09': ['untested', MISSING_STRANGER],
  }
  return base({
    verdict: 'fail',
    exitCode: 1,
    exitReason: '4 of 91 requirements failed: CAP-13, RATE-02, RATE-07, RATE-14.',
    nextStep:
      'Repeat one of them alone with the command in its card, for example npm run conformance -- --only limits/listing-window.',
    profile: { name: 'gate', partial: true, selected: [] },
    undecided: [
      { requirement: 'BUSY-01', reason: SATURATED },
      ...['IDEM-11', 'GET-11', 'RATE-09'].map((requirement) => ({
        requirement,
        reason: MISSING_STRANGER,
      })),
    ],
    hazards: [
      'The clock of the target is 1.8 to 2.1 s ahead of ours; windows were judged by the local clock only.',
    ],
    requirements: requirementsWith(failed, checkOf),
    checks: [...checks, ...passingChecks(named)],
    exchanges: failingExchanges(),
    observations: OBSERVATIONS,
    load: [loadResult(12)],
    quota: QUOTA,
    windows: [LISTING_WINDOW, filteredWindow(3)],
  })
}

/** Interrupted by Ctrl-C after some checks. */
export function interruptedRecord(): RunRecord {
  const done = new Set(SAMPLE_REQUIREMENTS.slice(0, 14).map(({ id }) => id))
  const reason = 'The run was interrupted before this was decided.'
  const left = SAMPLE_REQUIREMENTS.filter(({ id }) => !done.has(id))
  const verdicts = Object.fromEntries(
    left.map(({ id }): [string, readonly [Verdict, string]] => [id, ['untested', reason]]),
  )
  return base({
    partial: true,
    verdict: 'inconclusive',
    exitCode: 130,
    exitReason: 'The run was interrupted (SIGINT) after 14 of 91 requirements.',
    nextStep: 'Run it again and let it finish; it takes about 45 seconds.',
    durationSeconds: 8.1,
    profile: { name: 'gate', partial: true, selected: [] },
    undecided: left.map(({ id }) => ({ requirement: id, reason })),
    requirements: requirementsWith(verdicts, checkIdOf),
    checks: passingChecks(new Set(left.map(({ id }) => id))),
    windows: [LISTING_WINDOW],
  })
}

/** A selection that matches nothing. */
export function emptyRecord(): RunRecord {
  return base({
    verdict: 'untested',
    exitCode: 5,
    exitReason: 'The selection "limit/listing" matches no check, so nothing was verified.',
    nextStep: 'List the checks with npm run requirements, then correct --only.',
    durationSeconds: 0.4,
    profile: { name: 'gate', partial: true, selected: ['limit/listing'] },
  })
}

/** Nothing answers at the base URL. */
export function notReadyRecord(): RunRecord {
  const message =
    'Nothing answers at https://staging.example.test: connect ECONNREFUSED 192.0.2.10:443 (2 attempts in 10 s).'
  return base({
    verdict: 'error',
    exitCode: 3,
    exitReason: message,
    nextStep: 'Check the address and that the service is started, then run again.',
    durationSeconds: 10.2,
    profile: { name: 'gate', partial: true, selected: [] },
    problems: [
      {
        code: 'E_ENVIRONMENT_UNREACHABLE',
        message,
        nextStep: 'Check the address and that the service is started, then run again.',
      },
    ],
    undecided: SAMPLE_REQUIREMENTS.map(({ id }) => ({
      requirement: id,
      reason: 'The target could not be reached.',
    })),
    requirements: requirementsWith(
      Object.fromEntries(
        SAMPLE_REQUIREMENTS.map(({ id }) => [id, ['untested', 'The target could not be reached.']]),
      ),
      checkIdOf,
    ),
  })
}
