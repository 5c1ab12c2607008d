import type { Role } from '../../contract/capabilities.ts'
import type { AccountSource } from '../accounts/accounts.ts'
import { Api } from '../client/api.ts'
import { Client } from '../client/client.ts'
import type { Transport } from '../client/exchange.ts'
import { History } from '../client/history.ts'
import type { Clock } from '../clock.ts'
import { HarnessError } from '../errors.ts'
import { PurchaseGuard } from '../purchases/purchase-guard.ts'
import type { Target } from '../target-file/target.ts'

/** What asking the target takes, before and after a run. */
export type Introducing = {
  readonly target: Target
  readonly accounts: AccountSource
  readonly transport: Transport
  readonly clock: Clock
  readonly signal?: AbortSignal
}

/** Which key introduces the harness: the first of these that there is. */
const INTRODUCING: readonly Role[] = ['full', 'browser', 'poller', 'capped', 'sibling', 'funds']

/** A client that speaks for the first role that there is, and is held back by nothing. */
export async function introduce(options: Introducing): Promise<Api> {
  const { target, accounts, transport, clock, signal } = options
  const role = INTRODUCING.find((each) => accounts.roles.includes(each))
  if (!role)
    throw new HarnessError(
      'E_TARGET_ENV_MISSING',
      `${target.name} has no credential for the role full, so nothing can be asked of it`,
      'Set ORDERING_KEY to a key with the scopes product:read, orders:write and orders:read, or name its variable under credentials.full.env in the target file.',
    )
  const others = role !== 'funds' && accounts.roles.includes('funds') ? (['funds'] as const) : []
  const keyring = await accounts.open({ roles: [role, ...others] })
  const pacer = { admit: () => Promise.resolve(), settle: () => {} }
  const client = new Client({
    transport,
    clock,
    history: new History(),
    pacer,
    ...(signal ? { signal } : {}),
  })
  const guard = new PurchaseGuard({ ordersMax: 0 })
  return new Api(
    { client, target, clock, guard, keyring, check: 'preflight', ...(signal ? { signal } : {}) },
    role,
  )
}
