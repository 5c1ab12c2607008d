import { isAccepted, isLost, isThrottled } from '../../contract/answers.ts'
import { RETRY_SECONDS_DEFAULT, retryAfterSeconds } from './persist.ts'
import type {
  ScriptEnd,
  PlannedScript,
  PlannedPurchase,
  PlannedRead,
  PlannedStep,
  RequestKind,
  BurstPhase,
} from '../protocol/bursts.ts'

/** What the evidence keeps of one answer; texts as they stand in the line. */
export type ScriptAnswer = {
  readonly status: number
  readonly durationMs: number
  readonly connection: 'n' | 'r' | '-'
  readonly code: string
  readonly retryAfter: string
  readonly errorCode: string
  /** Of a checkout those of all its orders, separated by commas. */
  readonly orderId: string
  readonly price: string
  readonly currency: string
  /** Of a read that of each order, separated by commas. */
  readonly state: string
  readonly items: string
  /** Of a quote. Never written down. */
  readonly token?: QuoteToken
}

/** Its type is not shown. */
export type QuoteToken = string | number

export type ScriptRequest = {
  readonly kind: RequestKind
  readonly key: number
  /** -1 where the request is about no order. */
  readonly reference: number
  readonly product: number
  /** 0 where nothing is bought. */
  readonly units: number
  /** For reads by orderId. */
  readonly orderId?: string
  /** For purchases that a quote was asked for. */
  readonly token?: QuoteToken
}

/** What a script needs of its surroundings: k6, or a simulation. */
export type ScriptIo = {
  /** Milliseconds since the start of the scenario, the same for all scripts. */
  nowMs(): number
  sleepMs(milliseconds: number): Promise<void> | void
  /** Releases requests at once, waits for all answers and writes their evidence. */
  send(
    phase: BurstPhase,
    requests: readonly ScriptRequest[],
  ): Promise<readonly ScriptAnswer[]> | readonly ScriptAnswer[]
}

/** A wait that a 429 asks for is cut here: no burst is worth more. */
const RETRY_SECONDS_MAX = 10
const RETRY_MARGIN_MS = 20
/** Batches without any answer after which the target counts as gone. */
const UNANSWERED_BATCHES_MAX = 5

/** Carries out the steps of one script. No verdict is made here. */
export async function runScript(script: PlannedScript, io: ScriptIo): Promise<ScriptEnd> {
  const run = new ScriptRun(script, io)
  for (const step of script.steps) {
    if (run.lost) return 'lost'
    await run.carryOut(step)
  }
  return run.lost ? 'lost' : 'done'
}

/** What became of one reference until now. */
type Purchase = PlannedPurchase & {
  orderId?: string
  refused: boolean
  /** Some attempt may have bought without an answer that says so. */
  unknown: boolean
  contended: boolean
  retryAfterSeconds: number
}

class ScriptRun {
  readonly #script: PlannedScript
  readonly #io: ScriptIo
  readonly #purchases = new Map<number, Purchase>()
  /** Of the quotes, by reference. */
  readonly #tokens = new Map<number, QuoteToken | undefined>()
  #unansweredBatches = 0
  constructor(script: PlannedScript, io: ScriptIo) {
    this.#script = script
    this.#io = io
  }

  get lost(): boolean {
    return this.#unansweredBatches >= UNANSWERED_BATCHES_MAX
  }

  async carryOut(step: PlannedStep): Promise<void> {
    if (step.do === 'warm') await this.#warm(step.count)
    else if (step.do === 'meet') await this.#sleepUntil(step.atMs)
    else if (step.do === 'rest') await this.#io.sleepMs(step.ms)
    else if (step.do === 'buy') await this.#buy(step.phase, step.purchases)
    else if (step.do === 'quote') await this.#quote(step)
    else if (step.do === 'read-contended') await this.#readContended(step.contendedMax)
    else if (step.do === 'retry-until-decided') await this.#retryUntilDecided(step.rounds)
    else if (step.do === 'cap-boundary') await this.#probeCapBoundary(step.key, step.reference)
    else await this.#read(step.phase, step.reads)
  }

