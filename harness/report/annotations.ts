/** Workflow commands of GitHub Actions: an annotation for each broken requirement, within the limits of one step. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { failuresOf, issueName, issuesWith, type Issue } from './shared/digest.ts'
import { oneLine } from '../text.ts'
import { headlineOf } from './shared/verdicts.ts'

/** GitHub shows ten errors and ten warnings of a step. */
const ANNOTATIONS_MAX = 10
const TEXT_CHARS_MAX = 600

const ESCAPES: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A' }
const PROPERTY_ESCAPES: Readonly<Record<string, string>> = { ...ESCAPES, ':': '%3A', ',': '%2C' }

function data(text: string): string {
  return oneLine(text, TEXT_CHARS_MAX).replaceAll(/[%\r\n]/g, (sign) => ESCAPES[sign] ?? '')
}

function property(text: string): string {
  return oneLine(text, 120).replaceAll(/[%\r\n:,]/g, (sign) => PROPERTY_ESCAPES[sign] ?? '')
}

function command(kind: 'error' | 'warning', title: string, text: string): string {
  return `::${kind} title=${property(title)}::${data(text)}`
}

/** One annotation for each requirement: the first issue says most. */
function byRequirement(issues: readonly Issue[]): Issue[] {
  return [...Map.groupBy(issues, issueName).values()].flatMap(([first]) => first ?? [])
}

function textOf({ findings, originTitle, originId }: Issue): string {
  const [finding] = findings
  const found = finding ? `expected ${finding.expected}; observed ${finding.observed}` : originTitle
  return `${found} (${originId})`
}

function commands(kind: 'error' | 'warning', issues: readonly Issue[], roomFor: number): string[] {
  const all = byRequirement(issues)
  return all.slice(0, roomFor).map((issue) => command(kind, issueName(issue), textOf(issue)))
}

/** Lines for standard output, each with a line feed. A run that is not green has an error at least. */
export function renderAnnotations(record: RunRecord): string {
  const { word } = headlineOf(record)
  const verdict =
    record.exitCode === 0 ? [] : [command('error', word, `${record.exitReason} ${record.nextStep}`)]
  const lines = [
    ...verdict,
    ...commands('error', failuresOf(record), ANNOTATIONS_MAX - verdict.length),
    ...commands('warning', issuesWith(record, 'warn'), ANNOTATIONS_MAX),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
