/** How citations of the catalogue are resolved against the outline of the interface. */
import type { InterfaceOutline } from './interface-places.ts'

/** What a citation needs of its entry. */
export type Citing = {
  readonly id: string
  readonly section: string
  readonly source: readonly string[]
}

const CITATION =
  /^(?:(?<section>.+?): )?(?<place>(?:row|rule|bullet|paragraph) .+?)(?: sentence (?<sentence>\d+))?$/

/** The key of one citable statement: a sentence of a place, or the whole place if it has one only. */
function statementKey(section: string, place: string, sentence: number): string {
  return `${section}: ${place}, sentence ${sentence}`
}

type ResolvedCitation = { readonly key: string } | { readonly problem: string }

/** Resolves one citation of an entry, or says what is wrong with it. */
export function resolveCitation(
  outline: InterfaceOutline,
  entry: Citing,
  citation: string,
): ResolvedCitation {
  const groups = CITATION.exec(citation)?.groups
  if (!groups) return { problem: `${entry.id}: "${citation}" is not in the notation of types.ts` }
  const section = groups['section'] ?? entry.section
  const place = outline.places.find(
    (each) => each.section === section && each.name === groups['place'],
  )
  if (!place) return { problem: `${entry.id}: "${section}: ${groups['place']}" does not exist` }
  const count = place.sentences.length
  const sentence = groups['sentence'] === undefined ? undefined : Number(groups['sentence'])
  if (count > 1 && sentence === undefined)
    return { problem: `${entry.id}: "${citation}" has ${count} sentences; say which` }
  if (sentence !== undefined && (count === 1 || sentence < 1 || sentence > count))
    return { problem: `${entry.id}: "${citation}" has ${count} sentence(s)` }
  return { key: statementKey(section, place.name, sentence ?? 1) }
}

/** Every statement of the interface, by its key. */
export function statementsOf(outline: InterfaceOutline): Map<string, string> {
  return new Map(
    outline.places.flatMap((place) =>
      place.sentences.map((text, index): [string, string] => [
        statementKey(place.section, place.name, index + 1),
        text,
      ]),
    ),
  )
}
