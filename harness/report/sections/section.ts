/** The frame that all sections share, and the marks that they use. */
import type { Verdict } from '../../../schemas/generated/run-record.ts'
import { joined, markup, type Markup, type MarkupPart } from '../shared/markup.ts'
import { VERDICT_SIGNS, VERDICTS_BY_URGENCY, type VerdictCounts } from '../shared/verdicts.ts'
import { formatNumber, moreOf, oneLine } from '../../text.ts'

/** A section of the page. `count` stands in the table of contents; undefined prints none. */
export type Section = {
  readonly id: string
  readonly title: string
  /** Title in the table of contents, where the whole one is too long for it. */
  readonly short?: string
  readonly count?: number
  readonly content: Markup
}

export function sectionElement(section: Section): Markup {
  const number =
    section.count === undefined
      ? undefined
      : markup`<span class="count">${formatNumber(section.count)}</span>`
  return markup`<section id="${section.id}" aria-labelledby="${section.id}-title"><h2 id="${section.id}-title">${section.title}${number}</h2>
${section.content}</section>
`
}

/** Sign and word, coloured. */
export function verdictMark(verdict: Verdict, text: MarkupPart = verdict): Markup {
  return markup`<span class="verdict ${verdict}"><span class="glyph" aria-hidden="true">${VERDICT_SIGNS[verdict]}</span> ${text}</span>`
}

/** One mark per verdict that occurs, most urgent first. */
export function verdictMarks(counts: VerdictCounts): Markup[] {
  return VERDICTS_BY_URGENCY.filter((verdict) => counts[verdict] > 0).map((verdict) =>
    verdictMark(verdict, `${formatNumber(counts[verdict])} ${verdict}`),
  )
}

export function moreNote(left: number, what: string): Markup | undefined {
  if (left <= 0) return undefined
  return markup`<p class="muted">… and ${moreOf(left, what)}: see run.json.</p>`
}

export type Pairs = readonly (readonly [name: string | Markup, value: string | undefined])[]

const ID_CHARS_MAX = 60
/** A longer id may break, so that it cannot widen the page. */
const ID_CHARS_UNBROKEN = 24

/** From so many characters on, a value gets a line of its own. */
const WIDE_FROM = 30

/** Names with values; entries without a value are left out. */
export function pairList(entries: Pairs): Markup {
  const items = entries.map(([name, value]) => {
    if (value === undefined || value === '') return undefined
    const wide = value.length > WIDE_FROM ? markup` class="wide"` : undefined
    const term = typeof name === 'string' ? oneLine(name, 120) : name
    return markup`<div${wide}><dt>${term}</dt><dd>${oneLine(value, 1_000)}</dd></div>`
  })
  return markup`<dl class="pairs">${items}</dl>`
}

/** Ids in a row, none broken at its hyphen; what exceeds `idsMax` is counted. */
export function idList(ids: readonly string[], idsMax: number): Markup {
  const shown = ids.slice(0, idsMax).map((id) => {
    const text = oneLine(id, ID_CHARS_MAX)
    return text.length > ID_CHARS_UNBROKEN
      ? markup`${text}`
      : markup`<span class="nowrap">${text}</span>`
  })
  const left = ids.length - idsMax
  return markup`${joined(shown, ', ')}${left > 0 ? ` and ${formatNumber(left)} more` : ''}`
}
