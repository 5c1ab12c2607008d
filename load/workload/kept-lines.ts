/** Lines that are kept before they are written together: one write for each would cost a tenth more CPU. */
const LINES_KEPT_MAX = 32
/** Lines are written after this time at the latest, so that progress can be watched and little is lost at a kill. */
const KEPT_MS_MAX = 200

/** Lines of evidence on their way to the console. Every console line of k6 is one write to the file. */
export class KeptLines {
  readonly #write: (lines: string) => void
  #lines = ''
  #kept = 0
  #keptFromMs = 0

  constructor(write = toConsole) {
    this.#write = write
  }

  add(line: string, nowMs: number): void {
    this.#lines = this.#kept === 0 ? line : `${this.#lines}\n${line}`
    if (this.#kept++ === 0) this.#keptFromMs = nowMs
    if (this.#kept >= LINES_KEPT_MAX || nowMs - this.#keptFromMs > KEPT_MS_MAX) this.flush()
  }

  /** A line behind which nothing is kept. */
  last(line: string): void {
    this.add(line, Infinity)
    this.flush()
  }

  flush(): void {
    if (this.#kept > 0) this.#write(this.#lines)
    this.#kept = 0
  }
}

function toConsole(text: string): void {
  console.log(text)
}
