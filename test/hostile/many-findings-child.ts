/** A run whose one check leaves 100,000 findings, with the exchanges that they name: what is then judged, redacted, rendered and written. */
import type { ConformanceRunner } from '../../harness/gate/conformance.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import type { Exchange, Finding } from '../../schemas/generated/run-record.ts'
import { run } from '../../scripts/main.ts'
import { guarded } from '../../scripts/start.ts'

const CHECK = 'envelope.every-response'
const [FINDINGS, EXCHANGES] = [100_000, 5_000]

const manyFindings: ConformanceRunner = ({ onOutcome }) => {
  const findings = Array.from({ length: FINDINGS }, (_, index) => finding(index))
  const exchanges = Array.from({ length: EXCHANGES }, (_, index) => exchange(`x${index}`))
  onOutcome({
    check: {
      id: CHECK,
      title: 'every answer is an envelope',
      area: 'envelope',
      requirements: ['ENV-02'],
      verdict: 'fail',
      expected: 'an envelope',
      observed: 'none',
      findings,
      exchanges: exchanges.map(({ id }) => id),
      durationSeconds: 1,
      repeat: `npm run conformance -- --only ${CHECK}`,
    },
    exchanges,
    observations: [],
    windows: [],
  })
  process.stderr.write('all findings are made\n')
  const none = new Map<string, bigint>()
  const purchased = { orders: 0, made: [], money: none, charged: none }
  return Promise.resolve({
    outcomes: [],
    faults: [],
    spent: [],
    purchased,
    causes: [],
    outages: [],
  })
}

function finding(index: number): Finding {
  return {
    requirement: 'ENV-02',
    verdict: 'fail',
    statement: `answer ${index} is an envelope`,
    expected: 'an object with status, statusCode, statusMessage and traceId',
    observed: `{"order":"o-${index}","text":"${'x'.repeat(100)}"}`,
    exchanges: [`x${index % EXCHANGES}`],
  }
}

function exchange(id: string): Exchange {
  const url = 'http://127.0.0.1/api/v1/services'
  return {
    id,
    check: CHECK,
    operation: 'listServices',
    role: 'browser',
    method: 'GET',
    url,
    requestHeaders: [],
    sentAt: new Date().toISOString(),
    sentAtMs: 1,
    receivedAtMs: 2,
    status: 200,
    responseHeaders: [['content-type', 'application/json']],
    responseBody: `{"order":"${id}","text":"${'y'.repeat(2_000)}"}`,
    curl: `curl ${url}`,
  }
}

await guarded(() => {
  const options = parseRunOptions('conformance', process.argv.slice(2))
  return run(options, { out: process.stdout, progress: process.stderr }, manyFindings)
})
