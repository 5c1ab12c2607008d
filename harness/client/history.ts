import type { Exchange } from './exchange.ts'

/** Every exchange of a run, in the order of completion. */
export class History {
  readonly #exchanges: Exchange[] = []
  readonly #onAdd: (exchange: Exchange) => void
  #count = 0

  constructor(onAdd: (exchange: Exchange) => void = () => {}) {
    this.#onAdd = onAdd
  }

  nextId(): string {
    this.#count += 1
    return `x${String(this.#count).padStart(4, '0')}`
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange)
    this.#onAdd(exchange)
  }

  all(): readonly Exchange[] {
    return this.#exchanges
  }
}
