/** Progress of a run while k6 writes its evidence: what is offered, what comes back, and what is waited for. */
import { open } from 'node:fs/promises'
import type { EvidenceForm } from '../evidence/form.ts'
import { quantile } from '../shared/latencies.ts'
import { meaningOf, type Meaning } from '../../../contract/answers.ts'

export type LiveView = {
  /** What the line is of: a scenario, or a step. */
  readonly name: string
  readonly requestsMin: number
  /** Rates, latency and outcomes are those of the last so many seconds. */
  readonly spanSeconds: number
  /** The run ends after this where nobody is kept waiting. */
  readonly secondsExpected: number
  /** The run ends after this at the latest. */
  readonly secondsMax: number
  /** Length of the schedule, where there is one. */
  readonly scheduleSeconds?: number
  readonly form: EvidenceForm
}

/** `given up`: the client did not wait for the answer any longer. */
type Outcome = Meaning | 'given up'

type Seen = { readonly dueMs: number; readonly receivedMs: number; readonly outcome: Outcome }

/** Reads evidence as far as it has been written, each time only what is new. Never throws on a line: the importer judges those. */
export class LiveEvidence {
  readonly #view: LiveView
  readonly #files: LiveFile[]
  readonly #nowMs: () => number
  readonly #fromMs: number

  /** `nowMs` is any clock that goes on while nothing is written. */
  constructor(paths: readonly string[], view: LiveView, nowMs: () => number) {
    this.#view = view
    this.#nowMs = nowMs
    this.#fromMs = nowMs()
    this.#files = paths.map((path) => new LiveFile(path, view, nowMs))
  }

  /** Exchanges that were read so far. */
  get requests(): number {
    return this.#files.reduce((total, { requests }) => total + requests, 0)
  }

  /** What to show now. */
  async poll(): Promise<string> {
    for (const file of this.#files) await file.read()
    const sum = (of: (file: LiveFile) => number): number =>
      this.#files.reduce((total, file) => total + of(file), 0)
    const { name, requestsMin, scheduleSeconds } = this.#view
    const { requests } = this
    // A floor that is passed is no progress any more.
    const floor = requests < requestsMin ? ` of at least ${requestsMin}` : ''
    const sent = `${requests}${floor} requests sent`
    // A narrow terminal shows the first of them.
    const parts: string[] = []
    const phase = this.#files.map((file) => file.phase).find((each) => each !== undefined)
    if (phase !== undefined) parts.push(phase)
    if (requests > 0) {
      const seenSeconds = Math.max(...this.#files.map((file) => file.seenSeconds))
      const spanSeconds = Math.min(this.#view.spanSeconds, seenSeconds)
      const rate = (count: number): string => rateText(count / spanSeconds)
      const [offered, answered] = [sum((file) => file.offered), sum((file) => file.answered)]
      parts.push(
        `${rate(offered)}/s offered, ${rate(answered)} answered`,
        `${this.#latencyText()}${this.#outcomesText()} in the last ${Math.ceil(spanSeconds)} s`,
      )
    }
    const at = Math.max(...this.#files.map((file) => file.scheduleSeconds))
    if (scheduleSeconds !== undefined && at > 0)
      parts.push(`${Math.min(at, scheduleSeconds).toFixed(0)} of ${scheduleSeconds.toFixed(0)} s`)
    parts.push(this.#leftText(), sent)
    const waiting = sum((file) => file.waiting)
    const longest = Math.max(...this.#files.map((file) => file.longestWaitSeconds))
    if (waiting > 0)
      parts.push(
        `${waiting} wait for the end of Retry-After, up to ${Math.ceil(Math.min(longest, this.#leftSeconds))} s more`,
      )
    return `${name}: ${parts.join(' · ')}`
  }

  #leftText(): string {
    const most = `at most ${Math.ceil(this.#leftSeconds)} s`
    const expected = this.#leftOf(this.#view.secondsExpected)
    return expected > 0 ? `about ${Math.ceil(expected)} s left, ${most}` : `${most} left`
  }

  get #leftSeconds(): number {
    return this.#leftOf(this.#view.secondsMax)
  }

  #leftOf(seconds: number): number {
    return Math.max(0, seconds - (this.#nowMs() - this.#fromMs) / 1000)
  }

  /** Of what was admitted in the last span, from due. */
  #latencyText(): string {
    const times = Float64Array.from(this.#files.flatMap((file) => file.latenciesMs)).toSorted()
    return times.length === 0 ? '' : `p95 ${quantile(times, 0.95).toFixed(0)} ms, `
  }

  #outcomesText(): string {
    const count = (outcome: Outcome): number =>
      this.#files.reduce((total, file) => total + file.outcomes(outcome).length, 0)
    const gaveUp = count('given up')
    const given = gaveUp > 0 ? `, ${gaveUp} given up by the client` : ''
    return `${count('lost')} failed, ${count('refused by a window')} refused, ${count('accepted')} admitted${given}`
  }
}

/** Short: a terminal of 80 columns shows rates, p95, failures and refusals. */
function rateText(perSecond: number): string {
  return perSecond.toFixed(perSecond < 10 ? 1 : 0)
}

/** k6's code of a request whose time was up. */
const TIMED_OUT = 1050
const CHUNK_BYTES = 1 << 16

/** One instance's evidence; times on its own test clock. */
class LiveFile {
  requests = 0
  phase: string | undefined
  readonly #path: string
  readonly #view: LiveView
  /** Those of the last span, in the order in which they were written. */
  #recent: Seen[] = []
  /** Until when each client waits, by the Retry-After that it was last told. */
  readonly #waits = new Map<string, number>()
  readonly #clockMs: () => number
  #position = 0
  #rest = ''
  /** The latest time of the evidence, and when on the own clock it was read. */
  #lastMs = 0
  #readAtMs = 0
  #firstMs = Infinity
  #zeroMs: number | undefined

  constructor(path: string, view: LiveView, clockMs: () => number) {
    this.#path = path
    this.#view = view
    this.#clockMs = clockMs
  }

  get #nowMs(): number {
    return this.#lastMs === 0 ? 0 : this.#lastMs + this.#clockMs() - this.#readAtMs
  }

  async read(): Promise<void> {
    const file = await open(this.#path).catch((error: NodeJS.ErrnoException) => {
      // k6 has not begun to write.
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!file) return
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#position)
        if (bytesRead === 0) break
        this.#position += bytesRead
        // Evidence is ASCII: no character can be cut.
        this.#take(this.#rest + chunk.toString('latin1', 0, bytesRead))
      }
    } finally {
      await file.close()
    }
    const fromMs = this.#nowMs - 1000 * this.#view.spanSeconds
    this.#recent = this.#recent.filter(
      ({ dueMs, receivedMs }) => Math.max(dueMs, receivedMs) >= fromMs,
    )
  }

