/** What only a busy service has: tables that are full, and work that piles up. Faults keep it here. */
export class Crowd {
  readonly #tables = new Map<string, Table>()
  readonly #freeAtMs = new Map<string, number>()

  /** How often the table, which holds `max` entries, has lost this one since it was last put in. The one put in first goes first. */
  losses(table: string, entry: string, max: number): number {
    const { live, lost } = this.#table(table)
    const known = live.get(entry)
    if (known !== undefined) return known
    const losses = lost.get(entry) ?? 0
    live.set(entry, losses)
    const [oldest] = live
    if (live.size > max && oldest) {
      live.delete(oldest[0])
      lost.set(oldest[0], oldest[1] + 1)
    }
    return losses
  }

  /** When one more piece of work is done, where each waits for those before it. */
  doneAtMs(queue: string, nowMs: number, perSecond: number): number {
    const doneAtMs = Math.max(this.#freeAtMs.get(queue) ?? 0, nowMs) + 1000 / perSecond
    this.#freeAtMs.set(queue, doneAtMs)
    return doneAtMs
  }

  /** Whether there is no room for one more: what finds none is not done at all. */
  isFull(
    queue: string,
    nowMs: number,
    { perSecond, max }: { perSecond: number; max: number },
  ): boolean {
    if (this.isBehind(queue, nowMs, { perSecond, max })) return true
    this.doneAtMs(queue, nowMs, perSecond)
    return false
  }

  /** Whether so many pieces of work wait. */
  isBehind(
    queue: string,
    nowMs: number,
    { perSecond, max }: { perSecond: number; max: number },
  ): boolean {
    const waitingMs = Math.max(0, (this.#freeAtMs.get(queue) ?? 0) - nowMs)
    return (waitingMs / 1000) * perSecond >= max
  }

  #table(name: string): Table {
    const table = this.#tables.get(name) ?? { live: new Map(), lost: new Map() }
    this.#tables.set(name, table)
    return table
  }
}

type Table = { readonly live: Map<string, number>; readonly lost: Map<string, number> }
