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

/** When a purchase is taken off the balance is not shown: it may be a moment later. */
const DEBITED = { seconds: 1, reason: 'purchases to be taken off the balance' } as const

/** The balance, as it is when purchases of before have been taken off. */
export async function balanceLater(context: CheckContext): Promise<Reading> {
  await context.wait(DEBITED.reason, DEBITED.seconds * 1000)
  return readBalance(context)
}

/** What was done between two readings of the balance. */
export type Measured<Done> = {
  readonly before: Reading
  readonly done: Done
  readonly after: Reading
}

/**
 * Reads the balance before and after something is done. It is done once more where less is left than wanted: purchases of before may have
 * been taken off meanwhile.
 */
export async function measureBalance<Done>(
  context: CheckContext,
  act: () => Promise<Done>,
  wantedOf: (measured: Measured<Done>) => Micros = ({ before }) => before.balance,
): Promise<Measured<Done>> {
  const first = await measureFrom(context, await readBalance(context), act)
  if (first.after.balance >= wantedOf(first)) return first
  return measureFrom(context, await balanceLater(context), act)
}

async function measureFrom<Done>(
  context: CheckContext,
  before: Reading,
  act: () => Promise<Done>,
): Promise<Measured<Done>> {
  const done = await act()
  return { before, done, after: await readBalance(context) }
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
  return parseMoney(selectOne(selector, exchange.json))
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
