import { randomInt } from 'node:crypto'

const SLOTS = 256
/** Characters at the end of a text that pick its slot: keys are random. */
const PICKING = 8

/**
 * Keys in recent use, found by their text without the cost of a cryptographic hash. A text that is in no slot, that of a key that does
 * not exist among them, is compared with nothing but the one key of its slot, which a secret seed picks; every comparison looks at
 * all characters. So the time taken tells nothing about the keys of others. At most `SLOTS` texts are in memory.
 */
export class RecentKeys<Key> {
  readonly #seed = randomInt(2 ** 32)
  readonly #slots: { readonly secret: string; readonly key: Key }[] = []

  find(secret: string): Key | undefined {
    const known = this.#slots[this.#slotOf(secret)]
    return known !== undefined && isSame(known.secret, secret) ? known.key : undefined
  }

  /** Takes the place of the key that had the same slot. */
  remember(secret: string, key: Key): void {
    this.#slots[this.#slotOf(secret)] = { secret, key }
  }

  #slotOf(secret: string): number {
    let hash = this.#seed
    for (let index = Math.max(0, secret.length - PICKING); index < secret.length; index++)
      hash = Math.imul(hash ^ secret.charCodeAt(index), 0x01000193)
    return (hash >>> 16) % SLOTS
  }
}

/** In a time that depends on the length only. */
function isSame(known: string, text: string): boolean {
  if (known.length !== text.length) return false
  let difference = 0
  for (let index = 0; index < text.length; index++)
    difference |= known.charCodeAt(index) ^ text.charCodeAt(index)
  return difference === 0
}
