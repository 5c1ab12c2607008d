/** Keys of the target file that have more or fewer scopes than their role says. What one key shows alone is no fault of the service. */
import { ROLE_SCOPES, type Role } from '../../contract/capabilities.ts'
import { OPERATIONS, type Operation } from '../../contract/operations.ts'
import { SCOPES, type Scope } from '../../contract/wire.ts'
import { keysOfFile } from '../target-file/keys.ts'
import type { Exchange } from '../client/exchange.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { isSuccess, pointerOf, statusOf, targetCause, type Described } from './mistake.ts'

export function misfitKeys(described: Described): SystematicCause[] {
  if (!described.hasKeysOfFile) return []
  return SCOPES.flatMap((scope) => {
    const sent = Map.groupBy(
      sentFor(scope, described.history),
      ({ role, keyVariable = '' }) => `${role} ${keyVariable}`,
    )
    const keys = [...sent.values()].map((each): OfKey => [each[0]?.role as Role, each])
    return [...tooMany(described, scope, keys), ...tooFew(described, scope, keys)]
  })
}

/** Whoever calls without a key has no role. */
const SCOPES_OF: Readonly<Record<string, readonly Scope[] | undefined>> = ROLE_SCOPES

/** The role of a key, and what was sent with it. */
type OfKey = readonly [role: Role, exchanges: readonly Exchange[]]

/** Keys that open all that a scope opens, which their role lacks. Where keys of other scopes do so too, the service is to be blamed. */
function tooMany(described: Described, scope: Scope, keys: readonly OfKey[]): SystematicCause[] {
  const open = keys.filter(
    ([role, exchanges]) =>
      SCOPES_OF[role]?.includes(scope) === false &&
      exchanges.some(isSuccess) &&
      exchanges.every((each) => isSuccess(each) || statusOf(each) === 404),
  )
  const kinds = new Set(open.map(([role]) => ROLE_SCOPES[role].join()))
  if (kinds.size !== 1) return []
  return open.flatMap(([role, exchanges]) =>
    misfit(
      described,
      role,
      exchanges,
      `opens ${namesOf(exchanges)}, so it has the scope ${scope}, which its role lacks`,
    ),
  )
}

/** The one key that is refused wherever a scope is asked for, which its role has. */
function tooFew(described: Described, scope: Scope, keys: readonly OfKey[]): SystematicCause[] {
  const shut = keys.filter(
    ([role, exchanges]) => hasScope(role, scope) && exchanges.every(isForbidden),
  )
  const [first, ...others] = shut
  if (!first || others.length > 0) return []
  const [role, exchanges] = first
  // A key that works nowhere is reported as such.
  const [{ keyVariable } = {}] = exchanges
  const isOfKey = (each: Exchange): boolean =>
    each.role === role && each.keyVariable === keyVariable
  if (!described.history.some((each) => isOfKey(each) && isSuccess(each))) return []
  return misfit(
    described,
    role,
    exchanges,
    `is refused (HTTP 403) by ${namesOf(exchanges)}, so it lacks the scope ${scope}, which its role has`,
  )
}

function misfit(
  { target }: Described,
  role: Role,
  exchanges: readonly Exchange[],
  what: string,
): SystematicCause[] {
  const [{ keyVariable } = {}] = exchanges
  const credential = keysOfFile(target).find(
    (each) => each.role === role && (keyVariable === undefined || each.env === keyVariable),
  )
  if (!credential || credential.scopes) return []
  const scopes = ROLE_SCOPES[role].join(', ')
  return [
    targetCause(target, {
      pointer: pointerOf('credentials', role),
      shows: `the key of role ${role} ${what}`,
      fix: `give the role a key with ${scopes === '' ? 'no scope' : `${scopes} and nothing else`}. If this key was issued so, add "scopes": ${JSON.stringify(ROLE_SCOPES[role])} there, and the service is judged by it.`,
      exchanges,
      dependents: exchanges.map(({ check }) => check),
    }),
  ]
}

/** Purchases may need product:read besides, which a writer lacks. Keys that are to be refused say nothing. */
function hasScope(role: Role, scope: Scope): boolean {
  const isPlain = role !== 'writer' && !/^(?:blocked|revoked|expired)/.test(role)
  return isPlain && (SCOPES_OF[role]?.includes(scope) ?? false)
}

function sentFor(scope: Scope, history: readonly Exchange[]): readonly Exchange[] {
  return history.filter(({ operation, response }) => {
    if (operation === 'raw' || response?.status === 429) return false
    return (OPERATIONS[operation] as Operation).scope === scope
  })
}

function namesOf(exchanges: readonly Exchange[]): string {
  return [...new Set(exchanges.map(({ operation }) => operation))].join(', ')
}

/** A refusal for the allowlist says nothing of scopes. */
function isForbidden(exchange: Exchange): boolean {
  const { statusMessage } = (exchange.json ?? {}) as { statusMessage?: unknown }
  const isOfAllowlist = typeof statusMessage === 'string' && /allow-?list/i.test(statusMessage)
  return statusOf(exchange) === 403 && !isOfAllowlist
}
