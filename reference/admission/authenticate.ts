/** The checks of a key, in the interface's order; the first that fails answers. */
import type { OperationName } from '../../contract/operations.ts'
import { HEADER } from '../../contract/wire.ts'
import type { Behaviour } from '../model/behaviour.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Refusal, refusal } from '../http/answer.ts'
import { type RawHeaders, headerValue, indexOfHeader } from '../base/headers.ts'
import type { Route } from '../model/call.ts'
import { CODES } from '../http/status-codes.ts'
import type { ServiceRequest } from '../base/types.ts'
import { admit } from './admission.ts'
import type { Arrival } from './take.ts'
import type { GiveBack } from '../model/limiter.ts'
import { asksForCheck } from '../orders/create.ts'
import { displayAddress, parseAddress } from '../model/address.ts'
import { type Asked, forgets } from './skipped-key-checks.ts'
import { guestOf } from '../auth/guest.ts'
import type { ApiKey, KeyStatus } from '../model/accounts.ts'
import { type Network, contains } from '../model/allowlist.ts'
import { forbiddenCode, requireScope, scopeMissing } from '../auth/scopes.ts'

type StepName = 'status' | 'scope' | 'allowlist' | 'limit'

const DOCUMENTED_ORDER: readonly StepName[] = ['status', 'scope', 'allowlist', 'limit']

const SCOPE_FIRST: readonly StepName[] = ['scope', 'status', 'allowlist', 'limit']
const LIMIT_FIRST: readonly StepName[] = ['limit', 'status', 'scope', 'allowlist']

/** Orders that faults check in: of every key, or of keys that are as given. */
const WRONG_ORDERS: readonly (readonly [FaultName, readonly StepName[], KeyStatus?])[] = [
  ['scope-before-key-status', SCOPE_FIRST, 'revoked'],
  ['scope-before-expiry', SCOPE_FIRST, 'expired'],
  ['limit-before-key-status', LIMIT_FIRST, 'revoked'],
  ['limit-before-expiry', LIMIT_FIRST, 'expired'],
  ['limit-before-scope', ['status', 'limit', 'scope', 'allowlist']],
  ['limit-before-allowlist', ['status', 'scope', 'limit', 'allowlist']],
]

/** Orders that faults check in at some endpoints, of keys that are as given. */
const WRONG_AT: readonly (readonly [FaultName, OperationName, readonly StepName[], KeyStatus?])[] =
  [
    ['orders-limit-before-scope', 'createOrder', ['status', 'limit', 'scope', 'allowlist']],
    ['carts-limit-before-key-status', 'createCart', LIMIT_FIRST, 'revoked'],
    ['services-limit-before-expiry', 'listServices', LIMIT_FIRST, 'expired'],
    ['lookups-scope-before-revocation', 'lookupItems', SCOPE_FIRST, 'revoked'],
  ]

function orderAt({
  key,
  route,
  body,
  context: { faults },
}: Attempt): readonly StepName[] | undefined {
  const isCheck = route.operation === 'createOrder' && asksForCheck(body)
  if (isCheck && faults.has('checks-limit-before-allowlist'))
    return ['status', 'scope', 'limit', 'allowlist']
  return WRONG_AT.find(
    ([name, operation, , status]) =>
      faults.has(name) &&
      route.operation === operation &&
      (status === undefined || status === key.status),
  )?.[2]
}

function orderOf(attempt: Attempt): readonly StepName[] {
  const { key, route, context } = attempt
  const { faults } = context
  if (faults.isEmpty) return DOCUMENTED_ORDER
  const isReveal = route.operation === 'getOrders' && attempt.query.get('unhide') === 'true'
  if (isReveal && key.status === 'expired' && faults.has('reveals-scope-before-expiry'))
    return SCOPE_FIRST
  const at = orderAt(attempt)
  if (at) return at
  if (route.method === 'POST' && faults.has('allowlist-before-scope-of-posts'))
    return ['status', 'allowlist', 'scope', 'limit']
  const wrong = WRONG_ORDERS.find(
    ([name, , status]) => faults.has(name) && (status === undefined || status === key.status),
  )
  return wrong?.[1] ?? DOCUMENTED_ORDER
}

export const nothingToGiveBack: GiveBack = () => undefined

type Attempt = Arrival

function isFromRefusedOrigin({ faults, variants }: Behaviour, headers: RawHeaders): boolean {
  const origin = headerValue(headers, 'Origin')
  if (origin === undefined) return false
  // The service is served by http: no other origin has that scheme here.
  return (
    variants.has('browsers-refused') || (faults.has('origin-bound') && !origin.startsWith('http:'))
  )
}

