import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { selectOne } from '../../harness/target-file/select.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { needSuccess, showAnswer, untested } from '../engine/kit.ts'

/** What every check that reads the balance needs. */
export const READS_THE_BALANCE = {
  capabilities: ['funds'],
  roles: ['full', 'funds'],
  operations: ['getBalance'],
  selectors: ['getBalance.balance'],
  isAlone: true,
} as const satisfies Needs

export type Reading = { readonly balance: Micros; readonly exchange: Exchange }

/** The balance of the account, which no other check may spend meanwhile. */
export async function readBalance({ api, target }: CheckContext): Promise<Reading> {
  const exchange = needSuccess(await api.as('funds').send('getBalance', {}))
  const selector = target.operations.getBalance.selectors['balance'] ?? ''
  const value = selectOne(selector, exchange.json)
  const isAmount = typeof value === 'number' || typeof value === 'string'
  const balance = isAmount ? parseMoney(String(value)) : undefined
  if (balance === undefined) untested(`no balance can be read: ${showAnswer(exchange)}`)
  return { balance, exchange }
}

/** A movement of the balance where none was due. */
export type Movement = { readonly before: Reading; readonly after: Reading; readonly price: Micros }

/** Tries on an account that others may use as well: what was taken by chance is not taken again. */
export const TRIES = 2

/**
 * Carries out what must not move the balance, and gives the movement. Where the account is shared with whoever else has its keys, a
 * movement counts that happened twice, each time by what was charged; any other leaves the check untested.
 */
export async function movementOf<T extends Movement>(
  { isFresh }: CheckContext,
  carryOut: () => Promise<T>,
): Promise<T> {
  const first = await carryOut()
  if (isFresh || first.after.balance === first.before.balance) return first
  const second = await carryOut()
  if (second.after.balance === second.before.balance) return second
  if (isTimesPrice(first) && isTimesPrice(second)) return second
  return untested(
    `the balance of the account moved by ${formatMoney(takenBy(first))} and by ${formatMoney(takenBy(second))} meanwhile, which is no multiple of the price: others use it`,
  )
}

function takenBy({ before, after }: Movement): Micros {
  return before.balance - after.balance
}

function isTimesPrice(movement: Movement): boolean {
  const taken = takenBy(movement)
  return taken > 0n && movement.price > 0n && taken % movement.price === 0n
}
