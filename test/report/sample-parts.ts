/** Parts of sample records: exchanges, checks, requirements, and a run around them. Nothing in them was measured. */
import { NO_RESULTS } from '../../harness/gate/refusal.ts'
import type {
  Check,
  Exchange,
  Finding,
  RunRecord,
  Verdict,
} from '../../schemas/generated/run-record.ts'
import { SAMPLE_REQUIREMENTS } from './sample-requirements.ts'

type RequirementEntry = RunRecord['requirements'][number]

const STARTED_AT = '2026-03-02T09:14:05.120Z'
const REPEAT = 'npm run conformance -- --target staging.json --only'

export function sampleExchange(id: string, change: Partial<Exchange> = {}): Exchange {
  return {
    id,
    check: 'limits/listing-window',
    operation: 'getOrders',
    role: 'full',
    account: 'acme',
    method: 'GET',
    url: 'https://staging.example.test/api/v1/orders?referenceId=ref-7d0c',
    requestHeaders: [
      ['X-API-Key', '[redacted: full]'],
      ['Accept', 'application/json'],
    ],
    sentAt: STARTED_AT,
    sentAtMs: 5_210.42,
    receivedAtMs: 5_222.87,
    status: 429,
    responseHeaders: [
      ['content-type', 'application/json; charset=utf-8'],
      ['retry-after', '1.5'],
      ['date', 'Mon, 02 Mar 2026 09:14:10 GMT'],
    ],
    responseBody:
      '{"data":null,"errorCode":null,"errors":null,"status":"CANCELLED","statusCode":8,"statusMessage":"Rate limit of GET /orders reached","traceId":"4bf92f3577b34da6"}',
    connection: 'c3',
    curl: `curl -sS -i 'https://staging.example.test/api/v1/orders?referenceId=ref-7d0c' \\\n  -H "X-API-Key: $ORDERING_KEY_FULL" \\\n  -H 'Accept: application/json'`,
    ...change,
  }
}

export function finding(
  requirement: string,
  verdict: Verdict,
  change: Partial<Finding> = {},
): Finding {
  return {
    requirement,
    verdict,
    statement: 'The answer was held against the requirement.',
    expected: 'as stated',
    observed: 'as stated',
    exchanges: [],
    ...change,
  }
}

export function sampleCheck(id: string, change: Partial<Check> = {}): Check {
  const requirements = change.requirements ?? []
  const verdict = change.verdict ?? 'pass'
  return {
    id,
    title: `Holds what ${requirements.join(', ') || 'nothing'} states`,
    area: id.split('/')[0] ?? id,
    requirements,
    verdict,
    expected: 'every statement holds',
    observed: verdict === 'pass' ? 'every statement held' : 'see the findings',
    findings: requirements.map((requirement) => finding(requirement, verdict)),
    exchanges: [],
    durationSeconds: 0.21,
    repeat: `${REPEAT} ${id}`,
    ...change,
  }
}

export function requirementsWith(
  verdicts: Readonly<Record<string, readonly [Verdict, string?]>>,
  checkOf: (id: string) => string,
): RequirementEntry[] {
  return SAMPLE_REQUIREMENTS.map((requirement) => {
    const [verdict, reason] = verdicts[requirement.id] ?? ['pass']
    const source = [...requirement.source]
    const entry = { ...requirement, source, verdict, checks: [checkOf(requirement.id)] }
    return reason === undefined ? entry : { ...entry, reason }
  })
}

export function checkIdOf(requirementId: string): string {
  const [area = '', number = ''] = requirementId.toLowerCase().split('-')
  return `${area}/statement-${number}`
}

export function passingChecks(except: ReadonlySet<string>): Check[] {
  return SAMPLE_REQUIREMENTS.filter(({ id }) => !except.has(id)).map(({ id, text }) =>
    sampleCheck(checkIdOf(id), { requirements: [id], title: text }),
  )
}

export function base(change: Partial<RunRecord>): RunRecord {
  return {
    schemaVersion: 1,
    runId: '20260302-091405-7d0c',
    command: 'gate',
    startedAt: STARTED_AT,
    endedAt: '2026-03-02T09:14:46.610Z',
    durationSeconds: 41.49,
    partial: false,
    verdict: 'pass',
    exitCode: 0,
    exitReason: 'All requirements in scope were decided and passed.',
    nextStep: 'Nothing is left to do; keep the report with the release.',
    profile: { name: 'gate', partial: false, selected: [] },
    undecided: [],
    hazards: [],
    problems: [],
    target: {
      name: 'staging',
      baseUrl: 'https://staging.example.test',
      kind: 'url',
      environment: 'sandbox',
      timing: 'partner',
      capabilities: ['base', 'catalog', 'shop', 'async', 'transaction-limit', 'rate-limits'],
      roles: ['full', 'sibling', 'stranger', 'browser', 'writer', 'poller', 'capped', 'revoked'],
      products: ['voucher', 'voucher-async'],
      limits: {
        default: { count: 240, windowSeconds: 6, source: 'rate-limits' },
        'orders.list': { count: 2, windowSeconds: 6, source: 'rate-limits' },
        'orders.filtered': { count: 60, windowSeconds: 6, source: 'rate-limits' },
        'orders.check': { count: 120, windowSeconds: 60, source: 'default' },
      },
      origins: {
        baseUrl: 'flag',
        timing: 'default',
        'credentials.full': 'environment',
        'products.voucher': 'file',
      },
      faults: [],
      clockSkewMs: { min: -38, max: 24 },
    },
    environment: {
      harness: '0.1.0',
      node: 'v24.21.0',
      platform: 'linux x64',
      cpus: 2,
      k6: '2.2.0',
      k6Source: 'cache',
      commit: '7638407',
    },
    plan: {
      checks: SAMPLE_REQUIREMENTS.length,
      untestedChecks: 0,
      purchasesMax: 64,
      windowSecondsLongest: 6,
      expectedSeconds: 45,
      boundSeconds: 51.8,
      actualSeconds: 44.2,
      chain: 'limits.window-services: 2 windows of 6 s of default',
      spent: {
        requestsPlanned: 3_000,
        requests: 2_950,
        ordersPlanned: 60,
        orders: 58,
        moneyPlanned: 'USD 120.00',
        money: 'USD 116.00',
      },
      load: [
        {
          scenario: 'spend-contention',
          requestsMax: 727,
          requests: 431,
          ordersMax: 141,
          orders: 64,
          moneyMax: 'USD 438.00',
          money: 'USD 190.00',
          secondsExpected: 7,
          secondsMax: 41,
          seconds: 6.5,
        },
      ],
      permission: {
        purchases: true,
        load: true,
        reason: 'the target file declares a sandbox',
        ordersMax: 200,
        spendMax: 'USD:500.00',
      },
    },
    ...NO_RESULTS,
    ...change,
  }
}
