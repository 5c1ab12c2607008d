/** A small markdown walker: every place of the interface that a catalogue entry can cite. It knows headings, tables, lists and paragraphs, no more. */

/** One place. `name` is what a citation says after the section, for example `row data`, `rule 2.1`, `bullet 3`, `paragraph 1`. */
type InterfacePlace = {
  readonly section: string
  readonly name: string
  /** Sentences of the place; a table row counts as one. */
  readonly sentences: readonly string[]
  /** Line in the file, from 1. */
  readonly line: number
}

export type InterfaceOutline = {
  /** Heading paths in order, without the title and without trailing parentheses. */
  readonly sections: readonly string[]
  readonly places: readonly InterfacePlace[]
}

/** Section of the text between the title and the first heading. */
export const INTRODUCTION = 'Introduction'

const HEADING = /^(#{1,6})\s+(.*)$/
const LIST_ITEM = /^(\s*)(?:(\d+)\.|[-*])\s+(.*)$/
const TABLE_SEPARATOR = /^\|[\s:|-]+\|$/

type ListLevel = { readonly indent: number; readonly label: string }

type Draft = { section: string; name: string; text: string; line: number }

/** Splits prose at a full stop followed by a capital, a digit or code. */
export function splitSentences(text: string): string[] {
  return text.split(/(?<!\be\.g\.)(?<=\.)\s+(?=[A-Z\d`])/)
}

function plain(text: string): string {
  return text.replaceAll('`', '').trim()
}

function firstCell(row: string): string {
  return plain(row.split('|')[1] ?? '')
}

class Walker {
  readonly sections: string[] = []
  readonly drafts: Draft[] = []
  private headings: string[] = []
  private readonly counts = new Map<string, number>()
  private lists: ListLevel[] = []
  private open: Draft | undefined
  private inTable = false

  walk(markdown: string): void {
    markdown.split(/\r?\n/).forEach((line, index) => this.line(line.trimEnd(), index + 1))
  }

  private line(line: string, number: number): void {
    const heading = HEADING.exec(line)
    if (heading) return this.heading(heading[1]?.length ?? 0, heading[2] ?? '')
    if (line.trim() === '') {
      this.open = undefined
      this.inTable = false
      return
    }
    if (line.trimStart().startsWith('|')) return this.tableLine(line.trim(), number)
    const item = LIST_ITEM.exec(line)
    if (item) return this.listItem(item[1]?.length ?? 0, item[2], item[3] ?? '', number)
    if (this.open) this.open.text += ` ${line.trim()}`
    else this.add(`paragraph ${this.next('paragraph')}`, line.trim(), number)
  }

  private heading(level: number, text: string): void {
    this.open = undefined
    this.lists = []
    if (level === 1) return
    const name = text.replace(/\s+\([^)]*\)$/, '')
    this.headings = [...this.headings.slice(0, level - 2), name]
    this.sections.push(this.section)
  }

  private tableLine(line: string, number: number): void {
    this.open = undefined
    if (!this.inTable || TABLE_SEPARATOR.test(line)) {
      this.inTable = true
      return
    }
    const cell = firstCell(line)
    const times = this.next(`row ${cell}`)
    this.add(times === 1 ? `row ${cell}` : `row ${cell} #${times}`, line, number)
    this.open = undefined
  }

  private listItem(indent: number, digits: string | undefined, text: string, line: number): void {
    this.lists = this.lists.filter((level) => level.indent < indent)
    const outer = this.lists.at(-1)?.label
    const label = outer !== undefined && digits !== undefined ? `${outer}.${digits}` : digits
    if (label === undefined) return this.add(`bullet ${this.next('bullet')}`, text, line)
    this.lists.push({ indent, label })
    this.add(`rule ${label}`, text, line)
  }

  private add(name: string, text: string, line: number): void {
    this.open = { section: this.section, name, text, line }
    this.drafts.push(this.open)
  }

  private next(kind: string): number {
    const key = `${this.section}\n${kind}`
    const count = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, count)
    return count
  }

  private get section(): string {
    return this.headings.join(' > ') || INTRODUCTION
  }
}

/** Reads the sections and the places of an interface document. */
export function outlineOf(markdown: string): InterfaceOutline {
  const walker = new Walker()
  walker.walk(markdown)
  const places = walker.drafts.map(({ text, ...place }) => ({
    ...place,
    sentences: place.name.startsWith('row ') ? [text] : splitSentences(text),
  }))
  return { sections: walker.sections, places }
}
