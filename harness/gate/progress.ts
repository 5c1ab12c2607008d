import { styleText } from 'node:util'

/** A line of live progress on a terminal, or now and then a line in a log. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  readonly #startedMs = performance.now()
  #printedMs = -Infinity
  #shown = ''
  /** In a log: what waits for its turn, which comes although nothing more happens. */
  #held: (() => string) | undefined
  #timer: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  /** A phase begins: always printed, on a line of its own. */
  phase(text: string): void {
    this.#clear()
    this.#stream.write(`${this.#elapsed()} ${text}\n`)
  }

  /**
   * What is running and what it waits for: overwritten on a terminal, every few seconds elsewhere. Asked for only if it is shown. It is
   * shown again, with the time, while nothing else happens.
   */
  status(current: string | (() => string)): void {
    this.#show(current)
    clearTimeout(this.#again)
    this.#again = setTimeout(() => this.status(current), AGAIN_MS).unref()
  }

  #show(current: string | (() => string)): void {
    const text = (): string => (typeof current === 'string' ? current : current())
    if (this.#stream.isTTY) {
      this.#clear()
      this.#shown = fitting(`${this.#elapsed()} ${text()}`, (this.#stream.columns || 100) - 1)
      this.#stream.write(styleText('dim', this.#shown))
      return
    }
    this.#held = text
    const waitMs = this.#printedMs + LOG_EVERY_MS - performance.now()
    if (waitMs <= 0) this.#printHeld()
    else this.#timer ??= setTimeout(() => this.#printHeld(), waitMs).unref()
  }

  #printHeld(): void {
    const text = this.#held?.()
    this.#dropHeld()
    if (text === undefined) return
    this.#printedMs = performance.now()
    this.#stream.write(`${this.#elapsed()}   ${text}\n`)
  }

  #dropHeld(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#held = undefined
  }

  end(): void {
    this.#clear()
  }

  #clear(): void {
    clearTimeout(this.#again)
    this.#dropHeld()
    if (this.#shown === '') return
    this.#stream.write('\r\u001b[K')
    this.#shown = ''
  }

  #elapsed(): string {
    return `[${((performance.now() - this.#startedMs) / 1000).toFixed(1).padStart(5)} s]`
  }
}

/** What fits into a line: the parts that are named last are left out first. A first part that is too long is cut. */
export function fitting(text: string, width: number): string {
  let shown = text
  while (shown.length > width) {
    const at = Math.max(shown.lastIndexOf(' · '), shown.lastIndexOf(', '))
    if (at < 0) return shown.slice(0, width)
    shown = shown.slice(0, at)
  }
  return shown
}

const LOG_EVERY_MS = 3_000
const AGAIN_MS = 15_000