/** Finds the key. Throws the 401 when there is none. */
export function requireKey(context: Context, headers: RawHeaders, asked: Asked): ApiKey {
  const { route } = asked
  const { accounts, faults } = context
  if (isFromRefusedOrigin(context, headers))
    throw unauthenticated(context, 'Keys are not accepted from a browser.', 'origin_refused')
  if (faults.has('authorization-needed') && headerValue(headers, 'Authorization') === undefined)
    throw unauthenticated(context, 'The header Authorization is missing.', 'authorization_missing')
  const at = indexOfKey(headers, faults)
  const secret = at < 0 ? keyElsewhere(headers, asked, faults) : headers[at + 1]
  if (secret === undefined || secret === '') {
    if (isOpen(route, faults) || forgets(context, 'key', asked)) return guestOf(context)
    throw unauthenticated(context, 'The header X-API-Key is missing.', 'api_key_missing')
  }
  const isGivenTwice = indexOfHeader(headers, HEADER.apiKey, at + 2) >= 0
  const key = isGivenTwice ? undefined : accounts.key(secret)
  return key ?? alikeFor(context, secret) ?? unknownKey(context, route)
}

/** Only a fault minds how the name of a header is spelled. */
function indexOfKey(headers: RawHeaders, faults: FaultSet): number {
  if (!faults.has('key-header-in-lower-case-only')) return indexOfHeader(headers, HEADER.apiKey)
  return headers.findIndex((text, index) => index % 2 === 0 && text === 'x-api-key')
}

/** Only faults look for a key in other places. */
function keyElsewhere(
  headers: RawHeaders,
  { query, route: { operation } }: Asked,
  faults: FaultSet,
): string | undefined {
  const isRead = operation === 'getOrders'
  if (faults.has('key-in-address') || (isRead && faults.has('key-in-address-of-reads')))
    return query.get('api_key') ?? undefined
  if (
    faults.has('key-in-authorization') ||
    (isRead && faults.has('key-in-authorization-of-reads')) ||
    (operation === 'createOrder' && faults.has('key-in-authorization-of-orders')) ||
    (operation === 'createCart' && faults.has('key-in-authorization-of-carts'))
  )
    return headerValue(headers, 'Authorization')?.replace(/^Bearer /, '')
  if (faults.has('key-in-basic-authorization'))
    return basicUserOf(headerValue(headers, 'Authorization'))
  return faults.has('key-in-cookie')
    ? /(?:^|; )api_key=([^;]*)/.exec(headerValue(headers, 'Cookie') ?? '')?.[1]
    : undefined
}

function basicUserOf(authorization = ''): string | undefined {
  const [, coded] = /^Basic (.*)$/.exec(authorization) ?? []
  return coded === undefined ? undefined : atob(coded).split(':')[0]
}

/** Only faults answer without a key: everywhere, or at one endpoint. */
function isOpen({ operation }: Route, faults: FaultSet): boolean {
  const isOpenLookup = operation === 'lookupItems' && faults.has('missing-key-accepted-on-lookup')
  return isOpenLookup || faults.has('missing-key-accepted')
}

function requireScopeOf(attempt: Attempt): void {
  if (!needsNoScope(attempt)) requireScope(attempt.key, attempt.route, attempt.context)
}

/** Only faults forget the scope of one form of a request. */
function needsNoScope({ context: { faults }, route, query, body }: Attempt): boolean {
  if (faults.isEmpty) return false
  if (route.operation === 'getOrders')
    return query.get('unhide') === 'true' && faults.has('scope-forgotten-on-unhide')
  if (route.operation === 'listServices')
    return query.has('type') && faults.has('scope-forgotten-on-types')
  return (
    route.operation === 'createOrder' &&
    faults.has('scope-forgotten-on-checks') &&
    asksForCheck(body)
  )
}

function alikeFor({ accounts, faults }: Context, secret: string): ApiKey | undefined {
  if (faults.has('keys-compared-without-case')) return accounts.keyInAnyCase(secret)
  return faults.has('keys-compared-by-beginning') ? accounts.keyAlike(secret) : undefined
}

function unknownKey(context: Context, { scope }: Route): ApiKey {
  const { faults } = context
  if (faults.has('unknown-key-accepted')) return guestOf(context)
  if (faults.has('unknown-key-after-scope') && scope !== undefined)
    throw scopeMissing(scope, faults)
  throw unauthenticated(context, 'The API key does not exist.', 'api_key_unknown')
}

