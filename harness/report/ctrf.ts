/** Common Test Report Format (ctrf.io, specification 0.0.0), for dashboards that read test results as JSON. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { suitesOf, type Case, type Outcome } from './cases.ts'
import { capped, oneLine } from '../text.ts'

const MESSAGE_CHARS_MAX = 500
const DETAIL_CHARS_MAX = 5_000

/** The format knows one kind of red; `rawStatus` keeps our verdict. */
const STATUS = {
  passed: 'passed',
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
} as const satisfies Readonly<Record<Outcome, string>>

type Status = (typeof STATUS)[Outcome]
type Test = { readonly status: Status } & Readonly<Record<string, unknown>>

function testOf(
  { className, name, seconds, verdict, outcome, message, detail }: Case,
  suite: string,
): Test {
  const isRed = outcome === 'failure' || outcome === 'error'
  return {
    testId: `${className}: ${oneLine(name, MESSAGE_CHARS_MAX)}`,
    name: oneLine(name, MESSAGE_CHARS_MAX),
    status: STATUS[outcome],
    rawStatus: verdict,
    duration: Math.round(seconds * 1000),
    suite: [suite],
    ...(outcome === 'passed' ? {} : { message: oneLine(message, MESSAGE_CHARS_MAX) }),
    ...(isRed ? { trace: capped(detail, DETAIL_CHARS_MAX) } : {}),
  }
}

/** JSON text with a line feed at the end. */
export function renderCtrf(record: RunRecord): string {
  const suites = suitesOf(record)
  const tests = suites.flatMap(({ name, cases }) => cases.map((each) => testOf(each, name)))
  const count = (status: Status): number => tests.filter((test) => test.status === status).length
  const { harness, commit, platform } = record.environment
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: record.runId,
    timestamp: record.endedAt,
    generatedBy: 'ordering-harness',
    results: {
      tool: { name: 'ordering-harness', version: harness },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: 0,
        suites: suites.length,
        start: Date.parse(record.startedAt),
        stop: Date.parse(record.endedAt),
        duration: Math.round(record.durationSeconds * 1000),
      },
      tests,
      environment: {
        appName: record.target.name,
        testEnvironment: record.target.environment,
        osPlatform: platform,
        ...(commit === undefined ? {} : { commit }),
        extra: { baseUrl: record.target.baseUrl, exitCode: record.exitCode },
      },
    },
  }
  return `${JSON.stringify(report, undefined, 2)}\n`
}