  get offered(): number {
    return this.#within(({ dueMs }) => dueMs).length
  }

  get answered(): number {
    return this.#within(({ receivedMs }) => receivedMs).length
  }

  outcomes(wanted: Outcome): Seen[] {
    return this.#within(({ receivedMs }) => receivedMs).filter(({ outcome }) => outcome === wanted)
  }

  get latenciesMs(): number[] {
    return this.outcomes('accepted').map(({ receivedMs, dueMs }) => receivedMs - dueMs)
  }

  get waiting(): number {
    return [...this.#waits.values()].filter((untilMs) => untilMs > this.#nowMs).length
  }

  get longestWaitSeconds(): number {
    return Math.max(0, ...this.#waits.values().map((untilMs) => (untilMs - this.#nowMs) / 1000))
  }

  /** Since the first request, and at least a second. */
  get seenSeconds(): number {
    return Math.max(1, (this.#nowMs - this.#firstMs) / 1000)
  }

  get scheduleSeconds(): number {
    return this.#zeroMs === undefined ? 0 : (this.#nowMs - this.#zeroMs) / 1000
  }

  #within(of: (seen: Seen) => number): Seen[] {
    const fromMs = this.#nowMs - 1000 * this.#view.spanSeconds
    return this.#recent.filter((seen) => of(seen) >= fromMs)
  }

  #take(text: string): void {
    const lines = text.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(line.split(' '))
  }

  #line(fields: readonly string[]): void {
    const { exchange, end, zero } = this.#view.form
    const [word] = fields
    if (word === 'h' && zero !== undefined) this.#zeroMs ??= Number(fields[zero]) / 1000
    else if (word === end.word) this.#waits.delete(fields[end.client] ?? '')
    else if (word === exchange.word) this.#exchange(fields, this.#view.form)
  }

  #exchange(fields: readonly string[], { exchange, phases }: EvidenceForm): void {
    const valueOf = (name: string): number => Number(fields[exchange.at[name] ?? 0])
    const status = valueOf('status')
    const receivedMs = valueOf('receivedMs') / 1000
    const dueMs = valueOf(exchange.at['dueMs'] === undefined ? 'sentMs' : 'dueMs') / 1000
    if (!Number.isFinite(receivedMs + dueMs + status)) return
    this.requests++
    this.#firstMs = Math.min(this.#firstMs, dueMs)
    if (receivedMs > this.#lastMs) {
      this.#lastMs = receivedMs
      this.#readAtMs = this.#clockMs()
    }
    this.phase = phases[valueOf('phase')]
    const isGivenUp = status === 0 && valueOf('code') === TIMED_OUT
    const outcome = isGivenUp ? 'given up' : meaningOf({ status })
    this.#recent.push({ dueMs, receivedMs, outcome })
    const client = fields[exchange.client] ?? ''
    const seconds = valueOf('retryAfter')
    if (outcome === 'refused by a window' && seconds > 0)
      this.#waits.set(client, receivedMs + 1000 * seconds)
    else this.#waits.delete(client)
  }
}
