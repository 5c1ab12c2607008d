/** Keeps secrets out of everything that a run writes: by the names of fields, and by value wherever the value turns up. */
import { Turns } from '../turns.ts'
import { isSecretField, secretsIn } from './secret-fields.ts'
import { formsOf, partsOf } from './secret-forms.ts'
import { withoutSecretFields } from './secret-members.ts'
import { TextFinder, type Found } from '../text-finder.ts'
import { bareText, unescaped, withoutSeparators, type View } from '../text-views.ts'

/** Shorter values are replaced as whole JSON strings only: replacing them everywhere would destroy the record. */
const ANYWHERE_LENGTH_MIN = 6

/** Shorter values protect nothing. */
const SECRET_LENGTH_MIN = 3

/** From this length on, a value is also found with other separators than its own: `ABCD-EFGH-IJ` as `ABCDEFGHIJ` and back. */
const BARE_LENGTH_MIN = 10

/** Of a longer value the beginning is known: a server can answer megabytes where a code belongs. */
const KNOWN_LENGTH_MAX = 4_096

/** More would fill the memory. What is not known is still hidden by the name of its field. */
const SECRETS_MAX = 20_000

/** Longer texts, such as bodies, are nearly all different. */
const REPEATED_LENGTH_MAX = 200

const KEY_LABEL = 'key'

/** From the record to the findings of a check: what lies deeper is short. */
const SLICED_DEPTH = 4

export class Redactor {
  readonly #known = new Set<string>()
  readonly #anywhere = new TextFinder()
  /** Sought in texts whose separators were taken out. */
  readonly #bare = new TextFinder()
  /** Short secret -> what stands in its place. */
  readonly #short = new Map<string, string>()
  /** Texts of our own, such as the ids of checks. */
  readonly #own = new Set<string>()
  readonly #onSecret: (value: string, label: string) => void

  /** `onSecret` hears of every new secret, so that another thread can learn it. */
  constructor(onSecret: (value: string, label: string) => void = () => {}) {
    this.#onSecret = onSecret
  }

  /**
   * Makes a value unprintable from now on, also escaped, in base64, in hexadecimal digits and with other separators; of a key, by its
   * label, also any long part.
   */
  addSecret(given: string, label: string): void {
    const value = given.slice(0, KNOWN_LENGTH_MAX)
    if (value.length < SECRET_LENGTH_MIN || this.#known.has(value)) return
    if (this.#known.size >= SECRETS_MAX) return
    this.#known.add(value)
    const mark = `«${label}»`
    for (const form of formsOf(value))
      if (form.length >= ANYWHERE_LENGTH_MIN) this.#anywhere.add(form, mark)
    const bare = bareText(value)
    if (bare.length >= BARE_LENGTH_MIN) this.#bare.add(bare, mark)
    else if (bare.length >= ANYWHERE_LENGTH_MIN) this.#anywhere.add(bare, mark)
    if (value.length < ANYWHERE_LENGTH_MIN) this.#short.set(value, mark)
    if (label.startsWith(KEY_LABEL))
      for (const part of partsOf(value)) this.#anywhere.add(part, mark, true)
    this.#onSecret(value, label)
  }

  /** Texts of our own stay as they are, also where a secret begins with their last words. */
  keep(texts: readonly string[]): void {
    for (const text of texts) this.#own.add(text)
  }

  /** Learns the secrets that a JSON message carries in fields of known names. */
  learn(json: unknown): void {
    for (const { name, value } of secretsIn(json)) this.addSecret(value, name)
  }

  /** Replaces the values of secret fields and every known secret, also one that a cut (`…`, or the end of the text) left in half. */
  text(text: string): string {
    const named = withoutSecretFields(text)
    const read = unescaped(named)
    const found = [...this.#anywhere.find(named), ...this.#findBare(named)]
    const inRead = read
      ? [
          ...this.#anywhere.find(read.text).map((each) => placed(each, read)),
          ...this.#findBare(read.text, read),
        ]
      : []
    return this.#withoutShort(replaced(named, [...found, ...inRead]))
  }

  /** A header's value; whole where the header's name says so. */
  header(name: string, value: string): string {
    return isSecretField(name) ? `«${name.toLowerCase()}»` : this.text(value)
  }

  /** Copies plain data with every text redacted. */
  data<T>(value: T): T {
    return this.#data(value, new Map()) as T
  }

  /** `done`: short texts, which turn up again and again. */
  #data(value: unknown, done: Map<string, string>): unknown {
    if (typeof value === 'string') return this.#textOnce(value, done)
    if (Array.isArray(value)) return value.map((each) => this.#data(each, done))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.#data(each as unknown, done)]),
    )
  }

  #textOnce(text: string, done: Map<string, string>): string {
    if (this.#own.has(text)) return text
    if (text.length > REPEATED_LENGTH_MAX) return this.text(text)
    const before = done.get(text)
    if (before !== undefined) return before
    const redacted = this.text(text)
    done.set(text, redacted)
    return redacted
  }

  /** As `data`, in slices: signals are heard while a record of 100,000 findings is redacted. */
  async dataInTurns<T>(value: T): Promise<T> {
    const [turns, done] = [new Turns(), new Map<string, string>()]
    const copyOf = async (part: unknown, depth: number): Promise<unknown> => {
      await turns.next()
      if (depth === 0 || part === null || typeof part !== 'object') return this.#data(part, done)
      const entries: [string, unknown][] = []
      for (const [name, each] of Object.entries(part) as [string, unknown][])
        entries.push([
          name,
          typeof each === 'string' ? this.#textOnce(each, done) : await copyOf(each, depth - 1),
        ])
      return Array.isArray(part) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
    }
    return (await copyOf(value, SLICED_DEPTH)) as T
  }

  #findBare(text: string, of?: View): Found[] {
    if (this.#bare.isEmpty) return []
    const found = this.#bare.find(bareText(text))
    if (found.length === 0) return []
    const bare = withoutSeparators(text, of)
    return found.map((each) => placed(each, bare))
  }

  /** Whole texts of JSON, also of JSON in JSON. */
  #withoutShort(text: string): string {
    if (this.#short.size === 0) return text
    let result = ''
    let end = 0
    for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      const next = text.indexOf('"', quote + 1)
      const inner = next - quote - 1
      if (inner < SECRET_LENGTH_MIN || inner > 2 * ANYWHERE_LENGTH_MIN) continue
      const [value = ''] = text.slice(quote + 1, next).split('\\', 1)
      const mark = this.#short.get(value)
      if (mark === undefined) continue
      result += text.slice(end, quote + 1) + mark
      end = quote + 1 + value.length
    }
    return result + text.slice(end)
  }
}

/** Where something that was found in a view stands in the text itself. */
function placed({ start, end, mark }: Found, { starts, ends }: View): Found {
  return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0, mark }
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
