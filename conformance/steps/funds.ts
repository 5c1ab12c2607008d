import type { Role } from '../../contract/capabilities.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { selectOne } from '../../harness/target-file/select.ts'
import type { CheckContext, Exchange, MovedByOthers, Needs, RequirementId } from '../engine/kit.ts'
import { isAccepted, isOffered, needSuccess, showAnswer, untested } from '../engine/kit.ts'

/** What every check that reads the balance needs. */
export const READS_THE_BALANCE = {
  capabilities: ['funds'],
  roles: ['full', 'funds'],
  operations: ['getBalance'],
  selectors: ['getBalance.balance'],
  isAlone: true,
} as const satisfies Needs

const OPERATIONS = ['getBalance', 'getLedger'] as const

export type FundsOperation = (typeof OPERATIONS)[number]

/** Those of the two whose path the target file gives, and those whose it does not. */
export function fundsOperations({
  target,
}: CheckContext): Readonly<Record<'known' | 'missing', readonly FundsOperation[]>> {
  const isKnown = (operation: FundsOperation): boolean =>
    target.operations[operation].path !== undefined
  return {
    known: OPERATIONS.filter(isKnown),
    missing: OPERATIONS.filter((operation) => !isKnown(operation)),
  }
}

/** One of the two at least. */
export function needFundsOperations(context: CheckContext): readonly FundsOperation[] {
  const { known } = fundsOperations(context)
  return known.length > 0
    ? known
    : untested('the target file gives no path of balances or the ledger')
}

export type Reading = { readonly balance: Micros; readonly exchange: Exchange }

/** The balance of the account, which no other check may spend meanwhile. */
export async function readBalance(context: CheckContext): Promise<Reading> {
  const exchange = needSuccess(await context.api.as('funds').send('getBalance', {}))
  const balance = balanceIn(context, exchange)
  if (balance === undefined) untested(`no balance can be read: ${showAnswer(exchange)}`)
  return { balance, exchange }
}

/** The balance of an account that was made for a check, by a key that may read it; undefined where none can be read. */
export async function balanceOfMade(
  context: CheckContext,
  role: Role = 'full',
): Promise<Reading | undefined> {
  const { capabilities, operations, selectors } = READS_THE_BALANCE
  if (!isOffered(context.target, { capabilities, operations, selectors })) return undefined
  const exchange = await context.api.as(role).send('getBalance', {})
  const balance = isAccepted(exchange) ? balanceIn(context, exchange) : undefined
  return balance === undefined ? undefined : { balance, exchange }
}

function balanceIn({ target }: CheckContext, exchange: Exchange): Micros | undefined {
  const selector = target.operations.getBalance.selectors['balance'] ?? ''
  const value = selectOne(selector, exchange.json)
  const isAmount = typeof value === 'number' || typeof value === 'string'
  return isAmount ? parseMoney(String(value)) : undefined
}

/** What others who spend the balance of the account can break. */
export function balanceMovedByOthers(requirement: RequirementId): MovedByOthers {
  return { requirements: [requirement], watch: watchBalance }
}

async function watchBalance(context: CheckContext, ms: number): Promise<string | undefined> {
  const before = await readBalance(context)
  await context.wait('purchases of others from the same balance', ms)
  const after = await readBalance(context)
  return after.balance === before.balance
    ? undefined
    : `the balance went from ${formatMoney(before.balance)} to ${formatMoney(after.balance)} within ${Math.round(ms / 1000)} s in which this run bought nothing`
}
