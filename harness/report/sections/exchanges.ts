/** The exchanges that no card prints, folded, within a bound on the page's size. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../markup.ts'
import { plural } from '../../text.ts'
import { BRIEF_DETAIL, exchangeDetails } from './exchange.ts'
import type { Placement } from './issues.ts'
import { moreNote, type Section } from './section.ts'

/** Markup characters that all these exchanges may take together. */
const APPENDIX_CHARS_MAX = 700_000

export type Appendix = { readonly section: Section | undefined; readonly ids: ReadonlySet<string> }

export function exchangesAppendix(record: RunRecord, placement: Placement): Appendix {
  const rest = record.exchanges.filter((exchange) => !placement.has(exchange.id))
  const blocks: Markup[] = []
  const ids = new Set<string>()
  let chars = 0
  for (const exchange of rest) {
    const block = exchangeDetails(exchange, BRIEF_DETAIL)
    chars += block.text.length
    if (chars > APPENDIX_CHARS_MAX) break
    blocks.push(block)
    ids.add(exchange.id)
  }
  if (rest.length === 0) return { section: undefined, ids }
  const content = markup`<details class="fold"><summary>${plural(blocks.length, 'exchange')}</summary><div>${blocks}</div></details>${moreNote(rest.length - blocks.length, 'exchanges')}`
  const section = {
    id: 'exchanges',
    title: 'Other exchanges',
    short: 'Exchanges',
    count: rest.length,
    content,
  }
  return { section, ids }
}
