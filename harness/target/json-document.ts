/**
 * Reads JSON and remembers where everything stands, which JSON.parse does not: a wrong target file is refused with line and
 * column. Refuses what JSON.parse lets pass in silence: repeated names and `__proto__`.
 */

/** Where a value starts, and the name before it, as offsets into the text. */
type Place = { readonly valueAt: number; readonly nameAt?: number }

export type JsonFlaw = { readonly offset: number; readonly message: string; readonly fix: string }

export type JsonDocument = {
  readonly value: unknown
  /** Repeated names and the like: what does not keep the text from being read. */
  readonly flaws: readonly JsonFlaw[]
  /** `line:column` of the value at a JSON Pointer, or of its name; of the nearest parent where it does not exist. */
  locate(pointer: string, what?: 'value' | 'name'): string
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly place: string
  readonly fix: string

  constructor(text: string, flaw: JsonFlaw) {
    super(flaw.message)
    this.place = lineAndColumn(text, flaw.offset)
    this.fix = flaw.fix
  }
}

const DEPTH_MAX = 64
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_$][\w$]*/y
const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/)
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}

export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

class Reader {
  readonly places = new Map<string, Place>()
  readonly flaws: JsonFlaw[] = []
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): unknown {
    const value = this.#value('', 0)
    if (this.#peek() !== undefined)
      this.#fail('the text goes on after the end of the JSON value', 'Remove what follows.')
    return value
  }

  #fail(message: string, fix: string, offset = this.#at): never {
    throw new JsonSyntaxError(this.#text, { offset, message, fix })
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
        this.#fail(`a ":" is missing after the name ${JSON.stringify(name)}`, 'Insert it.')
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
    if (name === '__proto__')
      this.flaws.push({ offset, message: 'the name "__proto__" is not allowed', fix: 'Remove it.' })
    else if (Object.hasOwn(object, name))
      this.flaws.push({
        offset,
        message: `the name ${JSON.stringify(name.slice(0, 80))} stands here a second time; the earlier value would be lost`,
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
    const start = lineAndColumn(this.#text, opened)
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
          return lineAndColumn(text, (what === 'name' ? place.nameAt : undefined) ?? place.valueAt)
        if (known === '') return '1:1'
      }
    },
  }
}

/** `line:column` of an offset. */
export function placeOf(text: string, offset: number): string {
  return lineAndColumn(text, offset)
}
