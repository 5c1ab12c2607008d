import { USER_AGENTS } from '../../contract/wire.ts'

/** What takes turns in the requests of a stream. */
type Turns = { readonly keys: number; readonly urls: number }

/** Whose turn a request is, by the places of its key, its URL and the name of the client. */
export type Turn = { readonly key: number; readonly url: number; readonly userAgent: number }

/** All keys send to the first URL, then all to the next; then all of that again under the next name of the client. */
export function turnAt(sequence: number, { keys, urls }: Turns): Turn {
  return {
    key: sequence % keys,
    url: Math.floor(sequence / keys) % urls,
    userAgent: Math.floor(sequence / (keys * urls)) % USER_AGENTS.length,
  }
}

/** Requests until all have had their turn. */
export function turnsIn({ keys, urls }: Turns): number {
  return keys * urls * USER_AGENTS.length
}
