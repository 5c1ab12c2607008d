/** Other readings of a text, in which a known secret may show: without escapes, without separators. */

/** A reading, and where each of its characters stands in the text itself. */
export type View = {
  readonly text: string
  readonly starts: Uint32Array
  /** Exclusive. */
  readonly ends: Uint32Array
}

const [SPACE, TAB, CARRIAGE_RETURN, NO_BREAK_SPACE] = [0x20, 0x09, 0x0d, 0xa0]

/** White space of ASCII, and beyond it as String.trim knows it. */
export function isBlank(code: number): boolean {
  if (code <= SPACE) return code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)
  return code >= NO_BREAK_SPACE && String.fromCharCode(code).trim() === ''
}

/** A text may be escaped for a text that is escaped itself, so often at most. */
const PASSES_MAX = 3

const ESCAPE_SIGNS = ['\\u', '\\x', '\\/', '%', '&#'] as const

/** The text with the escapes of JSON, URLs and HTML read; undefined where it has none. */
export function unescaped(text: string): View | undefined {
  let view: View | undefined
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = view?.text ?? text
    if (!ESCAPE_SIGNS.some((sign) => before.includes(sign))) break
    const next = readOnce(before, view)
    if (next.text.length === before.length) break
    view = next
  }
  return view
}

/** All that isBlank takes for one, and the hyphen. */
const SEPARATORS = /[\s-]/g

/** The text without blanks and hyphens. */
export function bareText(text: string): string {
  return text.replace(SEPARATORS, '')
}

/** The same, and where each of its characters stood. */
export function withoutSeparators(text: string, of?: View): View {
  const builder = new ViewBuilder(text.length, of)
  let pieceStart = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== HYPHEN && !isBlank(code)) continue
    builder.keep(text, pieceStart, at)
    pieceStart = at + 1
  }
  builder.keep(text, pieceStart, text.length)
  return builder.view()
}

const HYPHEN = 0x2d

/** Collects the characters of a view of a text, which may be a view itself. */
class ViewBuilder {
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #of: View | undefined
  #length = 0
  #text = ''

  constructor(lengthMax: number, of: View | undefined) {
    this.#starts = new Uint32Array(lengthMax)
    this.#ends = new Uint32Array(lengthMax)
    this.#of = of
  }

  /** Takes a piece over as it stands. */
  keep(text: string, start: number, end: number): void {
    if (start === end) return
    this.#text += text.slice(start, end)
    for (let at = start; at < end; at++) this.#place(at, at + 1)
  }

  /** One character in place of an escape. */
  put(code: number, start: number, end: number): void {
    this.#text += String.fromCharCode(code)
    this.#place(start, end)
  }

  view(): View {
    return { text: this.#text, starts: this.#starts, ends: this.#ends }
  }

  #place(start: number, end: number): void {
    this.#starts[this.#length] = this.#of?.starts[start] ?? start
    this.#ends[this.#length] = this.#of?.ends[end - 1] ?? end
    this.#length += 1
  }
}

function readOnce(text: string, of: View | undefined): View {
  const builder = new ViewBuilder(text.length, of)
  let pieceStart = 0
  for (let at = 0; at < text.length; at++) {
    const escape = escapeAt(text, at)
    if (!escape) continue
    builder.keep(text, pieceStart, at)
    builder.put(escape.code, at, escape.end)
    pieceStart = escape.end
    at = pieceStart - 1
  }
  builder.keep(text, pieceStart, text.length)
  return builder.view()
}

type Escape = { readonly code: number; readonly end: number }

function escapeAt(text: string, at: number): Escape | undefined {
  const sign = text[at]
  if (sign === '%') return hexEscape(text, at + 1, 2)
  if (sign === '\\') return backslashEscape(text, at)
  return sign === '&' && text[at + 1] === '#' ? entity(text, at) : undefined
}

/** `\u0068`, `\x68`, `\/`. Of several backslashes before it, those that escape the last one stay: another pass reads them. */
function backslashEscape(text: string, at: number): Escape | undefined {
  const kind = text[at + 1]
  if (kind === 'u') return hexEscape(text, at + 2, 4)
  if (kind === 'x') return hexEscape(text, at + 2, 2)
  return kind === '/' || kind === '\\' ? { code: text.charCodeAt(at + 1), end: at + 2 } : undefined
}

function hexEscape(text: string, start: number, digits: number): Escape | undefined {
  const code = numberAt(text, start, start + digits, 16)
  return code === undefined ? undefined : { code, end: start + digits }
}

const ENTITY_DIGITS_MAX = 7

/** `&#104;`, `&#x68;`; the semicolon may be missing. */
function entity(text: string, at: number): Escape | undefined {
  const isHex = text[at + 2] === 'x' || text[at + 2] === 'X'
  const [start, radix] = isHex ? [at + 3, 16] : [at + 2, 10]
  let end = start
  while (end - start < ENTITY_DIGITS_MAX && digitOf(text.charCodeAt(end)) < radix) end += 1
  const code = end === start ? undefined : numberAt(text, start, end, radix)
  if (code === undefined) return undefined
  return { code: code & 0xffff, end: text[end] === ';' ? end + 1 : end }
}

function numberAt(text: string, start: number, end: number, radix: number): number | undefined {
  let number = 0
  for (let at = start; at < end; at++) {
    const digit = digitOf(text.charCodeAt(at))
    if (!(digit < radix)) return undefined
    number = number * radix + digit
  }
  return number
}

/** 99 for what is no digit, and after the end of a text. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99
}
