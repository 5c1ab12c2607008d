/** Where a known text stands. `end` is exclusive. */
export type Found = { readonly start: number; readonly end: number; readonly mark: string }

type Known = {
  readonly text: string
  readonly mark: string
  /** Its beginning alone says nothing, even where a text ends with it. */
  readonly isWhole: boolean
}

/** Texts are looked up by their first characters; shorter ones are not taken. */
const START_LENGTH = 6
const FILTER_SIZE = 1 << 20
const CUT = '…'

/**
 * Finds any of many texts in one pass, whatever their number: an alternation of thousands of secrets would take minutes. Upper and
 * lower case count as equal.
 */
export class TextFinder {
  readonly #byStart = new Map<string, Known[]>()
  readonly #isKnown = new Set<string>()
  /** 1 where some known text begins with characters of this hash: most places are passed over without looking further. */
  readonly #filter = new Uint8Array(FILTER_SIZE)

  get isEmpty(): boolean {
    return this.#byStart.size === 0
  }

  add(text: string, mark: string, isWhole = false): void {
    const lower = lowered(text)
    if (lower.length < START_LENGTH || this.#isKnown.has(lower)) return
    this.#isKnown.add(lower)
    const start = lower.slice(0, START_LENGTH)
    const known = this.#byStart.get(start)
    const entry = { text: lower, mark, isWhole }
    if (known) known.push(entry)
    else this.#byStart.set(start, [entry])
    this.#filter[hashAt(lower, 0)] = 1
  }

  /** Every place, the longest text first; a text that was cut, so that only its beginning is left, counts. */
  find(text: string): Found[] {
    const found: Found[] = []
    if (this.isEmpty) return found
    const lower = lowered(text)
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
  for (const known of candidates) {
    const end = endOfMatch(text, start, known)
    if (end !== undefined && end > (longest?.end ?? 0)) longest = { start, end, mark: known.mark }
  }
  return longest
}

function endOfMatch(
  text: string,
  start: number,
  { text: known, isWhole }: Known,
): number | undefined {
  if (text.startsWith(known, start)) return start + known.length
  if (isWhole) return undefined
  let length = START_LENGTH
  while (length < known.length && text[start + length] === known[length]) length += 1
  const next = text[start + length]
  return next === undefined || next === CUT ? start + length : undefined
}

function hashAt(text: string, at: number): number {
  const mixed =
    (text.charCodeAt(at) << 15) ^
    (text.charCodeAt(at + 1) << 10) ^
    (text.charCodeAt(at + 2) << 5) ^
    text.charCodeAt(at + 3)
  return mixed & (FILTER_SIZE - 1)
}

/** The one letter that toLowerCase makes two of: places stay what they are. */
const DOTTED_I = '\u0130'

function lowered(text: string): string {
  return text.replaceAll(DOTTED_I, 'i').toLowerCase()
}
