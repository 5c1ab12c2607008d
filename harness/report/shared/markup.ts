/** Markup that is escaped by construction: whatever is put into the template is text, unless it is Markup itself. */
import { capped, visible } from '../../text.ts'

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type MarkupPart = Markup | string | number | undefined | readonly MarkupPart[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for element content and for quoted attribute values, of HTML and XML alike. Bounded and without invisible characters. */
export function escapeMarkup(text: string): string {
  return visible(capped(text)).replaceAll(/[&<>"']/g, (c) => ENTITIES[c] ?? '')
}

function rendered(part: MarkupPart): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'string') return escapeMarkup(part)
  if (typeof part === 'number') return String(part)
  return part.map(rendered).join('')
}

/** Template tag. Strings are escaped, arrays joined, undefined is nothing. Attribute values must be quoted in the template. */
export function markup(strings: TemplateStringsArray, ...parts: MarkupPart[]): Markup {
  return new Markup(strings.map((text, i) => text + rendered(parts[i])).join(''))
}

/** Joins parts with a separator between them. */
export function joined(parts: readonly MarkupPart[], separator: string): Markup {
  return new Markup(parts.map(rendered).join(escapeMarkup(separator)))
}

/** An element id out of any text: letters, digits, dot, dash and underscore stay, the rest becomes its code. Unequal texts stay unequal. */
export function anchor(kind: string, name: string): string {
  return `${kind}-${anchorName(name)}`
}

/** The same without a kind, for names that are unique on the page. */
export function anchorName(name: string): string {
  return capped(name, 200)
    .toWellFormed()
    .replaceAll(/[^A-Za-z0-9._-]/gu, (c) => `~${(c.codePointAt(0) ?? 0).toString(16)}~`)
}
