/**
 * Reads JSON and remembers where everything stands, which JSON.parse does not: a wrong target file is refused with line and
 * column. Refuses what JSON.parse lets pass in silence: repeated names and `__proto__`.
 */

import { quoteSafely } from './secrets.ts'

/** Where a value starts, and the name before it, as offsets into the text. */
type Place = { readonly valueAt: number; readonly nameAt?: number }

/** What is wrong with the text, at `line:column`. */
export type JsonFlaw = { readonly place: string; readonly message: string; readonly fix: string }

export type JsonDocument = {
  readonly value: unknown
  /** Repeated names and the like: what does not keep the text from being read. */
  readonly flaws: readonly JsonFlaw[]
  /** `line:column` of the value at a JSON Pointer, or of its name; of the nearest parent where it does not exist. */
  locate(pointer: string, what?: 'value' | 'name'): string
  /** The line of every value, by its JSON Pointer. */
  lines(): Readonly<Record<string, number>>
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly place: string
  readonly fix: string

  constructor({ place, message, fix }: JsonFlaw) {
    super(message)
    this.place = place
    this.fix = fix
  }
}

/** Far above any real target file, low enough that all that is done with each value ends soon. */
const DEPTH_MAX = 64
const VALUES_MAX = 5000
const TEXT_CHARACTERS_MAX = 8192
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_$][\w$]*/y
const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Offsets at which lines start, found once: a bad file may have thousands of places to tell. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g))
    starts.push(index + ending.length)
  return starts
}

function lineAndColumn(starts: readonly number[], offset: number): string {
  let line = 0
  let after = starts.length
  while (after - line > 1) {
    const middle = Math.floor((line + after) / 2)
    if ((starts[middle] ?? Infinity) <= offset) line = middle
    else after = middle
  }
  return `${line + 1}:${offset - (starts[line] ?? 0) + 1}`
}

export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

