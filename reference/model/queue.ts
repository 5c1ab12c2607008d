/** Dropped places in front that are tolerated before the list is copied. */
const SLACK_MAX = 1024

/** A list that grows at its end and shrinks at its front, both in constant time. */
export class Queue<T> {
  #list: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#list.length - this.#head
  }

  /** Undefined outside of the list. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#list[this.#head + index]
  }

  push(entry: T): void {
    this.#list.push(entry)
  }

  /** Drops the first entry. */
  shift(): void {
    if (this.length === 0) return
    this.#list[this.#head++] = undefined
    if (this.#head <= SLACK_MAX || this.#head * 2 <= this.#list.length) return
    this.#list = this.#list.slice(this.#head)
    this.#head = 0
  }

  /** Like that of an array, for indices from 0. */
  slice(start: number, end = this.length): T[] {
    return this.#list.slice(this.#head + start, this.#head + end) as T[]
  }
}
