/** Words and signs of verdicts, and the headline of a run. Shape and word always go with the colour. */
import type { RunRecord, Verdict } from '../../../schemas/generated/run-record.ts'

/** In the order in which a reader wants them: what is wrong first. */
export const VERDICTS_BY_URGENCY = [
  'fail',
  'error',
  'inconclusive',
  'untested',
  'warn',
  'observed',
  'pass',
  'inapplicable',
] as const satisfies readonly Verdict[]

export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  warn: '!',
  fail: '✕',
  observed: '○',
  inconclusive: '?',
  untested: '–',
  inapplicable: '·',
  error: '⚠',
}

export type VerdictCounts = Readonly<Record<Verdict, number>>

export function countVerdicts(items: readonly { readonly verdict: Verdict }[]): VerdictCounts {
  const counts: Record<Verdict, number> = {
    pass: 0,
    warn: 0,
    fail: 0,
    observed: 0,
    inconclusive: 0,
    untested: 0,
    inapplicable: 0,
    error: 0,
  }
  for (const item of items) counts[item.verdict]++
  return counts
}

/** Counts above zero, most urgent first, for example `2 fail, 3 untested, 131 pass`. */
export function countsInWords(counts: VerdictCounts): string {
  const present = VERDICTS_BY_URGENCY.filter((verdict) => counts[verdict] > 0)
  return present.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ') || 'none'
}

/** What a reader sees first. `tone` picks the colour and sign. */
export type Headline = { readonly word: string; readonly tone: Verdict }

const HEADLINES: Readonly<Record<number, Headline>> = {
  1: { word: 'Fail', tone: 'fail' },
  2: { word: 'Not run', tone: 'error' },
  3: { word: 'Not ready', tone: 'inconclusive' },
  4: { word: 'Harness fault', tone: 'error' },
  5: { word: 'Too little verified', tone: 'untested' },
  6: { word: 'Inconclusive', tone: 'inconclusive' },
  129: { word: 'Interrupted', tone: 'inconclusive' },
  130: { word: 'Interrupted', tone: 'inconclusive' },
  143: { word: 'Interrupted', tone: 'inconclusive' },
}

/** The headline follows the exit code. Only an exit code of 0 with a whole record and a passing verdict is ever shown as a pass. */
export function headlineOf(record: RunRecord): Headline {
  if (record.exitCode !== 0)
    return HEADLINES[record.exitCode] ?? { word: `Exit ${record.exitCode}`, tone: 'error' }
  const passes = record.verdict === 'pass' || record.verdict === 'warn'
  if (!passes || record.partial) return { word: 'Contradictory record', tone: 'error' }
  if (record.exceptions?.some(({ state }) => state === 'accepted'))
    return { word: 'Pass with known failures', tone: 'warn' }
  return record.verdict === 'warn'
    ? { word: 'Pass with warnings', tone: 'warn' }
    : { word: 'Pass', tone: 'pass' }
}
