/** Where a known text stands. `end` is exclusive. */
export type Found = { readonly start: number; readonly end: number; readonly mark: string }

type Known = {
  readonly text: string
  readonly mark: string
  /** Its beginning alone says nothing, even where a text ends with it. */
  readonly isWhole: boolean
}

/** Texts are looked up by a hash of their first characters; shorter ones are not taken. */
const START_LENGTH = 6
const FILTER_SIZE = 1 << 20
const CUT = '…'

/**
 * Finds any of many texts in one pass, whatever their number: an alternation of thousands of secrets would take minutes. Upper and
 * lower case count as equal.
 */
export class TextFinder {
  readonly #byHash = new Map<number, Known[]>()
  readonly #isKnown = new Set<string>()
  /** 1 where some known text begins with characters of this hash: most places are passed over without looking further. */
  #filter: Uint8Array | undefined

  get isEmpty(): boolean {
    return this.#filter === undefined
  }

  add(text: string, mark: string, isWhole = false): void {
    const lower = lowered(text)
    if (lower.length < START_LENGTH || this.#isKnown.has(lower)) return
    this.#isKnown.add(lower)
    const hash = hashOfStart(lower, START_LENGTH)
    const entry = { text: lower, mark, isWhole }
    this.#filter ??= new Uint8Array(FILTER_SIZE)
    if (this.#filter[hash] === 0) this.#byHash.set(hash, [entry])
    else this.#byHash.get(hash)?.push(entry)
    this.#filter[hash] = 1
  }

  /** Every place (of the first `countMax`), the longest text first; a text that was cut, so that only its beginning is left, counts. */
  find(text: string, countMax = Infinity): Found[] {
    const found: Found[] = []
    const filter = this.#filter
    if (!filter || text.length < START_LENGTH) return found
    const lower = lowered(text)
    let hash = hashOfStart(lower, START_LENGTH - 1)
    for (let end = START_LENGTH; end <= lower.length && found.length < countMax; end++) {
      hash = rolledOn(hash, lower.charCodeAt(end - 1))
      if (filter[hash] === 0) continue
      const candidates = this.#byHash.get(hash)
      const longest = candidates && longestAt(lower, end - START_LENGTH, candidates)
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
  if (isWhole || !text.startsWith(known.slice(0, START_LENGTH), start)) return undefined
  let length = START_LENGTH
  while (length < known.length && text[start + length] === known[length]) length += 1
  const next = text[start + length]
  return next === undefined || next === CUT ? start + length : undefined
}

/** Characters leave it after START_LENGTH steps, for it has fewer bits than they are moved by then. */
function rolledOn(hash: number, code: number): number {
  return ((hash << 4) ^ code) & (FILTER_SIZE - 1)
}

function hashOfStart(text: string, length: number): number {
  let hash = 0
  for (let at = 0; at < length; at++) hash = rolledOn(hash, text.charCodeAt(at))
  return hash
}

/** The one letter that toLowerCase makes two of: places stay what they are. */
const DOTTED_I = '\u0130'

function lowered(text: string): string {
  return text.replaceAll(DOTTED_I, 'i').toLowerCase()
}
