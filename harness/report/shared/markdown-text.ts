/** Text in Markdown, as it stands. */
import { moreOf, oneLine } from '../../text.ts'

const TEXT_CHARS = 400

/** What means something to Markdown or HTML, or would make a mention, a link or an emoji. A backslash before it reads well unrendered. */
const SPECIAL = /[\\`*_{}[\]()#+!|<>~@&$]|:(?=\S)/g

/** At the start of a paragraph these would make a list or a heading. */
const BLOCK_START = /^(?:[-=]|\d+(?=[.)]))/

/** Text as it stands, on one line, wherever inline Markdown is read. */
export function plain(text: string, charsMax: number = TEXT_CHARS): string {
  return oneLine(text, charsMax)
    .replaceAll(SPECIAL, String.raw`\$&`)
    .replace(BLOCK_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
}

export function more(left: number, what: string): string[] {
  return left > 0 ? [`… and ${moreOf(left, what)}: see the report.`] : []
}

/** Cells are Markdown already. The first column holds names, the others numbers, but for those of `texts`. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  ...texts: readonly string[]
): string {
  const ruler = head.map((name, at) => (at === 0 || texts.includes(name) ? ':--' : '--:'))
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [lines[0], `|${ruler.join('|')}|`, ...lines.slice(1)].join('\n')
}
