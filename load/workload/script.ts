import { isMasked } from '../protocol/bursts.ts'
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
  /** Of a read, as they were answered. Holds codes: never written down. */
  readonly shown?: readonly unknown[]
  /** The body of a refusal. Never written down. */
  readonly refusal?: string
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
  /** Its answer is not waited for any longer. */
  readonly leaveMs?: number
  /** For purchases that a quote was asked for. */
  readonly token?: QuoteToken
  /** For reads of one order of a checkout: its place; for a call: its place among the plan's. */
  readonly child?: number
  /** Whose reference it is, where it is another script's. */
  readonly script?: number
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
const RETRY_SECONDS_DEFAULT = 1
const RETRY_MARGIN_MS = 20
/** Batches without any answer after which the target counts as gone. */
const UNANSWERED_BATCHES_MAX = 5

/** An answer can hardly come sooner, and no timer is finer. */
const LEAVE_MS_MIN = 0.2

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
  /** Of a checkout those of all its orders. */
  orderIds: readonly string[]
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
  /** How long the answers to purchases took. */
  readonly #boughtMs: number[] = []
  #unansweredBatches = 0
  /** When every read that was refused may be sent again, as far as it was told; undefined where none was refused. */
  #toldMs: number | undefined

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
    else if (step.do === 'wait-retry-after') await this.#waitRetryAfter(step)
    else if (step.do === 'buy') await this.#buy(step.phase, step.purchases)
    else if (step.do === 'send-non-purchase') await this.#sendNonPurchases(step)
    else if (step.do === 'quote') await this.#quote(step)
    else if (step.do === 'call') await this.#call(step)
    else if (step.do === 'leave') await this.#leave(step)
    else if (step.do === 'read-contended') await this.#readContended(step.contendedMax)
    else if (step.do === 'retry-until-decided') await this.#retryUntilDecided(step.rounds)
    else if (step.do === 'reuse-reference') await this.#reuseReference(step.key, step.units)
    else if (step.do === 'replay-accepted') await this.#replayAccepted(step.key, step.count)
    else if (step.do === 'cap-boundary') await this.#probeCapBoundary(step.key, step.reference)
    else if (step.do === 'read') await this.#read(step.phase, step.reads)
    else if (step.do === 'watch') await this.#watch(step)
    else await this.#finish(step)
  }

  async #warm(count: number): Promise<void> {
    const keys = this.#script.keyEnvs.length
    const reads = Array.from({ length: count }, (_, index) => ({ ...WARM, key: index % keys }))
    await this.#send('warm', reads)
  }

  async #buy(phase: BurstPhase, purchases: readonly PlannedPurchase[]): Promise<void> {
    const answers = await this.#send(
      phase,
      purchases.map((purchase) => {
        const token = this.#tokens.get(purchase.reference)
        return { ...purchase, kind: 'buy', ...(token !== undefined && { token }) }
      }),
    )
    for (const [index, answer] of answers.entries()) {
      this.#note(purchases[index] as PlannedPurchase, answer)
      if (answer.status === 200) this.#boughtMs.push(answer.durationMs)
    }
  }

  async #sendNonPurchases({
    kind,
    key,
    product,
    reference,
    count,
    units = 1,
  }: Step<'send-non-purchase'>): Promise<void> {
    for (let index = 0; index < count && !this.lost; index++)
      await this.#send('send-non-purchase', [
        { kind, key, product, reference: reference + index, units },
      ])
  }

  async #quote({ quotes }: Step<'quote'>): Promise<void> {
    const answers = await this.#send(
      'quote',
      quotes.map((each) => ({ ...WARM, ...each, kind: 'quote' })),
    )
    for (const [index, { token }] of answers.entries())
      this.#tokens.set((quotes[index] as (typeof quotes)[number]).reference, token)
  }

  async #call({ call, keys }: Step<'call'>): Promise<void> {
    for (const key of keys)
      if (!this.lost) await this.#send('call', [{ ...WARM, kind: 'call', key, child: call }])
  }

  async #leave({ purchase, part }: Step<'leave'>): Promise<void> {
    if (this.#boughtMs.length === 0) return
    const leaveMs = Math.max(LEAVE_MS_MIN, part * Math.min(...this.#boughtMs))
    const request: ScriptRequest = { ...purchase, kind: 'buy', leaveMs }
    // That there is no answer says nothing of the target.
    const [answer] = await this.#io.send('leave', [request])
    if (answer) this.#note(purchase, answer)
  }

  #note(planned: PlannedPurchase, answer: ScriptAnswer): void {
    const before = this.#purchases.get(planned.reference)
    const purchase: Purchase = before ?? {
      ...planned,
      orderIds: [],
      refused: false,
      unknown: false,
      contended: false,
      retryAfterSeconds: RETRY_SECONDS_DEFAULT,
    }
    const { status } = answer
    if (status === 429) {
      purchase.contended = true
      purchase.retryAfterSeconds = secondsOf(answer.retryAfter)
    } else if (status === 0 || status >= 500) purchase.unknown = true
    else if (status < 300) {
      const orderIds = answer.orderId.split(',').map((each) => decodeURIComponent(each))
      purchase.orderId ??= orderIds[0] ?? ''
      if (purchase.orderIds.length === 0) purchase.orderIds = orderIds
    } else purchase.refused = true
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

  async #reuseReference(key: number, units: number): Promise<void> {
    const bought = [...this.#purchases.values()].filter((each) => each.key === key)
    const refused = bought.find((each) => each.refused && each.orderId === undefined)
    const control = bought.find(({ orderId }) => orderId !== undefined)
    if (refused === undefined || control === undefined) return
    const { reference, product } = refused
    await this.#read(
      'trace',
      [refused, control].map((each) => ({ key, reference: each.reference, kind: 'masked' })),
    )
    this.#purchases.delete(reference)
    await this.#buy('reuse-reference', [{ key, reference, product, units }])
  }

  async #replayAccepted(key: number, count: number): Promise<void> {
    const accepted = [...this.#purchases.values()].filter(
      (each) => each.key === key && each.orderId !== undefined,
    )
    for (const purchase of accepted.slice(0, count))
      if (!this.lost) await this.#buy('replay-accepted', [planOf(purchase)])
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

  async #read(phase: BurstPhase, reads: readonly PlannedRead[]): Promise<readonly ScriptAnswer[]> {
    const answers = await this.#send(
      phase,
      reads.flatMap((read) => this.#requestOf(read)),
    )
    const nowMs = this.#io.nowMs()
    for (const { status, retryAfter } of answers)
      if (status === 429)
        this.#toldMs = Math.max(this.#toldMs ?? 0, nowMs + 1000 * promisedSeconds(retryAfter))
    return answers
  }

  #requestOf({ key, reference, kind, child, script }: PlannedRead): ScriptRequest[] {
    const { orderId, orderIds = [] } = this.#purchases.get(reference) ?? {}
    if (kind === 'child') {
      const childId = orderIds[child ?? 0]
      // Without its orderId a child cannot be told from its checkout.
      if (child === undefined || childId === undefined || childId === '-') return []
      return [{ ...WARM, key, reference, kind, child, orderId: childId }]
    }
    if (kind === 'masked' || kind === 'by-reference')
      return [{ ...WARM, key, reference, kind, ...(script !== undefined && { script }) }]
    // An order that is not there cannot be read by its orderId; its reference finds nothing either.
    if (orderId === undefined)
      return [{ ...WARM, key, reference, kind: isMasked(kind) ? 'masked' : 'by-reference' }]
    return [{ ...WARM, key, reference, kind, orderId }]
  }

  async #waitRetryAfter({ marginMs, secondsMax }: Step<'wait-retry-after'>): Promise<void> {
    const nowMs = this.#io.nowMs()
    const toldMs = Math.min(this.#toldMs ?? nowMs, nowMs + 1000 * secondsMax)
    this.#toldMs = undefined
    await this.#sleepUntil(toldMs + marginMs)
  }

  /** A look that comes late does not make the next ones come closer together. */
  async #watch({ reads, everyMs, forMs }: Step<'watch'>): Promise<void> {
    const endMs = this.#io.nowMs() + forMs
    while (this.#io.nowMs() < endMs && !this.lost) {
      const nextMs = this.#io.nowMs() + everyMs
      await this.#read('watch', reads)
      await this.#sleepUntil(nextMs)
    }
  }

  async #finish(step: Step<'finish'>): Promise<void> {
    const giveUpMs = this.#io.nowMs() + 1000 * step.maxSeconds
    let pending = step.reads
    while (pending.length > 0 && this.#io.nowMs() < giveUpMs && !this.lost) {
      await this.#io.sleepMs(step.everyMs)
      const answers = await this.#read('finish', pending)
      pending = pending.filter((_, index) => isUnfinished(answers[index]))
    }
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

/** A read that was refused says nothing: it is asked again. */
function isUnfinished(answer: ScriptAnswer | undefined): boolean {
  return answer?.status !== 200 || /(?:^|,)(?:IN_PROGRESS|-)(?:,|$)/.test(answer.state)
}

/** What a refusal promised; a wait that cannot be read is as long as the plan allows. */
function promisedSeconds(retryAfter: string): number {
  return /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : Infinity
}

function secondsOf(retryAfter: string): number {
  return /^\d{1,6}$/.test(retryAfter)
    ? Math.min(Number(retryAfter), RETRY_SECONDS_MAX)
    : RETRY_SECONDS_DEFAULT
}
