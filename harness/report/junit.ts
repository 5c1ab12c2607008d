/** JUnit XML for Jenkins, GitHub and GitLab. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { suitesOf, type Case, type Outcome, type Suite } from './cases.ts'
import { markup, type Markup } from './shared/markup.ts'
import { capped, oneLine } from '../text.ts'

const MESSAGE_CHARS_MAX = 500
const DETAIL_CHARS_MAX = 5_000

function attribute(text: string): string {
  return oneLine(text, MESSAGE_CHARS_MAX)
}

function element(testCase: Case): Markup {
  const { className, name, seconds, outcome, message, detail } = testCase
  const text = capped(detail, DETAIL_CHARS_MAX)
  const body: Readonly<Record<Outcome, Markup>> = {
    passed: markup``,
    failure: markup`<failure message="${attribute(message)}" type="fail">${text}</failure>`,
    error: markup`<error message="${attribute(message)}" type="error">${text}</error>`,
    skipped: markup`<skipped message="${attribute(message)}"/>`,
  }
  return markup`    <testcase classname="${attribute(className)}" name="${attribute(name)}" time="${seconds.toFixed(3)}">${body[outcome]}</testcase>
`
}

function sums(cases: readonly Case[], wallSeconds?: number): Markup {
  const count = (outcome: Outcome): number => cases.filter((c) => c.outcome === outcome).length
  const seconds = wallSeconds ?? cases.reduce((sum, c) => sum + c.seconds, 0)
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${seconds.toFixed(3)}"`
}

function suiteElement({ name, cases }: Suite, timestamp: string): Markup {
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped').length
  return markup`  <testsuite name="${attribute(name)}" ${sums(cases)} skipped="${skipped}" timestamp="${timestamp}">
${cases.map(element)}  </testsuite>
`
}

/** Well-formed for any text. The root has no `skipped`: Jenkins' schema does not allow it. */
export function renderJunit(record: RunRecord): string {
  const suites = suitesOf(record)
  const timestamp = record.startedAt.replace(/\.\d+Z$|Z$/, '')
  const all = suites.flatMap((suite) => suite.cases)
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ordering-harness" ${sums(all, record.durationSeconds)}>
${suites.map((suite) => suiteElement(suite, timestamp))}</testsuites>
`.text
}
