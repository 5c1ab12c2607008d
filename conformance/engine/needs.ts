import type { Lack, Offer } from '../../harness/plan/check-plan.ts'
import {
  CONTROL_SIDE,
  keyOfRole,
  memberOfFile,
  PERMISSION_FOR_LOAD,
  PERMISSION_TO_BUY,
  productFor,
  PURCHASE_FLAGS,
} from '../../harness/target-file/wants.ts'
import { GENTLE_REASON } from '../../harness/quota/courtesy.ts'
import type { CheckDefinition, Needs } from './check.ts'

/** What the target lacks of a check's needs; undefined when nothing. */
export function lackOf({ needs }: Pick<CheckDefinition, 'needs'>, offer: Offer): Lack | undefined {
  const { target } = offer
  const undeclared = needs.capabilities?.filter((each) => !target.capabilities.includes(each)) ?? []
  if (undeclared.length > 0)
    return {
      verdict: 'inapplicable',
      reason: `the target does not declare ${undeclared.join(', ')}`,
    }
  const otherState = otherStateOfGifts(needs, target)
  if (otherState !== undefined) return { verdict: 'inapplicable', reason: otherState }
  const ofFile = offer.accounts.make ? undefined : needs.ofKeysOfFile?.(offer)
  if (ofFile?.verdict === 'inapplicable') return ofFile
  const missing = [
    ...missingRoles(needs, offer),
    ...apartRoles(needs, offer),
    ...missingDescription(needs, target),
    ...missingPermission(needs, offer),
    ...(offer.isGentle && spendsWindows(needs)
      ? [{ reason: GENTLE_REASON, ...PERMISSION_FOR_LOAD }]
      : []),
  ]
  const lacks = [
    ...missing.map(({ reason, what }) => ({ reason, wants: [{ what }] })),
    ...missingCap(needs, offer),
    ...(ofFile ? [ofFile] : []),
  ]
  if (lacks.length === 0) return undefined
  return {
    verdict: 'untested',
    reason: lacks.map(({ reason }) => reason).join('; '),
    wants: lacks.flatMap(({ wants = [] }) => wants),
  }
}

/** Of a check that only accounts of its own choice decide: `what` cannot be made without a control side. */
export function onlyWithControlSide(what: string): NonNullable<Needs['ofKeysOfFile']> {
  const reason = `${what} cannot be made: the target file names no control side`
  return () => ({ verdict: 'untested', reason, wants: [CONTROL_SIDE] })
}

/** A key that lasts has a cap that only the target file can tell. */
function missingCap({ transactionLimit }: Needs, { accounts }: Offer): Omit<Lack, 'verdict'>[] {
  const keys = accounts.make ? [] : (accounts.each?.('capped') ?? [])
  const isStated = keys.some((key) => key.transactionLimit !== undefined)
  if (transactionLimit === undefined || keys.length === 0 || isStated) return []
  return [
    {
      reason: 'the target file gives no transactionLimit (limit and used) for the role "capped"',
      wants: [{ what: 'credentials.capped.transactionLimit (limit and used)' }],
    },
  ]
}

/** Without its quote route the upstream gift service leaves nothing of gifts to judge but how a quote fails. */
function otherStateOfGifts(
  { capabilities = [], giftQuotes = 'given' }: Needs,
  { answers }: Offer['target'],
): string | undefined {
  const { giftQuotes: stated = 'given' } = answers
  if (!capabilities.includes('platform-gift') || stated === giftQuotes) return undefined
  return stated === 'given'
    ? 'the target file does not say that the upstream gift service lacks its quote route (answers.giftQuotes)'
    : 'the target file says that the upstream gift service lacks its quote route, so that no gift can be bought'
}

/** Those that the target has everything for. */
export function offeredOf<T extends { readonly needs: Needs }>(
  target: Offer['target'],
  all: readonly T[],
): readonly T[] {
  return all.filter(({ needs }) => isOffered(target, needs))
}

/** What is not there, and what to add for it. */
type Missing = { readonly reason: string; readonly what: string }

/** Whether it spends some window to its limit. */
export function spendsWindows({ windows = [], exhausts }: Needs): boolean {
  return exhausts === true || windows.length > 0
}

function missingRoles({ roles = [] }: Needs, { accounts }: Offer): Missing[] {
  return roles
    .filter((role) => !accounts.roles.includes(role))
    .map((role) => ({ reason: `no credential for role "${role}"`, ...keyOfRole(role) }))
}

/** Every role is there, but of several accounts. */
function apartRoles({ roles = [] }: Needs, { accounts }: Offer): Missing[] {
  if (!roles.every((role) => accounts.roles.includes(role))) return []
  const apart = accounts.notTogether?.(roles)
  if (!apart) return []
  return [
    {
      reason: `no account has keys of the roles ${apart.join(', ')} together`,
      what: `one account with keys of the roles ${apart.join(', ')}`,
    },
  ]
}

function missingDescription(needs: Needs, target: Offer['target']): Missing[] {
  const { products = [], anyProduct, orderKinds = [], operations = [], selectors = [] } = needs
  return [
    ...products
      .filter((ability) => !target.products[ability])
      .map((ability) => ({ reason: `no product "${ability}"`, ...productFor(ability) })),
    ...(anyProduct === undefined || anyProduct.some((ability) => target.products[ability])
      ? []
      : [{ reason: `no product "${anyProduct[0]}"`, ...productFor(anyProduct[0]) }]),
    ...orderKinds
      .filter((kind) => target.operations.createOrder.bodies[kind] === undefined)
      .map((kind) => missing('body template', `operations.createOrder.bodies.${kind}`)),
    ...operations
      .filter((operation) => target.operations[operation].path === undefined)
      .map((operation) => missing('path', `operations.${operation}.path`)),
    ...selectors
      .filter((each) => !hasSelector(target, each))
      .map((each) => missing('selector', each)),
  ]
}

function missing(kind: string, name: string): Missing {
  return { reason: `no ${kind} ${name}`, ...memberOfFile(kind, name) }
}

function hasSelector(target: Offer['target'], text: string): boolean {
  const [operation = '', ...name] = text.split('.')
  const operations: Readonly<Record<string, { selectors: Readonly<Record<string, string>> }>> =
    target.operations
  return operations[operation]?.selectors[name.join('.')] !== undefined
}

function missingPermission({ purchases = 0 }: Needs, { permission }: Offer): Missing[] {
  if (purchases === 0 || permission) return []
  return [
    {
      reason: `it creates ${purchases} orders, which ${PURCHASE_FLAGS} would permit`,
      ...PERMISSION_TO_BUY,
    },
  ]
}

/** Whether the target has what a part of a check takes, besides what the whole check needs. */
export function isOffered(target: Offer['target'], needs: Needs): boolean {
  const { capabilities = [] } = needs
  return (
    capabilities.every((each) => target.capabilities.includes(each)) &&
    otherStateOfGifts(needs, target) === undefined &&
    missingDescription(needs, target).length === 0
  )
}
