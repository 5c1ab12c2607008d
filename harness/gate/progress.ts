import { styleText } from 'node:util'

/** A line of live progress on a terminal, or now and then a line in a log. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  readonly #startedMs = performance.now()
  #printedMs = -Infinity
  #shown = ''

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  /** A phase begins: always printed, on a line of its own. */
  phase(text: string): void {
    this.#clear()
    this.#stream.write(`${this.#elapsed()} ${text}\n`)
  }

  /** What is running and what it waits for: overwritten on a terminal, every few seconds elsewhere. */
  status(text: string): void {
    if (this.#stream.isTTY) {
      this.#clear()
      const columns = this.#stream.columns || 100
      this.#shown = `${this.#elapsed()} ${text}`.slice(0, columns - 1)
      this.#stream.write(styleText('dim', this.#shown))
      return
    }
    const nowMs = performance.now()
    if (nowMs - this.#printedMs < LOG_EVERY_MS) return
    this.#printedMs = nowMs
    this.#stream.write(`${this.#elapsed()}   ${text}\n`)
  }

  end(): void {
    this.#clear()
  }

  #clear(): void {
    if (this.#shown === '') return
    this.#stream.write('\r\u001b[K')
    this.#shown = ''
  }

  #elapsed(): string {
    return `[${((performance.now() - this.#startedMs) / 1000).toFixed(1).padStart(5)} s]`
  }
}

const LOG_EVERY_MS = 3_000
