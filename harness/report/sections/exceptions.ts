/** What the caller accepts, and what became of it. */
import type { Exception, RunRecord, Verdict } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { oneLine } from '../../text.ts'
import { moreNote, verdictMark, type Section } from './section.ts'

const ROWS_MAX = 100

/** The tone of each state: what is red fails the run. */
export const STATE_TONES: Readonly<Record<Exception['state'], Verdict>> = {
  accepted: 'warn',
  'in force': 'warn',
  'not selected': 'untested',
  expired: 'fail',
  stale: 'fail',
  unmatched: 'fail',
}

function row({ requirement, check, kind, state, text }: Exception): Markup {
  return markup`<tr><th scope="row" class="nowrap">${oneLine(requirement, 60)}</th><td>${oneLine(kind, 40)}</td><td class="aside">${verdictMark(STATE_TONES[state], state)}</td><td class="wide">${oneLine(text, 600)}${check === undefined ? '' : ` Check: ${oneLine(check, 120)}.`}</td></tr>`
}

export function exceptionsSection({ exceptions = [] }: RunRecord): Section | undefined {
  if (exceptions.length === 0) return undefined
  const content = markup`<div class="tablet"><table class="stack"><caption class="hidden">Known failures and severities</caption><thead><tr><th scope="col">Requirement</th><th scope="col">Kind</th><th scope="col">State</th><th scope="col">What it means</th></tr></thead><tbody>${exceptions.slice(0, ROWS_MAX).map(row)}</tbody></table></div>${moreNote(exceptions.length - ROWS_MAX, 'entries')}`
  return {
    id: 'exceptions',
    title: 'Known failures and severities',
    short: 'Known failures',
    count: exceptions.length,
    content,
  }
}
