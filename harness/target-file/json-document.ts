/**
 * Reads JSON and remembers where everything stands, which JSON.parse does not: a wrong target file is refused with line and
 * column. Refuses what JSON.parse lets pass in silence: repeated names and `__proto__`.
 */

import { printParseErrorCode, visit } from 'jsonc-parser'
import { quoteSafely } from './secrets.ts'

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

export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function placeAt(line: number, character: number): string {
  return `${line + 1}:${character + 1}`
}

/** Where a value starts, and the name before it. */
type Place = { readonly valueAt: string; readonly nameAt?: string }

type Name = { readonly text: string; readonly place: string }

/** An object or array that is being read. */
type Opened = {
  readonly value: Record<string, unknown> | unknown[]
  readonly pointer: string
  readonly place: string
  /** Of the value that comes next; undefined where a name comes next. */
  name?: Name | undefined
  /** A comma was read last. */
  isContinued: boolean
}

type Refusal = readonly [message: string, fix: string]

const COMMENT: Refusal = ['a comment: JSON has none', 'Remove the comment.']
const ESCAPE: Refusal = ['an escape that JSON does not have', 'Use \\\\, \\", \\n, \\t or \\uXXXX.']
const LINE_BREAK: Refusal = [
  'a line break or control character inside a text',
  'Close the text, or write the character as an escape such as \\n.',
]

