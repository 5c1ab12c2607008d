/** Reads JSON in bounded time and depth, whatever a server sends. */

/** Deeper levels are left empty, as a reader may bound them (RFC 8259, 9): whoever walks through the value has room for these. */
export const DEPTH_MAX = 500

/** A message of more values counts as longer than the client reads. */
export const VALUES_MAX = 1_000_000

export type ReadJson = {
  /** Undefined where the text is no JSON, or too much of it. */
  readonly json?: unknown
  readonly isTooMuch?: boolean
}

const BYTE_ORDER_MARK = '\ufeff'

/** A mark in front is read past, as a recipient may (RFC 8259, 8.1): whether it may be there is judged by ENV-02. */
export function readJson(body: string): ReadJson {
  const text = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body
  try {
    // Each level and each value takes a letter at least, and most answers have few brackets: these are read as they are.
    const isDeep = opensMoreThan(text, DEPTH_MAX)
    if (!isDeep && text.length <= VALUES_MAX) return { json: JSON.parse(text) }
    const { values, shallow } = lookedThrough(text)
    if (values > VALUES_MAX) return { isTooMuch: true }
    return { json: JSON.parse(shallow) }
  } catch {
    return {}
  }
}

function opensMoreThan(text: string, max: number): boolean {
  let count = 0
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > max) return true
    }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** The text without what lies too deep, and how many values are left. */
function lookedThrough(text: string): { readonly values: number; readonly shallow: string } {
  let shallow = ''
  let keptFrom = 0
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at + 1)
    else if (code === COMMA) values += depth > DEPTH_MAX ? 0 : 1
    else if (isOpening(code)) {
      depth += 1
      if (depth <= DEPTH_MAX) values += 1
      if (depth === DEPTH_MAX + 1) {
        shallow += text.slice(keptFrom, at + 1)
        keptFrom = text.length
      }
    } else if (isClosing(code)) {
      // Where brackets do not match, the parser says so of what is left.
      if (depth === DEPTH_MAX + 1) keptFrom = at
      depth -= 1
    }
  }
  return { values, shallow: shallow + text.slice(keptFrom) }
}

/** Where the quote stands that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}

/** `{` and `[` */
function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b
}

/** `}` and `]` */
function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d
}
