/** What each key is: known, live, allowed from here, and what it may read. Pure. */
import { ROLE_SCOPES, type Role } from '../../contract/capabilities.ts'
import { SCOPES, type Scope } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import { answerText, isAccepted, statusOf } from './asker.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'
import { refusedAddress } from './allowlist-refusal.ts'
import type { KeyAnswers } from './ask-keys.ts'
import type { Answers } from './questions.ts'

/** Roles whose keys have to be refused, and why. */
const REFUSED: Readonly<Partial<Record<Role, 'no longer' | 'not from here'>>> = {
  revoked: 'no longer',
  expired: 'no longer',
  'revoked-unscoped': 'no longer',
  'expired-unscoped': 'no longer',
  blocked: 'not from here',
  'blocked-unscoped': 'not from here',
}

/** How a key stands, as far as its answers tell. */
type Standing =
  | {
      readonly is: 'accepted'
      readonly reads: readonly Scope[]
      readonly unclear: readonly Scope[]
    }
  | { readonly is: 'as invented' | 'refused' | 'unclear' | 'no answer' | 'not asked' }
  | { readonly is: 'not from here'; readonly address: string }

export function keyLayers(answers: Answers): Layer[] {
  return answers.keys.map((key) => keyLayer(key, answers))
}

/** Whether a key of the role can be worked with. */
export function isUsable(answers: Answers, role: Role): boolean {
  const key = answers.keys.find((each) => each.role === role)
  return key !== undefined && keyLayer(key, answers).state !== 'fail'
}

function keyLayer(key: KeyAnswers, { withInventedKey, shortOf }: Answers): Layer {
  const { role, env, isFurther = false } = key
  const name = `key ${role}${isFurther ? ` (${env})` : ''}`
  const standing = standingOf(key, withInventedKey)
  const told = answerText(key.catalog ?? key.orders)
  if (standing.is === 'not asked')
    return notTried(name, `no ${shortOf ?? 'request'} was left for it`, alone(key))
  if (standing.is === 'no answer') return notTried(name, told)
  if (REFUSED[role] === 'no longer') return refusedKey(name, role, standing)
  if (REFUSED[role] === 'not from here') return blockedKey({ name, role, standing, told })
  if (standing.is === 'not from here')
    return fail(
      name,
      `known and live, but not allowed from ${standing.address}`,
      `Add ${standing.address} to the allowlist of the key in ${env}, or run where it holds.`,
    )
  if (standing.is === 'as invented')
    return fail(
      name,
      `refused like a key that does not exist (${told}): unknown, revoked and expired look alike`,
      `Check that ${env} holds the whole key of this environment, and ask whether it is live.`,
    )
  if (standing.is === 'refused')
    return fail(
      name,
      `refused otherwise than a key that does not exist (${told}): known, but not valid any more`,
      `Have the key in ${env} renewed.`,
    )
  // What the key was issued with says more than its role.
  const wanted = (key.scopes ?? ROLE_SCOPES[role]).filter((scope) => scope !== 'orders:write')
  return scopedKey({ name, key, standing, wanted, shortOf })
}

type Scoped = {
  readonly name: string
  readonly key: KeyAnswers
  readonly standing: Standing
  readonly wanted: readonly Scope[]
  readonly shortOf: Answers['shortOf']
}

function scopedKey({ name, key, standing, wanted, shortOf }: Scoped): Layer {
  const { role, env, catalog, orders, whoami } = key
  const expected = wanted.filter((scope) => readWith(key, scope) !== undefined)
  const open = wanted.filter((scope) => !expected.includes(scope))
  const remedy = shortOf ? alone(key) : 'Give operations.getBalance.path in the target file.'
  const openText =
    open.length > 0
      ? `; ${open.join(' and ')} could not be looked at${shortOf ? ` (${cutShort(key, shortOf)})` : ''}`
      : shortOf && key.isCutShort
        ? `; whether it reads more was not looked at (${cutShort(key, shortOf)})`
        : ''
  if (standing.is !== 'accepted') {
    const isLive = isAccepted(whoami) ? 'known and live (whoami answers); ' : ''
    if (open.length > 0 && expected.length === 0)
      return notTried(name, `${isLive}it reads nothing${openText}`, remedy)
    if (expected.length === 0)
      return pass(name, `${isLive}it reads nothing, as its role says${openText}`)
    const told = `catalog ${answerText(catalog).replace(/\.$/, '')}, orders ${statusOf(orders) ?? 'not asked'}`
    return fail(
      name,
      `${isLive}it reads nothing (${told}): a missing scope and an allowlist cannot be told apart`,
      `Give the key in ${env} ${expected.join(' and ')}, and look at its allowlist.`,
    )
  }
  const { reads, unclear } = standing
  const has = `known, live, allowed from here; it reads with ${reads.join(', ')}`
  const missing = expected.filter((scope) => !reads.includes(scope) && !unclear.includes(scope))
  if (missing.length > 0)
    return fail(
      name,
      `${has}; it lacks ${missing.join(' and ')}`,
      `Give the key in ${env} the scope ${missing.join(' and ')}, or name it under another role.`,
    )
  const extra = reads.filter((scope) => !wanted.includes(scope))
  if (extra.length > 0)
    return warn(
      name,
      `${has}, and the role ${role} has no ${extra.join(' or ')}`,
      `Take ${extra.join(' and ')} from the key in ${env}, or name it under another role: its checks would blame the service.`,
    )
  const unclearText =
    unclear.length > 0 ? `; not clear: ${unclear.join(', ')} (${answerText(orders)})` : ''
  return pass(name, `${has}${openText}${unclearText}; orders:write shows in a purchase alone`)
}

