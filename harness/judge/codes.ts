/** Voucher codes in answers: which values are shown in clear, and where a code turns up. */
import { TextFinder } from '../text-finder.ts'
import { unescaped } from '../text-views.ts'

/** Shorter texts turn up by chance. */
const CODE_LENGTH_MIN = 8

/** Clear characters that a masked value may still show. */
const MASKED_CLEAR_MAX = 4

const MASK_RUN = /([*•●·#?_])\1{2,}|x{4,}/i
const SEPARATORS = /[\s-]/g
/** Shorter texts turn up by chance where all separators of an answer are left out, as in the identifiers of requests. */
const REGROUPED_LENGTH_MIN = 12
/** So many characters that are hidden, at one end, do not mask a code. */
const HIDDEN_MAX = 2
const MASK_LETTERS = ['*', '•', '●', '·', '#', '_', 'x'] as const
/** What stands between the groups of a code, written in another way. */
const JOINTS = ['', ' ', '-', '.', '_']
const JOINED = /[\s._-]/g

/**
 * Of revealed values, those that are surely codes in clear: texts without a mask that masked answers do not show. What masked answers
 * show as well is a mask, such as the word "hidden", or a code that leaks; it is taken for a code if no other order has the same.
 */
export function clearCodes(revealed: readonly unknown[], masked: readonly unknown[]): string[] {
  const texts = revealed.filter((value) => typeof value === 'string')
  const isAlone = (text: string): boolean =>
    texts.length > 1 && texts.filter((each) => each === text).length === 1
  return texts.filter((text) => !isMasked(text) && (!masked.includes(text) || isAlone(text)))
}

/** What a mask is shows in so many characters. */
const MASK_LENGTH_MAX = 500

/** `****`, `XXXX-XXXX-1234`, empty. */
export function isMasked(given: string): boolean {
  const value = given.slice(0, MASK_LENGTH_MAX)
  const shown = value.replaceAll(/[*•●·#?_xX\s-]/g, '')
  return (
    shown.length === 0 ||
    (MASK_RUN.test(value) && shown.length <= value.length / 2) ||
    (shown.length <= MASKED_CLEAR_MAX && shown.length < value.replaceAll(SEPARATORS, '').length)
  )
}

/** Whether a code is long enough that it cannot turn up by chance. */
export function isTraceable(code: string): boolean {
  return code.slice(0, MASK_LENGTH_MAX).replaceAll(SEPARATORS, '').length >= CODE_LENGTH_MIN
}

/** Codes that a mask hides at one end only. The mask tells them from identifiers that they are made of. */
function hardlyMasked(codes: readonly string[]): readonly string[] {
  const starts = toldApart(codes.map((code) => code.slice(0, -HIDDEN_MAX)))
  const ends = toldApart(codes.map((code) => code.slice(HIDDEN_MAX)))
  const masks = MASK_LETTERS.map((letter) => letter.repeat(HIDDEN_MAX))
  return masks.flatMap((mask) => [
    ...starts.map((start) => start + mask),
    ...ends.map((end) => mask + end),
  ])
}

/** What two codes have in common belongs to their form, and tells none of them. */
function toldApart(parts: readonly string[]): readonly string[] {
  if (parts.length < 2) return []
  const alike = Map.groupBy(parts, (part) => part)
  return parts.filter(
    (part) =>
      part.replaceAll(SEPARATORS, '').length >= REGROUPED_LENGTH_MIN &&
      alike.get(part)?.length === 1,
  )
}

function backwards(code: string): string {
  return Array.from(code).toReversed().join('')
}

function inHex(code: string): string {
  return Buffer.from(code).toString('hex')
}

/**
 * Finds codes in texts: plain, escaped for JSON, URLs and HTML, in base64, in hexadecimal digits and backwards. Separators and groups may
 * be other ones, and so may the case where it carries nothing.
 */
export class CodeFinder {
  readonly #exact: readonly string[]
  readonly #anyCase: readonly string[]
  /** Finds all of them in either case, in one pass: nearly every text has none. */
  readonly #near = new TextFinder()
  readonly #bare = new TextFinder()

  /** `codes` that are not traceable are left out. */
  constructor(codes: readonly string[]) {
    const traceable = codes.filter(isTraceable)
    const grouped = traceable.flatMap((code) =>
      JOINTS.map((joint) => code.replaceAll(SEPARATORS, joint)),
    )
    const spellings = [
      ...new Set([...traceable, ...grouped, ...hardlyMasked([...new Set(traceable)])]),
    ]
    this.#anyCase = [
      ...new Set(
        spellings.flatMap((code) =>
          [code, JSON.stringify(code).slice(1, -1), backwards(code), inHex(code)].map((each) =>
            each.toLowerCase(),
          ),
        ),
      ),
    ]
    this.#exact = [
      ...new Set(
        spellings.flatMap((code) =>
          (['base64', 'base64url'] as const).map((encoding) =>
            Buffer.from(code).toString(encoding).replaceAll('=', ''),
          ),
        ),
      ),
    ]
    for (const each of [...this.#anyCase, ...this.#exact]) this.#near.add(each, '', true)
    for (const bare of traceable.map((code) => code.replaceAll(SEPARATORS, '')))
      if (bare.length >= REGROUPED_LENGTH_MIN) this.#bare.add(bare, '', true)
  }

  /** Whether any code is in the text. */
  isIn(text: string): boolean {
    if (this.#isPlainlyIn(text)) return true
    const read = unescaped(text)
    return read !== undefined && this.#isPlainlyIn(read.text)
  }

  #isPlainlyIn(text: string): boolean {
    if (this.#bare.find(text.replaceAll(JOINED, ''), 1).length > 0) return true
    if (this.#near.find(text, 1).length === 0) return false
    const lower = text.toLowerCase()
    return (
      this.#anyCase.some((each) => lower.includes(each)) ||
      this.#exact.some((each) => text.includes(each))
    )
  }
}