class Reader {
  readonly places = new Map<string, Place>()
  readonly flaws: JsonFlaw[] = []
  readonly #text: string
  readonly #starts: readonly number[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#starts = lineStarts(text)
  }

  placeOf(offset: number): string {
    return lineAndColumn(this.#starts, offset)
  }

  document(): unknown {
    const value = this.#value('', 0)
    if (this.#peek() !== undefined)
      this.#fail('the text goes on after the end of the JSON value', 'Remove what follows.')
    return value
  }

  #fail(message: string, fix: string, offset = this.#at): never {
    throw new JsonSyntaxError({ place: this.placeOf(offset), message, fix })
  }

  /** The next character that is no white space. Comments get an answer of their own wherever they stand. */
  #peek(): string | undefined {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at++
    const next = this.#text[this.#at]
    if (next === '/' || next === '#') this.#fail('a comment: JSON has none', 'Remove the comment.')
    return next
  }

  #value(pointer: string, depth: number, nameAt?: number): unknown {
    const next = this.#peek()
    this.places.set(pointer, { valueAt: this.#at, ...(nameAt === undefined ? {} : { nameAt }) })
    if (this.places.size > VALUES_MAX)
      this.#fail(`more than ${VALUES_MAX} values`, 'Name the right file, or shorten it.')
    if (depth > DEPTH_MAX) this.#fail(`nested deeper than ${DEPTH_MAX} levels`, 'Flatten it.')
    if (next === '{') return this.#object(pointer, depth)
    if (next === '[') return this.#array(pointer, depth)
    if (next === '"') return this.#string()
    return this.#scalar(next)
  }

  #object(pointer: string, depth: number): unknown {
    const opened = this.#at++
    const object: Record<string, unknown> = {}
    if (this.#peek() === '}') return this.#close(object)
    for (;;) {
      const nameAt = this.#nameStart(opened)
      const name = this.#string()
      if (this.#peek() !== ':')
        this.#fail(`a ":" is missing after the name ${quoteSafely(name)}`, 'Insert it.')
      this.#at++
      this.#noteName(object, name, nameAt)
      const value = this.#value(pointerTo(pointer, name), depth + 1, nameAt)
      if (name !== '__proto__') object[name] = value
      if (this.#separator('}', opened) === '}') return object
    }
  }

  #nameStart(opened: number): number {
    const next = this.#peek()
    if (next === '"') return this.#at
    if (next === undefined) this.#endsInside('object', opened)
    if (next === '}')
      this.#fail('a comma before "}": JSON has no trailing commas', 'Remove the comma.')
    return this.#fail('a name in double quotes was expected', 'Put the name in double quotes.')
  }

  #noteName(object: object, name: string, offset: number): void {
    const place = this.placeOf(offset)
    if (name === '__proto__')
      this.flaws.push({ place, message: 'the name "__proto__" is not allowed', fix: 'Remove it.' })
    else if (Object.hasOwn(object, name))
      this.flaws.push({
        place,
        message: `the name ${quoteSafely(name)} stands here a second time; the earlier value would be lost`,
        fix: 'Keep one of them.',
      })
  }

  #array(pointer: string, depth: number): unknown {
    const opened = this.#at++
    const array: unknown[] = []
    if (this.#peek() === ']') return this.#close(array)
    for (;;) {
      if (this.#peek() === ']')
        this.#fail('a comma before "]": JSON has no trailing commas', 'Remove the comma.')
      array.push(this.#value(pointerTo(pointer, array.length), depth + 1))
      if (this.#separator(']', opened) === ']') return array
    }
  }

  #close<T>(value: T): T {
    this.#at++
    return value
  }

  #separator(end: '}' | ']', opened: number): ',' | '}' | ']' {
    const next = this.#peek()
    if (next === undefined) this.#endsInside(end === '}' ? 'object' : 'array', opened)
    if (next !== ',' && next !== end)
      this.#fail(`"," or "${end}" was expected`, 'Insert the comma, or close the value before it.')
    this.#at++
    return next
  }

  #endsInside(what: string, opened: number): never {
    const start = this.placeOf(opened)
    return this.#fail(
      `the file ends inside the ${what} that starts at ${start}`,
      'Close it, or restore the file.',
    )
  }

  #string(): string {
    const start = this.#at
    for (let end = start + 1; end < this.#text.length; end++) {
      const character = this.#text.charAt(end)
      if (character === '\\') end++
      else if (character < ' ')
        this.#fail(
          'a line break or control character inside a text',
          'Close the text, or write the character as an escape such as \\n.',
          end,
        )
      else if (character === '"') return this.#unescape(start, end + 1)
    }
    return this.#fail('a text without its closing double quote', 'Close the text.', start)
  }

  #unescape(start: number, end: number): string {
    if (end - start > TEXT_CHARACTERS_MAX)
      this.#fail(`a text of more than ${TEXT_CHARACTERS_MAX} characters`, 'Shorten it.', start)
    this.#at = end
    try {
      return JSON.parse(this.#text.slice(start, end)) as string
    } catch {
      return this.#fail(
        'an escape that JSON does not have',
        'Use \\\\, \\", \\n, \\t or \\uXXXX.',
        start,
      )
    }
  }

  #scalar(next: string | undefined): unknown {
    if (next === undefined)
      this.#fail('the file ends where a value was expected', 'Restore the file.')
    if (next === "'") this.#fail('a text in single quotes', 'Use double quotes.')
    const number = this.#match(NUMBER)
    if (number !== undefined) return Number(number)
    const word = this.#match(WORD)
    if (word !== undefined && LITERALS.has(word)) return LITERALS.get(word)
    return this.#fail(
      'this is no JSON value',
      'Write a text in double quotes, a number, true, false, null, an object or an array.',
      this.#at - (word?.length ?? 0),
    )
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }
}

/** Parses JSON text. Throws JsonSyntaxError, which knows its place; never shows a piece of the text, which may hold a secret. */
export function readJson(text: string): JsonDocument {
  const reader = new Reader(text)
  const value = reader.document()
  const { places, flaws } = reader
  return {
    value,
    flaws,
    locate(pointer, what = 'value') {
      for (let known = pointer; ; known = known.slice(0, Math.max(0, known.lastIndexOf('/')))) {
        const place = places.get(known)
        if (place)
          return reader.placeOf((what === 'name' ? place.nameAt : undefined) ?? place.valueAt)
        if (known === '') return '1:1'
      }
    },
    lines: () =>
      Object.fromEntries(
        [...places].map(([pointer, { valueAt }]) => [
          pointer,
          Number.parseInt(reader.placeOf(valueAt), 10),
        ]),
      ),
  }
}
