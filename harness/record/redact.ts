/** Keeps secrets out of everything that a run writes: by the names of fields, and by value wherever the value turns up. */
import { isSecretField, secretsIn, withoutSecretFields } from './secret-fields.ts'
import { bareOf, formsOf } from './secret-forms.ts'
import { TextFinder, type Found } from './text-finder.ts'

/** Shorter values are replaced as whole JSON strings only: replacing them everywhere would destroy the record. */
const ANYWHERE_LENGTH_MIN = 6

/** Shorter values protect nothing. */
const SECRET_LENGTH_MIN = 3

/** From this length on, a value is also found with other separators than its own: `ABCD-EFGH-IJ` as `ABCDEFGHIJ` and back. */
const BARE_LENGTH_MIN = 10

export class Redactor {
  readonly #known = new Set<string>()
  readonly #anywhere = new TextFinder()
  /** Sought in texts whose separators were taken out. */
  readonly #bare = new TextFinder()
  /** Short secret -> what stands in its place. */
  readonly #short = new Map<string, string>()
  readonly #onSecret: (value: string, label: string) => void

  /** `onSecret` hears of every new secret, so that another thread can learn it. */
  constructor(onSecret: (value: string, label: string) => void = () => {}) {
    this.#onSecret = onSecret
  }

  /** Makes a value unprintable from now on, also URL-encoded, in base64, in hexadecimal digits and with other separators. */
  addSecret(value: string, label: string): void {
    if (value.length < SECRET_LENGTH_MIN || this.#known.has(value)) return
    this.#known.add(value)
    const mark = `«${label}»`
    for (const form of formsOf(value))
      if (form.length >= ANYWHERE_LENGTH_MIN) this.#anywhere.add(form, mark)
    const bare = bareOf(value)
    if (bare.length >= BARE_LENGTH_MIN) this.#bare.add(bare, mark)
    else if (bare.length >= ANYWHERE_LENGTH_MIN) this.#anywhere.add(bare, mark)
    if (value.length < ANYWHERE_LENGTH_MIN) this.#short.set(value, mark)
    this.#onSecret(value, label)
  }

  /** Learns the secrets that a JSON message carries in fields of known names. */
  learn(json: unknown): void {
    for (const { name, value } of secretsIn(json)) this.addSecret(value, name)
  }

  /** Replaces the values of secret fields and every known secret, also one that a cut (`…`, or the end of the text) left in half. */
  text(text: string): string {
    const named = withoutSecretFields(text)
    const { stripped, positions } = withoutSeparators(named)
    const inStripped = this.#bare.find(stripped).map(({ start, end, mark }) => ({
      start: positions[start] ?? 0,
      end: (positions[end - 1] ?? 0) + 1,
      mark,
    }))
    return this.#withoutShort(replaced(named, [...this.#anywhere.find(named), ...inStripped]))
  }

  /** A header's value; whole where the header's name says so. */
  header(name: string, value: string): string {
    return isSecretField(name) ? `«${name.toLowerCase()}»` : this.text(value)
  }

  /** Copies plain data with every text redacted. */
  data<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((each) => this.data(each as unknown)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.data(each as unknown)]),
    ) as T
  }

  #withoutShort(text: string): string {
    if (this.#short.size === 0) return text
    return text.replaceAll(/(\\*")([^"\\]{3,5})\1/g, (whole, quote: string, value: string) => {
      const mark = this.#short.get(value)
      return mark === undefined ? whole : `${quote}${mark}${quote}`
    })
  }
}

/** The text without spaces and hyphens, and where each of its characters stood. */
function withoutSeparators(text: string): { stripped: string; positions: readonly number[] } {
  const positions: number[] = []
  for (const { 0: piece, index } of text.matchAll(/[^\s-]+/g))
    for (let offset = 0; offset < piece.length; offset++) positions.push(index + offset)
  return { stripped: bareOf(text), positions }
}

/** Overlapping places become one, so that nothing is left between two marks. */
function replaced(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text
  let result = ''
  let end = 0
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (each.end <= end) continue
    if (each.start >= end) result += text.slice(end, each.start) + each.mark
    end = each.end
  }
  return result + text.slice(end)
}
