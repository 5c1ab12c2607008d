/** Reads evidence as bytes, line by line, so that a file of any size needs no more memory than its columns. */
import { LOOK_AT_K6 } from './k6-log.ts'
import { open } from 'node:fs/promises'
import { HarnessError } from '../../errors.ts'

const SPACE = 0x20
const LINE_BREAK = 0x0a
const DASH = 0x2d
const ZERO = 0x30
const NINE = 0x39
const DIGITS_MAX = 15
const CHUNK_BYTES = 1 << 18
const SHOWN_BYTES = 160

/** The fields of one line, one after the other. What is none of the kind asked for spoils the line: `ended` is then false. */
export class Fields {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #end = 0
  #spoilt = false

  /** Moves to another line: the bytes from `start` to before `end`. */
  moveTo(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#spoilt = false
  }

  /** A whole number from 0 to `max`. */
  count(max: number = Number.MAX_SAFE_INTEGER): number {
    const bytes = this.#bytes
    const start = this.#at
    let value = 0
    let at = start
    for (; at < this.#end; at++) {
      const byte = bytes[at] as number
      if (byte < ZERO || byte > NINE) break
      value = 10 * value + (byte - ZERO)
    }
    const digits = at - start
    this.#at = at
    if (digits === 0 || digits > DIGITS_MAX || value > max) this.#spoilt = true
    this.#leave()
    return value
  }

  /** A whole number from `min` to `max`; undefined for `-`. */
  number(min: number, max: number): number | undefined {
    if (this.#stepOverNone()) return undefined
    if (this.#bytes[this.#at] !== DASH || this.#at >= this.#end) return this.count(max)
    this.#at++
    return -this.count(-min)
  }

  /** A text as it stands there, never empty. */
  word(): string {
    const start = this.#at
    while (this.#at < this.#end && this.#bytes[this.#at] !== SPACE) this.#at++
    if (this.#at === start) this.#spoilt = true
    const word = this.#bytes.toString('latin1', start, this.#at)
    this.#leave()
    return word
  }

  /** A text as it stands there; undefined for `-`, which most fields of most lines are: no text is made of it. */
  wordOrNone(): string | undefined {
    return this.#stepOverNone() ? undefined : this.word()
  }

  /** A percent-encoded text; undefined for `-`. */
  text(): string | undefined {
    const word = this.wordOrNone()
    if (word === undefined || !word.includes('%')) return word
    const text = decodedOrNone(word)
    if (text === undefined) this.#spoilt = true
    return text
  }

  /** Texts separated by commas, as they stand there, each percent-encoded; undefined for `-`. */
  list(): string | undefined {
    const word = this.wordOrNone()
    if (word?.includes('%') && decodedOrNone(word) === undefined) this.#spoilt = true
    return word
  }

  /** One of these words, by its index. */
  indexOf(words: readonly string[]): number {
    const index = words.findIndex((each) => this.#stands(each))
    if (index < 0) this.#spoilt = true
    else this.#at += words[index]?.length ?? 0
    this.#leave()
    return index
  }

  /** Whether this word stands here: no text is made of it. */
  #stands(word: string): boolean {
    const end = this.#at + word.length
    if (end > this.#end || (end < this.#end && this.#bytes[end] !== SPACE)) return false
    for (let at = 0; at < word.length; at++)
      if (this.#bytes[this.#at + at] !== word.charCodeAt(at)) return false
    return true
  }

  /** True if nothing follows, and everything until now was what was asked for. */
  get ended(): boolean {
    return !this.#spoilt && this.#at === this.#end + 1
  }

  /** True if a `-` stands here alone; the field is then left. */
  #stepOverNone(): boolean {
    if (this.#at >= this.#end || this.#bytes[this.#at] !== DASH) return false
    const next = this.#at + 1
    const isAlone = next === this.#end || this.#bytes[next] === SPACE
    if (isAlone) this.#at = next + 1
    return isAlone
  }

  #atBoundary(): boolean {
    return this.#at === this.#end || this.#bytes[this.#at] === SPACE
  }

  /** Steps over the space behind a field; one step beyond the line's end after the last one. */
  #leave(): void {
    if (!this.#atBoundary() || this.#at > this.#end) this.#spoilt = true
    this.#at++
  }
}

/** Undefined where a text is not rightly encoded. */
function decodedOrNone(word: string): string | undefined {
  try {
    return decodeURIComponent(word)
  } catch {
    return undefined
  }
}

/** Carries lines over the borders of chunks. */
class Lines {
  readonly #readLine: (fields: Fields) => boolean
  readonly #fields = new Fields()
  #rest: Buffer = Buffer.alloc(0)
  #number = 0

  constructor(readLine: (fields: Fields) => boolean) {
    this.#readLine = readLine
  }

  feed(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let start = 0
    for (;;) {
      const end = bytes.indexOf(LINE_BREAK, start)
      if (end < 0) break
      this.#line(bytes, start, end)
      start = end + 1
    }
    // A copy, since the next chunk overwrites this one.
    this.#rest = Buffer.from(bytes.subarray(start))
  }

  /** True if the last line was cut off. */
  get cutOff(): boolean {
    return this.#rest.length > 0
  }

  #line(bytes: Buffer, start: number, end: number): void {
    this.#number++
    this.#fields.moveTo(bytes, start, end)
    if (this.#readLine(this.#fields)) return
    const shown = bytes.toString('utf8', start, Math.min(end, start + SHOWN_BYTES))
    throw evidenceError(
      `Line ${this.#number} of the evidence is malformed: ${JSON.stringify(shown)}.`,
    )
  }
}

export type LineReading = {
  /** k6 was stopped: its last line may be cut off. */
  readonly interrupted: boolean
  /** False if the line is none of the format. */
  readonly readLine: (fields: Fields) => boolean
}

/**
 * Reads every line of an evidence file. Throws E_K6_FAILED if the file cannot be read or a line is malformed (with its number). Also if
 * the last one is cut off and k6 was not interrupted.
 */
export async function readEvidence(
  path: string,
  { interrupted, readLine }: LineReading,
): Promise<void> {
  const lines = new Lines(readLine)
  await using file = await open(path).catch((error: unknown) => {
    throw evidenceError(`k6 wrote no evidence: ${(error as Error).message}.`)
  })
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(chunk)
    if (bytesRead === 0) break
    lines.feed(chunk.subarray(0, bytesRead))
  }
  if (lines.cutOff && !interrupted) throw evidenceError('The last line of the evidence is cut off.')
}

export function evidenceError(message: string): HarnessError {
  return new HarnessError('E_K6_FAILED', message, LOOK_AT_K6)
}
