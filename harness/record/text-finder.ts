/** Where a known text stands. `end` is exclusive. */
export type Found = { readonly start: number; readonly end: number; readonly mark: string }

type Known = { readonly text: string; readonly mark: string }

/** Texts are looked up by their first characters; shorter ones are not taken. */
const START_LENGTH = 6
const FILTER_SIZE = 1 << 16
const CUT = '…'
const IS_ASCII = /^[\0-\x7f]*$/

/**
 * Finds any of many texts in one pass, whatever their number: an alternation of thousands of secrets would take minutes. Upper and
 * lower case of ASCII letters count as equal.
 */
export class TextFinder {
  readonly #byStart = new Map<string, Known[]>()
  readonly #isKnown = new Set<string>()
  /** 1 where some known text begins with characters of this hash: most places are passed over without looking further. */
  readonly #filter = new Uint8Array(FILTER_SIZE)

  add(text: string, mark: string): void {
    const lower = lowerAscii(text)
    if (lower.length < START_LENGTH || this.#isKnown.has(lower)) return
    this.#isKnown.add(lower)
    const start = lower.slice(0, START_LENGTH)
    const known = this.#byStart.get(start)
    if (known) known.push({ text: lower, mark })
    else this.#byStart.set(start, [{ text: lower, mark }])
    this.#filter[hashAt(lower, 0)] = 1
  }

  /** Every place, the longest text first; a text of which a cut left only the beginning counts. */
  find(text: string): Found[] {
    const found: Found[] = []
    if (this.#byStart.size === 0) return found
    const lower = lowerAscii(text)
    for (let start = 0; start + START_LENGTH <= lower.length; start++) {
      if (this.#filter[hashAt(lower, start)] === 0) continue
      const candidates = this.#byStart.get(lower.slice(start, start + START_LENGTH))
      const longest = candidates && longestAt(lower, start, candidates)
      if (longest) found.push(longest)
    }
    return found
  }
}

function longestAt(text: string, start: number, candidates: readonly Known[]): Found | undefined {
  let longest: Found | undefined
  for (const { text: known, mark } of candidates) {
    const end = endOfMatch(text, start, known)
    if (end !== undefined && end > (longest?.end ?? 0)) longest = { start, end, mark }
  }
  return longest
}

function endOfMatch(text: string, start: number, known: string): number | undefined {
  if (text.startsWith(known, start)) return start + known.length
  let length = START_LENGTH
  while (length < known.length && text[start + length] === known[length]) length += 1
  const next = text[start + length]
  return next === undefined || next === CUT ? start + length : undefined
}

function hashAt(text: string, at: number): number {
  const mixed =
    (text.charCodeAt(at) << 10) ^ (text.charCodeAt(at + 1) << 5) ^ text.charCodeAt(at + 2)
  return mixed & (FILTER_SIZE - 1)
}

/** Unlike toLowerCase it never changes the length of a text, so places stay what they are. */
function lowerAscii(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase()
  return text.replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase())
}