/** What is said of errors of the parser, wherever they stand. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  EndOfFileExpected: ['the text goes on after the end of the JSON value', 'Remove what follows.'],
  InvalidCharacter: LINE_BREAK,
  InvalidCommentToken: COMMENT,
  InvalidEscapeCharacter: ESCAPE,
  InvalidUnicode: ESCAPE,
  UnexpectedEndOfComment: COMMENT,
}

function fail(place: string, [message, fix]: Refusal): never {
  throw new JsonSyntaxError({ place, message, fix })
}

class Reader {
  readonly places = new Map<string, Place>()
  readonly flaws: JsonFlaw[] = []
  readonly #text: string
  readonly #opened: Opened[] = []
  /** The last one, which the parser ends where the file does. */
  #closed: Opened | undefined
  #value: unknown

  constructor(text: string) {
    this.#text = text
  }

  document(): unknown {
    visit(
      this.#text,
      {
        onObjectBegin: (_offset, _length, line, at) => this.#open({}, placeAt(line, at)),
        onArrayBegin: (_offset, _length, line, at) => this.#open([], placeAt(line, at)),
        onObjectEnd: () => this.#close(),
        onArrayEnd: () => this.#close(),
        onObjectProperty: (text, _offset, length, line, at) => {
          this.#name({ text, place: placeAt(line, at) }, length)
        },
        onLiteralValue: (value: unknown, _offset, length, line, at) => {
          this.#requireShort(length, placeAt(line, at))
          this.#add(value, placeAt(line, at))
        },
        onSeparator: (character) => {
          const inside = this.#opened.at(-1)
          if (inside && character === ',') inside.isContinued = true
        },
        onError: (code, offset, length, line, at) => {
          const error = printParseErrorCode(code)
          const further = this.#fartherIn(error, offset, length)
          fail(placeAt(line, at + further), this.#refusalOf(error, offset + further))
        },
      },
      { disallowComments: true },
    )
    return this.#value
  }

  #open(value: Opened['value'], place: string): void {
    const pointer = this.#add(value, place)
    this.#opened.push({ value, pointer, place, isContinued: false })
  }

  #close(): void {
    this.#closed = this.#opened.pop()
  }

  #name(name: Name, length: number): void {
    this.#requireShort(length, name.place)
    const inside = this.#opened.at(-1)
    if (!inside) return
    const { text, place } = name
    if (text === '__proto__')
      this.flaws.push({ place, message: 'the name "__proto__" is not allowed', fix: 'Remove it.' })
    else if (Object.hasOwn(inside.value, text))
      this.flaws.push({
        place,
        message: `the name ${quoteSafely(text)} stands here a second time; the earlier value would be lost`,
        fix: 'Keep one of them.',
      })
    inside.name = name
    inside.isContinued = false
  }

  /** Puts a value where it belongs, and returns its JSON Pointer. */
  #add(value: unknown, valueAt: string): string {
    const inside = this.#opened.at(-1)
    const name = inside?.name
    const key = name?.text ?? (Array.isArray(inside?.value) ? inside.value.length : undefined)
    const pointer = inside && key !== undefined ? pointerTo(inside.pointer, key) : ''
    this.places.set(pointer, { valueAt, ...(name && { nameAt: name.place }) })
    if (this.places.size > VALUES_MAX)
      fail(valueAt, [`more than ${VALUES_MAX} values`, 'Name the right file, or shorten it.'])
    if (this.#opened.length > DEPTH_MAX)
      fail(valueAt, [`nested deeper than ${DEPTH_MAX} levels`, 'Flatten it.'])
    if (!inside) this.#value = value
    else if (Array.isArray(inside.value)) inside.value.push(value)
    else if (name && name.text !== '__proto__') inside.value[name.text] = value
    if (inside) {
      inside.name = undefined
      inside.isContinued = false
    }
    return pointer
  }

  #requireShort(length: number, place: string): void {
    if (length > TEXT_CHARACTERS_MAX)
      fail(place, [`a text of more than ${TEXT_CHARACTERS_MAX} characters`, 'Shorten it.'])
  }

  /** How far in a text its wrong character stands. */
  #fartherIn(error: string, offset: number, length: number): number {
    const isOpen = error === 'UnexpectedEndOfString'
    if (isOpen) return offset + length < this.#text.length ? length : 0
    if (error !== 'InvalidCharacter') return 0
    return this.#text.slice(offset, offset + length).search(/[^ -\uffff]/)
  }

  #refusalOf(error: string, offset: number): Refusal {
    const next = this.#text[offset]
    const inside = this.#opened.at(-1)
    const known = next === '/' || next === '#' ? COMMENT : REFUSALS[error]
    if (known) return known
    if (error === 'UnexpectedEndOfString')
      return next === '"'
        ? ['a text without its closing double quote', 'Close the text.']
        : LINE_BREAK
    if (error === 'ColonExpected') {
      const name = quoteSafely(inside?.name?.text ?? '')
      return [`a ":" is missing after the name ${name}`, 'Insert it.']
    }
    if (next === undefined) return this.#endRefusal(error)
    if (inside?.isContinued && (next === '}' || next === ']'))
      return [`a comma before "${next}": JSON has no trailing commas`, 'Remove the comma.']
    if (error === 'CommaExpected') {
      const end = Array.isArray(inside?.value) ? ']' : '}'
      return [`"," or "${end}" was expected`, 'Insert the comma, or close the value before it.']
    }
    if (inside && !Array.isArray(inside.value) && !inside.name)
      return ['a name in double quotes was expected', 'Put the name in double quotes.']
    return next === "'"
      ? ['a text in single quotes', 'Use double quotes.']
      : [
          'this is no JSON value',
          'Write a text in double quotes, a number, true, false, null, an object or an array.',
        ]
  }

  #endRefusal(error: string): Refusal {
    const ended = error.startsWith('Close') ? this.#closed : undefined
    if (!ended) return ['the file ends where a value was expected', 'Restore the file.']
    const what = Array.isArray(ended.value) ? 'array' : 'object'
    return [
      `the file ends inside the ${what} that starts at ${ended.place}`,
      'Close it, or restore the file.',
    ]
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
        if (place) return (what === 'name' ? place.nameAt : undefined) ?? place.valueAt
        if (known === '') return '1:1'
      }
    },
    lines: () =>
      Object.fromEntries(
        [...places].map(([pointer, { valueAt }]) => [pointer, Number.parseInt(valueAt, 10)]),
      ),
  }
}
