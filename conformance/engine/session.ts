import { isPurchase } from '../../contract/operations.ts'
import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import { referenceIdOf, type References } from '../../contract/reference-id.ts'
import { newReferences } from '../../harness/client/references.ts'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import { Announced } from '../../harness/client/announced.ts'
import { Client, type Pacer } from '../../harness/client/client.ts'
import type { Exchange, Transport } from '../../harness/client/exchange.ts'
import { History } from '../../harness/client/history.ts'
import type { Clock } from '../../harness/clock.ts'
import type { CheckProgress } from '../../harness/gate/conformance.ts'
import type { Offer } from '../../harness/plan/check-plan.ts'
import { causesIn, type SystematicCause } from '../../harness/judge/causes.ts'
import { underWayMs } from '../../harness/judge/overlap.ts'
import { findMistakes } from '../../harness/mistakes/find.ts'
import {
  isSizeKnown,
  limitOf,
  type EffectiveLimit,
  type EffectiveLimits,
} from '../../harness/quota/effective-limits.ts'
import { Courtesy } from '../../harness/quota/courtesy.ts'
import { keyOfEndpoint } from '../../harness/quota/quota-key.ts'
import { QuotaLedger } from '../../harness/quota/ledger.ts'
import { PlanWatch, type Planned } from '../../harness/quota/plan-watch.ts'
import type { CatalogPrice } from '../../harness/purchases/price-book.ts'
import { PurchaseTurns } from '../../harness/quota/purchase-turns.ts'
import { PurchaseGuard } from '../../harness/purchases/purchase-guard.ts'
import type { PurchasePermission } from '../../harness/purchases/purchase.ts'
import { SpendingTurns } from '../../harness/quota/spending-turns.ts'
import { NO_QUOTA, turnFirst } from '../../harness/quota/turn-first.ts'
import { Redactor } from '../../harness/record/redact.ts'
import { Pieces } from './pieces.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import { sentence } from '../../harness/text.ts'
import { TIMING_SLACK_MS, type Target } from '../../harness/target-file/target.ts'
import type { CapDrain, CheckDefinition, SpentOf } from './check.ts'
import { isAccepted } from './answer.ts'
import { counterOf, formOf } from './own-window.ts'
import { Quiet } from './quiet.ts'
import { noting } from './readings.ts'

export type SessionOptions = {
  readonly target: Target
  readonly limits: EffectiveLimits
  readonly accounts: AccountSource
  readonly transport: Transport
  readonly clock: Clock
  /** Undefined: purchases are not permitted. */
  readonly permission?: PurchasePermission | undefined
  /** What the catalog asks for the products. */
  readonly prices?: readonly CatalogPrice[] | undefined
  readonly signal: AbortSignal
  /** It stays below a quarter of each window, and backs off. */
  readonly isGentle?: boolean | undefined
  /** What stays inconclusive is tried again. In virtual time the same numbers would come again. */
  readonly isPersistent?: boolean
  /** Most requests that the checks send. */
  readonly requestsMax?: number | undefined
  /** What was planned: half as much again is said, and at twice as much the run ends. */
  readonly planned?: Planned | undefined
  /** Hears what could void the verdict, as it happens. */
  readonly onHazard?: (text: string) => void
  /** Hears why the run ends before its time. */
  readonly onStopped?: (reason: string) => void
  /** Only part of the suite was selected, so that invariants may see nothing of their kind. */
  readonly isNarrowed?: boolean
  readonly onProgress?: (progress: CheckProgress) => void
  /** What keeps secrets out of the outcomes. Default: one that learns them from every exchange. */
  readonly redactor?: Redactor
  /** Hears of every secret that the run comes to know. */
  readonly onSecret?: (value: string, label: string) => void
}

const TURN_POLL_MS = 50

/** When checks come that share accounts, the first first. */
const TURNS = ['any', 'partly', 'again', 'alone', 'nearly', 'wholly'] as const
type Turn = 'any' | CapDrain | 'alone'

function turnOf({ needs }: CheckDefinition): Turn {
  return needs.isAlone ? 'alone' : (needs.drainsCap ?? 'any')
}
/** Most requests of the preflight and of reading prices. */
const PREFLIGHT = { whoami: 2, listServices: 2, rateLimits: 1 } as const

/** Of windows whose length is not known, no more is taken from what a refusal asks to wait. */
const PROMISED_SECONDS_MAX = 120

