import { BlockList, isIP } from 'node:net'
import { parseIp, textOfIp, type IpAddress } from '../../harness/judge/addresses.ts'
import { BUYER_SCOPES, type Role } from '../../contract/capabilities.ts'
import type { Api, CheckContext, RequirementId } from '../engine/kit.ts'
import { needSuccess, Undecided, wanting } from '../engine/kit.ts'
import type { Lack, Offer } from '../../harness/plan/check-plan.ts'
import type { Credential } from '../../harness/target-file/target.ts'
import { isOfOtherFamily, without, type Caller } from './allowlist-callers.ts'
import { BROWSE } from './allowlist-refusals.ts'

/** The forms of an entry, as the interface lists them. */
export const ENTRY_FORMS = {
  'ALLOW-04': 'one IPv4 address',
  'ALLOW-05': 'an IPv4 network',
  'ALLOW-06': 'an IPv4 wildcard',
  'ALLOW-07': 'one IPv6 address',
  'ALLOW-08': 'an IPv6 network',
} as const satisfies Partial<Record<RequirementId, string>>
export type OfForm = keyof typeof ENTRY_FORMS

/** The requirement of the form of an entry; undefined for a text of none. */
export function formOf(entry: string): OfForm | undefined {
  if (/^\d{1,3}(?:\.(?:\d{1,3}|\*)){1,3}$/.test(entry) && entry.endsWith('*')) return 'ALLOW-06'
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address)
  if (family === 4) return prefix === undefined ? 'ALLOW-04' : 'ALLOW-05'
  if (family === 6) return prefix === undefined ? 'ALLOW-07' : 'ALLOW-08'
  return undefined
}

/** Whether an entry lets an address in; undefined where the entry cannot be read. */
export function admits(entry: string, caller: IpAddress): boolean | undefined {
  if (formOf(entry) === 'ALLOW-06') {
    const octets = entry.replace(/(?:\.\*)+$/, '')
    return caller.family === 4 && `${textOfIp(caller)}.`.startsWith(`${octets}.`)
  }
  const [text = '', prefix] = entry.split('/')
  const address = parseIp(text)
  const bits = prefix === undefined ? { 4: 32, 6: 128 }[address?.family ?? 4] : Number(prefix)
  if (!address || !Number.isInteger(bits) || bits < 0 || bits > 128) return undefined
  const family = address.family === 4 ? 'ipv4' : 'ipv6'
  if (family === 'ipv4' && bits > 32) return undefined
  const list = new BlockList()
  list.addSubnet(textOfIp(address), bits, family)
  return address.family === caller.family && list.check(textOfIp(caller), family)
}

/** The one entry of a key's allowlist, where it is of this form. */
function entryOfForm({ allowlist = [] }: Credential, requirement: OfForm): string | undefined {
  const [entry, ...others] = allowlist
  return entry !== undefined && others.length === 0 && formOf(entry) === requirement
    ? entry
    : undefined
}

const IPV6_FORMS: readonly OfForm[] = ['ALLOW-07', 'ALLOW-08']

/** Of a check of one form: it takes a key that lets this machine in and one that does not, and a caller of that family. */
export function keysOfForm(requirement: OfForm): (offer: Offer) => Lack | undefined {
  return ({ target, accounts, reachesIpv6 }) => {
    const family = IPV6_FORMS.includes(requirement) ? 6 : 4
    const { hostname } = new URL(target.baseUrl)
    if (isOfOtherFamily(family, hostname) || (family === 6 && reachesIpv6 === false))
      return { verdict: 'inapplicable', reason: without(family, hostname) }
    // A host by name may have no address of that family, which only a call shows.
    if (family === 6 && reachesIpv6 === undefined && !hostname.startsWith('[')) return undefined
    return lackOfKeys(requirement, accounts.each)
  }
}

function lackOfKeys(requirement: OfForm, each: Offer['accounts']['each']): Lack | undefined {
  const missing = (['allowed', 'blocked'] as const).filter(
    (role) => !each?.(role).some((key) => entryOfForm(key, requirement) !== undefined),
  )
  if (missing.length === 0) return undefined
  return {
    verdict: 'untested',
    reason: `no key of role ${missing.join(' and ')} has ${ENTRY_FORMS[requirement]} alone as its allowlist, and none can be made: the target file names no control side`,
    wants: [
      {
        what: `for each form of allowlist entry a key of role allowed and one of role blocked, with its "allowlist" stated`,
      },
    ],
  }
}

/** The file is wrong, or a proxy on the way has an address of its own: the service is not to blame. */
function misfit(role: Role, entries: readonly string[], address: IpAddress): never {
  const seen = textOfIp(address)
  wanting(
    {
      what: `a key of role ${role} whose allowlist ${role === 'allowed' ? 'holds' : 'does not hold'} ${seen}`,
    },
    `the target file names a key of role ${role} with the allowlist ${entries.join(', ')}, and the target sees this machine at ${seen}`,
  )
}

/**
 * A key of the role allowed whose list does not hold where the target sees this machine is no fault of the service. If accounts are made,
 * one gets a list that does. Undefined if the list held the address, or is not known.
 */
export async function listedAnew(
  context: CheckContext,
  { address }: Caller,
): Promise<Api | undefined> {
  const { allowlist } = context.keys.key('allowed')
  if (!allowlist || allowlist.some((entry) => admits(entry, address) !== false)) return undefined
  if (!context.makeAccount) misfit('allowed', allowlist, address)
  const [made] = await context.makeAccount({
    keys: [{ scopes: BUYER_SCOPES, allowlist: [...allowlist, textOfIp(address)] }],
  })
  return made
}

/** The same of the role blocked, whose list must not hold it. */
export function needUnlisted({ keys }: CheckContext, { address }: Caller): void {
  const { allowlist = [] } = keys.key('blocked')
  if (allowlist.some((entry) => admits(entry, address) === true))
    misfit('blocked', allowlist, address)
}

/**
 * Calls with the keys of the file whose allowlist is one entry of a form: one that lets this machine in passes, one that does not is
 * refused. Both have to be there, or a service that asks no list, or refuses all, would pass.
 */
export async function tryKeysOfFile(
  context: CheckContext,
  requirement: OfForm,
  { options, address }: Caller,
): Promise<void> {
  const keys = (['allowed', 'blocked'] as const).flatMap((role) =>
    context.eachKey(role).flatMap(({ key, api }) => {
      const entry = entryOfForm(key, requirement)
      return entry === undefined ? [] : [{ role, api, entry, isIn: admits(entry, address) }]
    }),
  )
  const lack = lackOfKeys(requirement, (role) => context.eachKey(role).map(({ key }) => key))
  if (lack) throw new Undecided(lack.verdict, lack.reason, [], lack.wants)
  const wrong = keys.find(({ role, isIn }) => isIn !== (role === 'allowed'))
  if (wrong) misfit(wrong.role, [wrong.entry], address)
  const control = needSuccess(await context.api.as('full').listServices(BROWSE, options))
  for (const { api, entry, isIn } of keys) {
    const exchange = await api.listServices(BROWSE, options)
    context.expect(requirement).that(`${entry} and a caller from ${textOfIp(address)}`, {
      holds: exchange.response?.status === (isIn ? 200 : 403),
      expected: isIn ? 'HTTP 200: the caller is in it' : 'HTTP 403: the caller is not in it',
      exchanges: [control, exchange],
    })
  }
}
