import type { TextFinder } from '../../harness/text-finder.ts'

/** A shorter key may stand within identifiers and codes by chance. */
const UNMISTAKABLE_LENGTH = 12
const WORD = /[\p{L}\p{N}]/u

/** Whether a text holds a key: a short one as a word of its own. */
export function showsKey(keys: TextFinder, text: string): boolean {
  return keys
    .find(text)
    .some(
      ({ start, end }) =>
        end - start >= UNMISTAKABLE_LENGTH ||
        (!WORD.test(text.charAt(start - 1)) && !WORD.test(text.charAt(end))),
    )
}