/** Everything that the checks of one run share. */
export class Session {
  readonly options: SessionOptions
  readonly history = new History((exchange) => {
    this.#learnSecrets(exchange)
    this.#planWatch?.sent(isPurchase(exchange.operation) ? this.guard.moneySettled : undefined)
  })
  readonly redactor: Redactor
  readonly ledger: QuotaLedger
  readonly guard: PurchaseGuard
  readonly client: Client
  readonly slackMs: number
  readonly pieces = new Pieces()
  readonly announced = new Announced()
  /** Voucher codes that were revealed in this run. */
  readonly codes = new Set<string>()
  /** Checks under way or to come, by when they come where accounts are shared. */
  readonly #ahead = new Map<string, Turn>()
  /** Checks by what they read of the target file. */
  readonly #readers = new Map<string, Set<string>>()
  readonly #stopped = new AbortController()
  readonly #planWatch: PlanWatch | undefined
  readonly #quiet: Quiet
  readonly #sentOnce = new Map<string, Promise<Exchange>>()
  #referencesGiven = 0
  readonly #references: References

  constructor(options: SessionOptions) {
    this.options = {
      ...options,
      signal: AbortSignal.any([options.signal, this.#stopped.signal]),
    }
    this.redactor = options.redactor ?? new Redactor(options.onSecret)
    const { clock, transport, target, isGentle = false, onHazard = () => {} } = options
    const { signal } = this.options
    const words = { onHazard, onStop: (reason: string): void => this.#stop(reason) }
    this.ledger = new QuotaLedger(clock, (bucket, operation) => this.limit(bucket, operation), {
      isGentle,
      isUsed: !options.accounts.fresh,
    })
    if (isGentle) this.#notePreflight()
    this.#quiet = new Quiet({ clock, signal, isBusy: () => this.#ahead.size > 0 })
    this.#planWatch = options.planned && new PlanWatch(options.planned, words)
    this.guard = new PurchaseGuard(options.permission ?? { ordersMax: 0 }, {
      catalog: options.prices ?? [],
    })
    this.slackMs = TIMING_SLACK_MS[target.timing]
    this.#references = newReferences(target.referenceForm)
    this.client = new Client({
      transport,
      clock,
      history: this.history,
      pacer: new Courtesy(this.#turns(isGentle), {
        clock,
        isGentle,
        requestsMax: options.requestsMax,
        ...words,
      }),
      signal,
    })
  }

  /** What the target offers to a check's needs. */
  get offer(): Offer {
    const { target, accounts, permission, isGentle } = this.options
    return { target, accounts, permission, isGentle }
  }

  limit(bucket: Bucket, operation?: OperationName): EffectiveLimit {
    const limit = limitOf(this.options.limits, bucket, operation)
    if (isSizeKnown(limit)) return limit
    const promised = this.ledger.promisedSeconds({ bucket, ...(operation && { operation }) })
    const windowSeconds = Math.max(limit.windowSeconds, Math.min(promised, PROMISED_SECONDS_MAX))
    return { ...limit, windowSeconds }
  }

  mayHaveSpent(
    exchange: Exchange,
    { counter: key = counterOf(exchange), share = 1 }: SpentOf = {},
  ): boolean {
    return this.ledger.spentLately(key) > share * this.limit(key.bucket, key.operation).count
  }

  /** Whether an account that was made for its check asked nothing of this counter before: no window of its own can refuse that. */
  isFirstAsked(exchange: Exchange): boolean {
    if (!this.options.accounts.fresh) return false
    const { account, sentAtMs } = exchange
    const { bucket, operation } = counterOf(exchange)
    return !this.history.all().some((other) => {
      if (other.account !== account || other === exchange || other.sentAtMs > sentAtMs) return false
      const counter = counterOf(other)
      return counter.bucket === bucket && counter.operation === operation
    })
  }

  /** All requests to the endpoint of this one for its account, whichever check sent them. */
  sentAlike({ account, operation }: Exchange): readonly Exchange[] {
    return this.history
      .all()
      .filter((other) => other.account === account && other.operation === operation)
  }

  /** How long a check waited for answers since then. */
  answeringMs(id: string, sinceMs: number): number {
    const sent = this.history
      .all()
      .filter(({ check, sentAtMs }) => check === id && sentAtMs >= sinceMs)
    return underWayMs(sent)
  }

  mayHaveSpentApart(exchange: Exchange): boolean {
    const key = counterOf(exchange)
    const { count, windowSeconds } = this.limit(key.bucket, key.operation)
    const sinceMs = exchange.sentAtMs - windowSeconds * 1000
    const form = formOf(exchange)
    const alike = this.history
      .all()
      .filter((each) => each.sentAtMs >= sinceMs && formOf(each) === form)
    return alike.length > count
  }

  /** Sends a request that several checks need where they share accounts: whoever comes first. One that failed is sent again. */
  async once(what: string, send: () => Promise<Exchange>): Promise<Exchange> {
    if (this.options.accounts.fresh) return send()
    const known = this.#sentOnce.get(what)
    const sent = known ?? send()
    this.#sentOnce.set(what, sent)
    const exchange = await sent.catch(() => undefined)
    if (exchange && isAccepted(exchange)) return exchange
    if (this.#sentOnce.get(what) === sent) this.#sentOnce.delete(what)
    return known ? send() : sent
  }

  /** What the preflight sent may be in the windows that are spent now. */
  #notePreflight(): void {
    const { full } = this.options.target.credentials
    if (!full) return
    const account = `account ${full.account}`
    for (const [operation, requests] of Object.entries(PREFLIGHT))
      this.ledger.note(keyOfEndpoint(account, operation as OperationName), requests)
  }

  #turns(isGentle: boolean): Pacer {
    const turns = (quota: Pacer): Pacer =>
      this.guard.isStrict ? new SpendingTurns(quota, this.guard) : new PurchaseTurns(quota)
    // A gentle run has no check that holds a counter.
    return isGentle ? turnFirst(turns(NO_QUOTA), this.ledger) : turns(this.ledger)
  }

  /** Ends what is under way: every check that has not ended stays untested, for this reason. */
  #stop(reason: string): void {
    this.options.onHazard?.(sentence(reason))
    this.options.onStopped?.(reason)
    this.#stopped.abort(new Error(reason))
  }

