import { formatMoney, type Micros } from '../money.ts'

/** What was planned of requests and money. */
export type Planned = {
  readonly requests: number
  readonly money: ReadonlyMap<string, Micros>
  /** If every order that is sent is accepted. A race that passes a cap must be judged, so the run ends beyond this alone. */
  readonly moneyMax?: ReadonlyMap<string, Micros>
}

/** Times its plan: so much is reported. */
const EXCEEDED = 1.5

/** Fewer requests beyond a plan are no matter: a small plan is off by a catalog of two pages. */
const REQUESTS_SPARE = 100

const NOTHING: ReadonlyMap<string, Micros> = new Map()

type Words = {
  /** Half as much again as planned was spent. */
  readonly onHazard: (text: string) => void
  /** Twice as much was, and more than all orders could cost. */
  readonly onStop: (reason: string) => void
}

/** Says when a run has exceeded its plan by half, and ends it at twice the plan. */
export class PlanWatch {
  readonly #planned: Planned
  readonly #words: Words
  #requests = 0
  #isStopped = false
  readonly #said = new Set<string>()

  constructor(planned: Planned, words: Words) {
    this.#planned = planned
    this.#words = words
  }

  /** Whether so many requests more leave the run within what is not even reported, and the money that is spent by now is so, too. */
  hasRoomFor(requests: number, money: ReadonlyMap<string, Micros>): boolean {
    const { requests: planned, money: moneyPlanned } = this.#planned
    const isBeyond = [...money].some(
      ([currency, micros]) => Number(micros) > EXCEEDED * Number(moneyPlanned.get(currency) ?? 0n),
    )
    const requestsMax = Math.max(EXCEEDED * planned, planned + REQUESTS_SPARE)
    return !isBeyond && this.#requests + requests <= requestsMax
  }

  /** One more request was answered; so much money is spent by now, where that may have changed. */
  sent(money: ReadonlyMap<string, Micros> = NOTHING): void {
    this.#requests += 1
    const { requests, money: planned, moneyMax } = this.#planned
    const isBeyond = this.#requests > requests + REQUESTS_SPARE
    if (isBeyond) this.#compare('requests', { spent: this.#requests, planned: requests }, String)
    for (const [currency, micros] of money) {
      const most = planned.get(currency) ?? 0n
      const spared = Number(moneyMax?.get(currency) ?? 0n)
      if (most > 0n)
        this.#compare(currency, { spent: Number(micros), planned: Number(most), spared }, (each) =>
          formatMoney(BigInt(Math.round(each))),
        )
    }
  }

  #compare(
    what: string,
    { spent, planned, spared = 0 }: { spent: number; planned: number; spared?: number },
    show: (each: number) => string,
  ): void {
    if (this.#isStopped || spent <= EXCEEDED * planned) return
    const beside = `${what} ${show(spent)}; planned at most ${show(planned)}`
    if (spent > Math.max(2 * planned, spared)) {
      this.#isStopped = true
      this.#words.onStop(`the run was stopped at twice its plan (${beside})`)
    } else if (!this.#said.has(what)) {
      this.#said.add(what)
      this.#words.onHazard(`The run has exceeded its plan by half (${beside}).`)
    }
  }
}
