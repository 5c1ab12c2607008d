import type { Exchange } from '../../harness/client/exchange.ts'
import { parseMoney, type Micros } from '../../harness/money.ts'
import { selectOne } from '../../harness/target/select.ts'
import type { CheckContext, Needs } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'

/** What every check that reads the balance needs. */
export const READS_THE_BALANCE = {
  capabilities: ['funds'],
  roles: ['full', 'funds'],
  operations: ['getBalance'],
  selectors: ['getBalance.balance'],
} as const satisfies Needs

export type Reading = { readonly balance: Micros; readonly exchange: Exchange }

/** The balance of the account, which no other check may spend meanwhile. */
export async function readBalance({ api, target, isFresh }: CheckContext): Promise<Reading> {
  if (!isFresh) untested('other checks spend the balance of this account')
  const exchange = needSuccess(await api.as('funds').send('getBalance', {}))
  const selector = target.operations.getBalance.selectors['balance'] ?? ''
  const value = selectOne(selector, exchange.json)
  const isAmount = typeof value === 'number' || typeof value === 'string'
  const balance = isAmount ? parseMoney(String(value)) : undefined
  if (balance === undefined) untested(`no balance can be read: ${showAnswer(exchange)}`)
  return { balance, exchange }
}