  async #warm(count: number): Promise<void> {
    const keys = this.#script.keyEnvs.length
    const reads = Array.from({ length: count }, (_, index) => ({ ...WARM, key: index % keys }))
    await this.#send('warm', reads)
  }

  async #buy(phase: BurstPhase, planned: readonly PlannedPurchase[]): Promise<void> {
    const purchases = planned.filter((purchase) => !this.#isOverCap(purchase))
    const answers = await this.#send(
      phase,
      purchases.map((purchase) => {
        const token = this.#tokens.get(purchase.reference)
        return { ...purchase, kind: 'buy', ...(token !== undefined && { token }) }
      }),
    )
    for (const [index, answer] of answers.entries())
      this.#note(purchases[index] as PlannedPurchase, answer)
  }

  /**
   * Whether the key may have bought more than its cap has room for. That is proved then, and what follows would only cost money. A
   * purchase whose outcome is unknown may be sent again: it is counted already.
   */
  #isOverCap({ key, reference }: PlannedPurchase): boolean {
    const headroom = this.#script.headroomUnits[key]
    if (!this.#script.stopsOverCap || typeof headroom !== 'number') return false
    if (this.#purchases.get(reference)?.unknown) return false
    const bought = [...this.#purchases.values()].filter(
      (each) => each.key === key && (each.orderId !== undefined || (isOpen(each) && each.unknown)),
    )
    return bought.reduce((sum, { units }) => sum + units, 0) > headroom
  }

  async #quote({ quotes }: Step<'quote'>): Promise<void> {
    const answers = await this.#send(
      'quote',
      quotes.map((each) => ({ ...WARM, ...each, kind: 'quote' })),
    )
    for (const [index, { token }] of answers.entries())
      this.#tokens.set((quotes[index] as (typeof quotes)[number]).reference, token)
  }

  #note(planned: PlannedPurchase, answer: ScriptAnswer): void {
    const before = this.#purchases.get(planned.reference)
    const purchase: Purchase = before ?? {
      ...planned,
      refused: false,
      unknown: false,
      contended: false,
      retryAfterSeconds: RETRY_SECONDS_DEFAULT,
    }
    if (isThrottled(answer)) {
      purchase.contended = true
      purchase.retryAfterSeconds = secondsOf(answer.retryAfter)
    } else if (isLost(answer)) purchase.unknown = true
    else if (isAccepted(answer))
      purchase.orderId ??= decodeURIComponent(answer.orderId.split(',')[0] ?? '')
    else purchase.refused = true
    this.#purchases.set(planned.reference, purchase)
  }

  async #readContended(contendedMax: number): Promise<void> {
    const all = [...this.#purchases.values()]
    const contended = all.filter((each) => each.contended && isOpen(each) && !each.unknown)
    const control = all.find(({ orderId }) => orderId !== undefined)
    if (contended.length === 0 || control === undefined) return
    const reads = [...contended.slice(0, contendedMax), control]
    await this.#read(
      'read-contended',
      reads.map(({ key, reference }) => ({ key, reference, kind: 'masked' })),
    )
  }

  async #retryUntilDecided(rounds: number): Promise<void> {
    for (let round = 0; round < rounds && !this.lost; round++) {
      const open = [...this.#purchases.values()].filter(isOpen)
      if (open.length === 0) return
      const waitSeconds = Math.max(...open.map(({ retryAfterSeconds }) => retryAfterSeconds))
      await this.#io.sleepMs(1000 * waitSeconds + RETRY_MARGIN_MS)
      for (const purchase of open)
        if (!this.lost) await this.#buy('retry-until-decided', [planOf(purchase)])
    }
  }

  async #probeCapBoundary(key: number, firstReference: number): Promise<void> {
    const headroom = this.#script.headroomUnits[key]
    const bought = [...this.#purchases.values()].filter((each) => each.key === key)
    const [sample] = bought
    if (typeof headroom !== 'number' || sample === undefined || bought.some(isOpen)) return
    const accepted = bought.filter(({ orderId }) => orderId !== undefined)
    const left = headroom - accepted.reduce((sum, { units }) => sum + units, 0)
    const buy = (phase: BurstPhase, reference: number, units: number): Promise<void> =>
      this.#buy(phase, [{ key, reference, product: sample.product, units }])
    if (left > 1) await buy('cap-fill', firstReference, left - 1)
    if (left > 0) await buy('cap-last-unit', firstReference + 1, 1)
    await buy('cap-overrun', firstReference + 2, 1)
  }

  #read(phase: BurstPhase, reads: readonly PlannedRead[]): Promise<readonly ScriptAnswer[]> {
    return this.#send(
      phase,
      reads.map((read) => this.#requestOf(read)),
    )
  }

  #requestOf({ key, reference, kind }: PlannedRead): ScriptRequest {
    const { orderId } = this.#purchases.get(reference) ?? {}
    if (kind === 'masked' || kind === 'by-reference') return { ...WARM, key, reference, kind }
    // An order that is not there cannot be read by its orderId; its reference finds nothing either.
    if (orderId === undefined) return { ...WARM, key, reference, kind: 'by-reference' }
    return { ...WARM, key, reference, kind, orderId }
  }

  async #sleepUntil(goalMs: number): Promise<void> {
    const leftMs = goalMs - this.#io.nowMs()
    if (leftMs > 0) await this.#io.sleepMs(leftMs)
  }

  async #send(
    phase: BurstPhase,
    requests: readonly ScriptRequest[],
  ): Promise<readonly ScriptAnswer[]> {
    if (requests.length === 0) return []
    const answers = await this.#io.send(phase, requests)
    const isSilent = answers.every(({ status }) => status === 0)
    this.#unansweredBatches = isSilent ? this.#unansweredBatches + 1 : 0
    return answers
  }
}

type Step<D extends PlannedStep['do']> = Extract<PlannedStep, { do: D }>

const WARM = { kind: 'warm', reference: -1, product: 0, units: 0 } as const

function isOpen({ orderId, refused }: Purchase): boolean {
  return orderId === undefined && !refused
}

function planOf({ key, reference, product, units }: Purchase): PlannedPurchase {
  return { key, reference, product, units }
}

function secondsOf(retryAfter: string): number {
  return Math.min(retryAfterSeconds({ retryAfter }) ?? RETRY_SECONDS_DEFAULT, RETRY_SECONDS_MAX)
}
