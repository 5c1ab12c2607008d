/** In which order keys are asked, so that few requests show most: each key once, then what its role promises, then what is too much. */
import { randomUUID } from 'node:crypto'
import { ROLE_SCOPES, type Role } from '../../contract/capabilities.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Scope } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Credential } from '../target-file/target.ts'
import { refusedAddress } from './allowlist-refusal.ts'
import { isAccepted, statusOf, type Asker } from './asker.ts'

/** What one key was answered. */
export type KeyAnswers = {
  readonly role: Role
  readonly env: string
  /** Another key of the role was named before. */
  readonly isFurther?: boolean
  /** As the target file states them. */
  readonly scopes?: readonly Scope[] | undefined
  catalog?: Exchange | undefined
  orders?: Exchange | undefined
  balance?: Exchange | undefined
  /** Asked where nothing else was accepted: it needs no scope that the interface names. */
  whoami?: Exchange | undefined
  /** Something was not asked with it, because no request or no time was left. */
  isCutShort?: boolean
}

/** Without a key of its own it is the first of its role. */
export type KeyToAsk = KeyAnswers & { readonly key?: Credential }

const ONE = { query: { limit: 1 } } as const

/** Of the first key it is known what it was answered. */
export async function askKeys(
  asker: Asker,
  keys: readonly KeyToAsk[],
  known: Pick<KeyAnswers, 'catalog' | 'whoami'>,
): Promise<KeyAnswers[]> {
  const all = keys.map((each, index): KeyToAsk => ({ ...each, ...(index === 0 && known) }))
  const ask = new KeyReader(asker)
  // Many keys must not take the one read of orders that says whether orders can be read at all.
  const [main] = all
  if (main && !isSettled(main) && promises(main, 'orders:read')) await ask.orders(main)
  for (const each of all) each.catalog ??= await ask.catalog(each)
  const open = all.filter((each) => !isSettled(each))
  for (const each of open) {
    if (promises(each, 'orders:read')) await ask.orders(each)
    if (promises(each, 'funds:read')) await ask.balance(each)
  }
  for (const each of open)
    if (![each.catalog, each.orders, each.balance].some(isAccepted)) await ask.whoami(each)
  // What a key may read beyond its role is looked at last.
  for (const each of open) if (!promises(each, 'orders:read')) await ask.orders(each)
  for (const each of open)
    if (each.role === 'full' && !promises(each, 'funds:read')) await ask.balance(each)
  return all
}

function promises({ role, scopes }: KeyAnswers, scope: Scope): boolean {
  return (scopes ?? ROLE_SCOPES[role]).includes(scope)
}

/** A key that does not exist, or no longer, and one that is not allowed from here, are refused everywhere: once is enough. */
function isSettled({ catalog }: KeyAnswers): boolean {
  return statusOf(catalog) === 401 || refusedAddress(catalog) !== undefined
}

class KeyReader {
  readonly #asker: Asker

  constructor(asker: Asker) {
    this.#asker = asker
  }

  catalog({ role, key }: KeyToAsk): Promise<Exchange | undefined> {
    return this.#asker.ask(role, 'listServices', { ...ONE, key })
  }

  async orders(each: KeyToAsk): Promise<void> {
    const query = { referenceId: randomUUID() }
    each.orders ??= await this.#asker.ask(each.role, 'getOrders', { query, key: each.key })
    this.#note(each, 'getOrders', each.orders)
  }

  async balance(each: KeyToAsk): Promise<void> {
    each.balance ??= await this.#asker.ask(each.role, 'getBalance', { key: each.key })
    this.#note(each, 'getBalance', each.balance)
  }

  #note(each: KeyToAsk, operation: OperationName, answer: Exchange | undefined): void {
    if (answer === undefined && this.#asker.knows(operation)) each.isCutShort = true
  }

  async whoami(each: KeyToAsk): Promise<void> {
    each.whoami ??= await this.#asker.ask(each.role, 'whoami', { key: each.key })
  }
}
