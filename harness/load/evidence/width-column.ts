/** Counts of evidence in as few bytes as they need: of a million exchanges most columns hold few and small numbers. */
import { Column } from './column.ts'

type Kind = 'uint8' | 'uint16' | 'uint32'
const MAX = { uint8: 0xff, uint16: 0xffff, uint32: 0xffffffff } as const satisfies Record<
  Kind,
  number
>

/** One growing column of whole numbers from 0 to 2^32 - 1, each as wide as the largest so far. */
export class WidthColumn {
  #kind: Kind = 'uint8'
  #counts = new Column<Kind>('uint8')

  push(count: number): void {
    if (count > MAX[this.#kind]) this.#widenTo(count <= MAX.uint16 ? 'uint16' : 'uint32')
    this.#counts.push(count)
  }

  /** The counts so far; the column goes on from there. */
  values(): Uint8Array | Uint16Array | Uint32Array {
    return this.#counts.values()
  }

  #widenTo(kind: Kind): void {
    const narrow = this.#counts.values()
    const wide = new Column<Kind>(kind, Math.max(1024, 2 * narrow.length))
    for (let at = 0; at < narrow.length; at++) wide.push(narrow[at] as number)
    this.#kind = kind
    this.#counts = wide
  }
}