/** Runs the remaining checks. Returns how to give the counted request back. */
export function authorize(attempt: Attempt): GiveBack {
  let giveBack: GiveBack = nothingToGiveBack
  for (const step of orderOf(attempt)) {
    if (step !== 'limit' && forgets(attempt.context, step, attempt)) continue
    if (step === 'status') requireActive(attempt)
    else if (step === 'scope') requireScopeOf(attempt)
    else if (step === 'allowlist') requireAllowed(attempt)
    else giveBack = admit(attempt)
  }
  return giveBack
}

/** The address that a caller is known by: the socket's, never a header's but that of a proxy that a variant has on its own machine. */
export function callerAddressOf(
  { remoteAddress, headers }: Pick<ServiceRequest, 'remoteAddress' | 'headers'>,
  operation: OperationName,
  { faults, variants }: Behaviour,
): string {
  const isBelieved =
    (operation === 'whoami' && faults.has('whoami-believes-header')) ||
    (variants.has('local-proxy-trusted') && isProxy(displayAddress(remoteAddress)))
  if (isBelieved || faults.has('forwarded-for-trusted')) {
    const forwarded = headerValue(headers, 'X-Forwarded-For')
    if (forwarded !== undefined) return forwarded.split(',', 1)[0]?.trim() ?? remoteAddress
  }
  return clientIpOf(headers, faults) ?? displayAddress(remoteAddress)
}

/** Only faults believe these headers. */
function clientIpOf(headers: RawHeaders, faults: Behaviour['faults']): string | undefined {
  if (faults.has('bare-client-ip-trusted')) return headerValue(headers, 'Client-IP')
  if (faults.has('cluster-client-ip-trusted')) return headerValue(headers, 'X-Cluster-Client-IP')
  return faults.has('client-ip-header-trusted') ? headerValue(headers, 'X-Client-IP') : undefined
}

/** Whence web servers believe forwarding headers: from themselves, and from their private network. */
function isProxy(address: string): boolean {
  return address === '::1' || /^(?:127|10)\./.test(address)
}

/** Keys that exist but hold no longer; a variant refuses them otherwise than unknown ones. */
const OUTLIVED = ['api_key_revoked', 'api_key_expired']

function unauthenticated(
  { faults, variants }: Behaviour,
  message: string,
  errorCode: string,
): Refusal {
  if (variants.has('unknown-keys-404') && !OUTLIVED.includes(errorCode))
    return refusal(404, CODES.unauthenticated, message, { errorCode })
  const is403 =
    isOtherThanStated(faults, errorCode) ||
    variants.has('refused-keys-403') ||
    (variants.has('refused-keys-mixed') && OUTLIVED.includes(errorCode))
  return refusal(is403 ? 403 : 401, CODES.unauthenticated, message, { errorCode })
}

/** Faults that refuse a key by another status than the target file states. */
const OTHERWISE: readonly (readonly [FaultName, string])[] = [
  ['missing-keys-answer-403', 'api_key_missing'],
  ['unknown-keys-answer-403', 'api_key_unknown'],
  ['revoked-keys-answer-403', 'api_key_revoked'],
]

function isOtherThanStated(faults: FaultSet, errorCode: string): boolean {
  return OTHERWISE.some(([name, refused]) => refused === errorCode && faults.has(name))
}

function requireActive({ key, context }: Attempt): void {
  const { faults } = context
  if (key.status === 'revoked' && !faults.has('revoked-key-accepted'))
    throw unauthenticated(context, 'The API key was revoked.', 'api_key_revoked')
  if (key.status === 'expired' && faults.has('expired-keys-answer-404'))
    throw refusal(404, CODES.unauthenticated, 'The API key has expired.')
  if (key.status === 'expired' && !faults.has('expired-key-accepted'))
    throw unauthenticated(context, 'The API key has expired.', 'api_key_expired')
}

function requireAllowed(attempt: Attempt): void {
  const { key, route, callerAddress, context } = attempt
  const { faults, variants } = context
  if (
    !(route.checksAllowlist || variants.has('whoami-behind-allowlist')) ||
    faults.has('allowlist-ignored')
  )
    return
  if (key.allowlist.length === 0 && !faults.has('allowlist-empty-blocks')) return
  const address = parseAddress(callerAddress)
  if (faults.has('allowlist-ignores-other-family') && isOfOtherFamily(key, address)) return
  const isAllowed =
    address !== undefined &&
    !faults.has('allowlist-lists-nobody') &&
    entriesOf(key, faults).some(
      (network) =>
        contains(asEnforced(network, faults), address) && !listsNobody(network, key, faults),
    ) &&
    !isOtherwiseWritten(key, callerAddress, faults)
  if (asRemembered(key, isAllowed, faults) || beginsLikeAnEntry(key, callerAddress, faults)) return
  throw refusal(403, forbiddenCode(faults), allowlistMessage(attempt), {
    errorCode: 'caller_not_in_allowlist',
  })
}

