import { SCOPES } from '../../contract/wire.ts'
import type { Context } from '../model/context.ts'
import { effectiveLimits } from '../model/effective-limits.ts'
import type { ApiKey } from '../model/accounts.ts'

const GUEST = 'guest'
const SECRET = 'guest'

/** Only faults serve a call without a key, or with an unknown one: as this one. */
export function guestOf({ accounts, faults }: Pick<Context, 'accounts' | 'faults'>): ApiKey {
  const known = accounts.key(SECRET)
  if (known !== undefined) return known
  const account = accounts.add({ account: GUEST, keys: {} }, effectiveLimits({}, faults))
  accounts.addKey(account, GUEST, { scopes: SCOPES }, SECRET)
  return guestOf({ accounts, faults })
}