  /** Announces the checks of the run, so that those that drain a lasting cap can come last. */
  announce(definitions: readonly CheckDefinition[]): void {
    this.#ahead.clear()
    for (const definition of definitions) this.#ahead.set(definition.id, turnOf(definition))
  }

  /** Waits for its turn: at once, unless it takes what others share. Of those that come alone, one after the other. */
  async turnOf(definition: CheckDefinition): Promise<void> {
    const { accounts, clock, signal } = this.options
    const turn = turnOf(definition)
    if (turn === 'any' || accounts.fresh) return
    const isFirst = ([id, other]: [string, Turn]): boolean =>
      id !== definition.id &&
      (TURNS.indexOf(other) < TURNS.indexOf(turn) || (turn === 'alone' && id < definition.id))
    while (this.#ahead.entries().some(isFirst)) await clock.sleep(TURN_POLL_MS, signal)
  }

  ended({ id }: CheckDefinition): void {
    this.#ahead.delete(id)
  }

  /** Tries a check once more when all others have ended. Undefined where the run has no room for it, or does not try again. */
  async tryAgain<T>(
    { id }: CheckDefinition,
    seconds: number,
    act: () => Promise<T>,
  ): Promise<T | undefined> {
    const { isPersistent = false, isGentle = false } = this.options
    if (!isPersistent || isGentle) return undefined
    const requests = this.history.all().filter(({ check }) => check === id).length
    return this.#quiet.run(seconds, async () => {
      const hasRoom = this.#planWatch?.hasRoomFor(requests, this.guard.moneySettled) ?? true
      return hasRoom ? act() : undefined
    })
  }

  /** The target for one check, which is known from then on as a reader of what it takes from the file. */
  targetFor(check: string): Target {
    return noting(this.options.target, (name) => {
      const known = this.#readers.get(name)
      if (known) known.add(check)
      else this.#readers.set(name, new Set([check]))
    })
  }

  /** What the target file gets wrong, and what every request of its kind met with, in the run so far. */
  causes(): SystematicCause[] {
    const { target, accounts } = this.options
    const { baseUrl, operations } = target
    const paths = Object.entries(operations).flatMap(([name, { path }]) =>
      path === undefined ? [] : [[name, path]],
    )
    const history = this.history.all()
    const described = { target, history, readers: this.#readers, hasKeysOfFile: !accounts.fresh }
    return [
      ...findMistakes(described),
      ...causesIn(history, {
        baseUrl,
        paths: Object.fromEntries(paths) as Partial<Record<OperationName, string>>,
      }),
    ]
  }

  reference(): string {
    this.#referencesGiven += 1
    return referenceIdOf(this.#references, 0, this.#referencesGiven)
  }

  /** Keeps codes that were shown in clear, for the invariants, and out of everything that is written. */
  learnCodes(codes: readonly string[]): void {
    for (const code of codes) {
      this.codes.add(code)
      this.redactor.addSecret(code, 'code')
    }
  }

  /** Makes unprintable what an answer reveals, wherever this target puts it. */
  #learnSecrets(exchange: Exchange): void {
    this.redactor.learn(exchange.json)
    const selector =
      this.options.target.operations[
        exchange.operation === 'raw' ? 'getOrders' : exchange.operation
      ].selectors['codes']
    if (selector === undefined || exchange.json === undefined) return
    for (const code of selectEach(selector, exchange.json))
      if (typeof code === 'string') this.redactor.addSecret(code, 'code')
  }
}