function isOfOtherFamily({ allowlist }: ApiKey, address: ReturnType<typeof parseAddress>): boolean {
  return allowlist.every(({ family }) => family !== address?.family)
}

/** A fault decides once for each key. */
function asRemembered(key: ApiKey, isAllowed: boolean, faults: FaultSet): boolean {
  if (!faults.has('allowlist-decided-once')) return isAllowed
  key.firstCallerWasAllowed ??= isAllowed
  return key.firstCallerWasAllowed
}

/** Faults that misread an entry so that it lists nobody. */
function listsNobody(
  { form, family, prefixBits }: Network,
  key: ApiKey,
  faults: FaultSet,
): boolean {
  if (form === 'wildcard') return key.allowlist.length > 1 && faults.has('allowlist-wildcard-alone')
  if (form !== 'cidr') return false
  if (prefixBits === 0 && faults.has('allowlist-everyone-is-nobody')) return true
  const isShort = key.allowlistText.every((entry) => entry.includes('::'))
  return family === 6 && !isShort && faults.has('allowlist-ipv6-cidr-short-form-only')
}

function entriesOf({ allowlist }: ApiKey, faults: FaultSet): readonly Network[] {
  return faults.has('allowlist-first-entry-only') ? allowlist.slice(0, 1) : allowlist
}

/** Only a fault looks at the text of an address. */
function isOtherwiseWritten(key: ApiKey, callerAddress: string, faults: FaultSet): boolean {
  const isSingle = key.allowlist.every((network) => network.form === 'single')
  const comparesText = faults.has('allowlist-ipv6-compared-as-text') && isSingle
  return comparesText && callerAddress.includes(':') && !key.allowlistText.includes(callerAddress)
}

/** Faults take an entry for the beginning of a text. */
function beginsLikeAnEntry(key: ApiKey, callerAddress: string, faults: FaultSet): boolean {
  if (faults.isEmpty) return false
  const isFound = key.allowlistText.join(',').includes(callerAddress)
  if (isFound && faults.has('allowlist-searched-as-text')) return true
  return key.allowlistText.some((entry) => {
    const isWildcard = entry.includes('*')
    const fault = `allowlist-${isWildcard ? 'wildcard' : 'single'}-compares-beginnings` as const
    return faults.has(fault) && callerAddress.startsWith(entry.replace(/[.*]+$/, ''))
  })
}

/** Faults compare with so many bits less. */
const WIDENED_BITS = { single: 1, cidr: 1, wildcard: 8 } as const
const WIDENING_FAULTS = {
  single: 'allowlist-single-one-bit-wide',
  cidr: 'allowlist-cidr-one-bit-wide',
  wildcard: 'allowlist-wildcard-one-octet-wide',
} as const

function wideningFaultOf({ form, family }: Network): FaultName {
  if (form === 'cidr' && family === 6) return 'allowlist-ipv6-cidr-one-bit-wide'
  return WIDENING_FAULTS[form]
}

function asEnforced(network: Network, faults: FaultSet): Network {
  const { prefixBits } = network
  const widenedBits = WIDENED_BITS[network.form]
  return faults.has(wideningFaultOf(network))
    ? { ...network, prefixBits: Math.max(0, prefixBits - widenedBits) }
    : network
}

function allowlistMessage({
  key,
  callerAddress: caller,
  route: { method },
  context: { faults },
}: Attempt): string {
  const callerAddress = faults.has('allowlist-names-other-caller') ? '0.0.0.0' : caller
  const isUnnamed =
    faults.has('allowlist-message-without-address') ||
    (method === 'POST' && faults.has('allowlist-checks-unnamed'))
  const named = isUnnamed ? 'the caller' : `caller IP ${callerAddress}`
  const isReworded = method === 'POST' && faults.has('allowlist-reworded-to-posts')
  const message = isReworded
    ? `Access denied for ${callerAddress}`
    : `Forbidden: ${named} is not in this API key's allowlist`
  const isLone = key.allowlistText.length === 1 && key.allowlistText[0]?.includes(':') === true
  const echoes =
    faults.has('allowlist-message-echoes-list') ||
    (isLone && faults.has('allowlist-echoed-if-ipv6-alone')) ||
    (method === 'POST' && faults.has('allowlist-echoed-to-posts'))
  return echoes ? `${message}: ${key.allowlistText.join(', ')}` : message
}
