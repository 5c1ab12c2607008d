/** Finds wording that a text has taken over from another one. */

const WORD = /`[^`]*`|[\p{L}\p{N}_'’/:.-]+/gu
const ORDINARY = /^[A-Z]?[a-z'’-]+$/

type Word = { readonly text: string; readonly ordinary: boolean }

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ([raw]) => {
    const word = raw.replace(/^['’.:-]+|['’.:-]+$/g, '')
    return { text: word.replaceAll('`', '').toLowerCase(), ordinary: ORDINARY.test(word) }
  }).filter((word) => word.text !== '')
}

/** The runs of `length` ordinary words, with the names between them; names alone make no run. */
export function runsOf(text: string, length: number): Set<string> {
  const words = wordsOf(text)
  const runs = new Set<string>()
  words.forEach((word, start) => {
    if (!word.ordinary) return
    let ordinary = 0
    for (let end = start; end < words.length; end += 1) {
      if (words[end]?.ordinary === true) ordinary += 1
      if (ordinary < length) continue
      const run = words.slice(start, end + 1).map((each) => each.text)
      runs.add(run.join(' '))
      return
    }
  })
  return runs
}
