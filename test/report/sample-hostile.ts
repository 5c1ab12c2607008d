/** Records at the edges of what a renderer can get: hostile text everywhere, and as much of everything as a run yields. */
import type { Check, Finding, RunRecord } from '../../schemas/generated/run-record.ts'
import { filteredWindow, LISTING_WINDOW } from './sample-load.ts'
import { finding, sampleCheck, sampleExchange } from './sample-parts.ts'
import { failingRecord } from './sample-record.ts'
import { SAMPLE_REQUIREMENTS } from './sample-requirements.ts'

/** What a hostile server could put into its answers: markup, breakouts, controls, direction changes, broken text, floods. */
const HOSTILE_TEXT = [
  `<script>document.title='owned'</script>`,
  `"><img src=x onerror="document.title='owned'">`,
  `' onmouseover='document.title="owned"`,
  `</pre></details><style>*{display:none}</style>`,
  `]]> --> <!-- <![CDATA[ ${'`'.repeat(5)} | **bold** [link](https://evil.example.test) @everyone`,
  `\u0000\u0007\u001b[2J\u001b[31mred\r\n\u007f\u0085\u202eright-to-left\u2066\u200b\ufeff`,
  `lone \ud800 and \udc00 surrogates \uffff \ufffe`,
  `::error title=owned::injected %0A`,
].join(' ')

/** Every text that a server, a product name or a path could influence is hostile. */
export function hostileRecord(): RunRecord {
  const flood = `${'A'.repeat(200_000)}${HOSTILE_TEXT}`
  const record = failingRecord()
  const poison = (finding: Finding): Finding => ({
    ...finding,
    statement: HOSTILE_TEXT,
    expected: HOSTILE_TEXT,
    observed: flood,
  })
  return {
    ...record,
    exitReason: HOSTILE_TEXT,
    nextStep: HOSTILE_TEXT,
    hazards: [HOSTILE_TEXT, flood],
    problems: [{ code: HOSTILE_TEXT, message: flood, nextStep: HOSTILE_TEXT }],
    undecided: [{ requirement: HOSTILE_TEXT, reason: HOSTILE_TEXT }],
    target: { ...record.target, name: HOSTILE_TEXT, faults: [HOSTILE_TEXT] },
    checks: record.checks.map((check, i) => ({
      ...check,
      id: i === 0 ? `${check.id} ${HOSTILE_TEXT}` : check.id,
      title: HOSTILE_TEXT,
      observed: flood,
      reason: HOSTILE_TEXT,
      findings: check.findings.map(poison),
    })),
    exchanges: record.exchanges.map((exchange) => ({
      ...exchange,
      url: `${exchange.url}&q=${HOSTILE_TEXT}`,
      responseHeaders: [[HOSTILE_TEXT, flood]],
      requestBody: HOSTILE_TEXT,
      responseBody: flood,
      curl: `curl '${HOSTILE_TEXT}'`,
    })),
    observations: [
      { id: 'OPEN-X', question: HOSTILE_TEXT, answer: flood, check: 'x', exchanges: [] },
    ],
    load: record.load.map((result) => ({
      ...result,
      reason: HOSTILE_TEXT,
      measurements: { [HOSTILE_TEXT]: flood },
    })),
    windows: record.windows.map((trace) => ({
      ...trace,
      partition: HOSTILE_TEXT,
      bucket: HOSTILE_TEXT,
    })),
  }
}

/** As large as a run gets: `checks` checks, each third failing, and `exchanges` exchanges with bodies of about a kilobyte. */
export function largeRecord({
  checks,
  exchanges,
}: {
  checks: number
  exchanges: number
}): RunRecord {
  const kept = Array.from({ length: exchanges }, (_, i) => {
    const items = Array.from(
      { length: 8 },
      (_, n) => `{"orderId":"ord-${i}-${n}","status":"SUCCESS"}`,
    )
    return sampleExchange(`x${i}`, {
      responseBody: `{"data":{"page":{"items":[${items.join(',')}]}}}`,
    })
  })
  const many = Array.from({ length: checks }, (_, i): Check => {
    const id = `area-${i % 9}/check-${i}`
    const mine = kept.slice(i * 2, i * 2 + 2).map((exchange) => exchange.id)
    const requirement = SAMPLE_REQUIREMENTS[i % SAMPLE_REQUIREMENTS.length]?.id ?? 'ENV-01'
    const verdict = i % 3 === 0 ? 'fail' : 'pass'
    return sampleCheck(id, {
      requirements: [requirement],
      verdict,
      exchanges: mine,
      findings: [finding(requirement, verdict, { exchanges: mine })],
    })
  })
  const plots = [LISTING_WINDOW, filteredWindow(0), filteredWindow(3), filteredWindow(0)]
  return { ...failingRecord(), checks: many, exchanges: kept, windows: [...plots, ...plots] }
}