/** How a key is looked at for which no request was left. */
function alone({ role, isFurther, env }: KeyAnswers): string {
  return `Look at it alone: --key ${isFurther ? env : role}.`
}

function cutShort(key: KeyAnswers, shortOf: 'request' | 'time'): string {
  return `no ${shortOf} was left; ${alone(key).replace(/\.$/, '').replace('Look', 'look')}`
}

/** The read that needs a scope, where it was sent. */
function readWith(key: KeyAnswers, scope: Scope): Exchange | undefined {
  if (scope === 'product:read') return key.catalog
  if (scope === 'orders:read') return key.orders
  return scope === 'funds:read' ? key.balance : undefined
}

function refusedKey(name: string, role: Role, standing: Standing): Layer {
  if (standing.is === 'accepted' || standing.is === 'not from here')
    return fail(
      name,
      standing.is === 'accepted'
        ? 'it is accepted'
        : 'it is known and live, but not allowed from here',
      `Name a key that is ${role.replace('-unscoped', '')}, or leave the role out.`,
    )
  const same =
    standing.is === 'as invented' ? '; a key that does not exist is refused in the same way' : ''
  return pass(name, `refused, as its role says${same}`)
}

type Blocked = Pick<Scoped, 'name' | 'standing'> & { readonly role: Role; readonly told: string }

function blockedKey({ name, role, standing, told }: Blocked): Layer {
  if (standing.is === 'not from here')
    return pass(name, `not allowed from ${standing.address}, as its role says`)
  const leaveOut = 'or leave the role out.'
  if (standing.is === 'accepted')
    return fail(
      name,
      'it is accepted from here',
      `Name a key whose allowlist excludes this machine, ${leaveOut}`,
    )
  // Scopes are looked at before the allowlist (Authentication, rule 2): of such a key no answer can tell more.
  if (standing.is === 'unclear' && role === 'blocked-unscoped')
    return pass(
      name,
      `refused (${told}), as a key without scopes is; whether its allowlist refuses it too cannot be told apart`,
    )
  if (standing.is === 'unclear')
    return warn(
      name,
      `refused (${told}): a missing scope and an allowlist cannot be told apart`,
      'Make sure that its allowlist excludes this machine; then nothing has to be done.',
    )
  return fail(
    name,
    `refused, but not for its address (${told})`,
    `Name a key that is live, ${leaveOut}`,
  )
}

function standingOf(key: KeyAnswers, invented: Exchange | undefined): Standing {
  const { catalog, orders, balance, whoami } = key
  const asked = [catalog, orders, balance, whoami].filter((each) => each !== undefined)
  if (asked.length === 0) return { is: 'not asked' }
  if (asked.every(({ response }) => !response)) return { is: 'no answer' }
  for (const exchange of asked) {
    const address = refusedAddress(exchange)
    if (address !== undefined) return { is: 'not from here', address }
  }
  // A key that is not valid may get 404 everywhere: only another 404 than the catalog's speaks of an order.
  const isRead = (scope: Scope): boolean => {
    const exchange = readWith(key, scope)
    return isCovered(exchange) && !(statusOf(exchange) === 404 && isSame(exchange, catalog))
  }
  const reads = SCOPES.filter(isRead)
  const unclear = SCOPES.filter((scope) => !isRead(scope) && isUnclear(readWith(key, scope)))
  if (reads.length > 0) return { is: 'accepted', reads, unclear }
  // A key that gets the same answer from whoami too is no key of this service.
  if (isSame(catalog, invented) && !isAccepted(whoami)) return { is: 'as invented' }
  return { is: statusOf(catalog) === 401 ? 'refused' : 'unclear' }
}

/** Windows are looked at last (Authentication, rule 2), so that a 429 says that the scope covers the endpoint. */
function isCovered(exchange: Exchange | undefined): boolean {
  const status = statusOf(exchange)
  return (
    isAccepted(exchange) ||
    status === 429 ||
    (exchange?.operation === 'getOrders' && status === 404)
  )
}

function isUnclear(exchange: Exchange | undefined): boolean {
  const status = statusOf(exchange)
  return exchange !== undefined && status !== 401 && status !== 403
}

/** Trace ids and the key itself differ; nothing else may. */
function isSame(a: Exchange | undefined, b: Exchange | undefined): boolean {
  if (!a?.response || !b?.response || a.response.status !== b.response.status) return false
  const marks = [a, b].map(({ json }) => {
    const { statusCode, errorCode, statusMessage } = (json ?? {}) as Record<string, unknown>
    return JSON.stringify([statusCode, errorCode ?? null, statusMessage])
  })
  return marks[0] === marks[1]
}
