import { plural } from '../../text.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import { CAP_MARK_RULES } from '../../judge/rules/refusals.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import { spendEventsOf } from '../../judge/rules/purchases.ts'
import { judgeSpend, type SpendEvent } from '../../judge/spend.ts'
import { formatMoney, type Micros } from '../../money.ts'
import type { KeyCap } from './plan.ts'
import { decide, say, StatementTally, type Statement } from '../shared/statements.ts'
import { attemptedOf, strangersIn } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Owners } from './sessions-owners.ts'
import { isCapRefusal } from '../../../contract/answers.ts'

/** The purchases of one key against its cap. */
export class KeySpend {
  readonly #place: { readonly name: string }
  readonly #headroom: KeyCap['headroom']
  readonly #amountOf: (purchase: Purchase) => Micros | undefined
  #bought = 0
  #refused = 0
  #carts = 0
  /** Purchases whose amount nobody knows. */
  #unpriced = 0
  readonly #events: SpendEvent[] = []

  constructor(
    name: string,
    { headroom }: KeyCap,
    amountOf: (purchase: Purchase) => Micros | undefined,
  ) {
    this.#place = { name }
    this.#headroom = headroom
    this.#amountOf = amountOf
  }

  /** Returns what its refusals say by themselves. */
  add(purchase: Purchase): Statement[] {
    const refusals = purchase.attempts.filter(isCapRefusal)
    this.#refused += refusals.length
    if (purchase.original) this.#bought++
    if (purchase.kind === 'cart') this.#carts++
    if (typeof this.#headroom === 'bigint') {
      const amount = this.#amountOf(purchase)
      const events = spendEventsOf(attemptedOf(purchase), () => amount ?? 0n)
      if (amount !== undefined) this.#events.push(...events)
      else if (events.length > 0) this.#unpriced++
    }
    return ruleStatements(CAP_MARK_RULES, refusals.map(answerOf), this.#place.name)
  }

  statements(): Statement[] {
    if (this.#headroom === 'unknown') return []
    return this.#headroom === 'none' ? this.#uncapped() : this.#capped(this.#headroom)
  }

  #uncapped(): Statement[] {
    if (this.#bought + this.#refused === 0) return []
    const observed = `without a cap, ${this.#bought} purchases were accepted, ${this.#refused} refused by a cap`
    return [decide('CAP-16', this.#refused === 0, this.#place, observed)]
  }

  /** A counter with a cap explains the history, and what it refused was really beyond it. */
  #capped(headroom: Micros): Statement[] {
    const place = this.#place
    const within: RequirementId = this.#carts > 0 ? 'CAP-21' : 'CAP-13'
    if (this.#unpriced > 0)
      return [say(within, 'inconclusive', place, 'a purchase states no price')]
    const { okSum, overspent, falseRefusals } = judgeSpend(headroom, this.#events)
    const sums = `${formatMoney(okSum)} of ${formatMoney(headroom)} were bought`
    if (overspent > 0n)
      return [say(within, 'fail', place, `${sums}, ${formatMoney(overspent)} beyond the cap`)]
    if (this.#refused === 0) return []
    const early = `${falseRefusals.length} purchases were refused that what was left covers; ${sums}`
    return [
      say(within, 'pass', place, `${sums}, and what was beyond was refused`),
      decide('CAP-01', falseRefusals.length === 0, place, early),
    ]
  }
}

/** A purchase that the cap refused left nothing: its reference finds nothing. What others found is the control. */
export class RefusedTraces {
  readonly #owners: Owners
  readonly #found = new StatementTally()
  readonly #nothing = new StatementTally()
  #isControlled = false

  constructor(owners: Owners) {
    this.#owners = owners
  }

  add(purchase: Purchase): void {
    const { original, attempts, reads } = purchase
    if (original)
      this.#isControlled ||= reads.some(
        ({ operation, items = 0 }) => operation === 'by-reference' && items > 0,
      )
    if (original || !attempts.some(isCapRefusal)) return
    const read = reads.find(({ status }) => status === 200 || status === 404)
    if (!read) return
    const items = read.states.length - strangersIn(read, purchase, this.#owners).length
    const observed = `refused by the cap, its reference finds ${plural(items, 'order')}`
    if (items > 0) this.#found.add([say('CAP-10', 'fail', purchase, observed)])
    else this.#nothing.add([say('CAP-10', 'pass', purchase, observed)])
  }

  tellInto(statements: StatementTally): void {
    statements.addAll(this.#found)
    if (this.#isControlled) statements.addAll(this.#nothing)
  }
}
