import type { Credential } from '../../harness/target-file/target.ts'
import {
  ipsIn,
  isSameIp,
  parseIp,
  textOfIp,
  type IpAddress,
} from '../../harness/judge/addresses.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import {
  callersFrom,
  type Caller,
  DOCUMENTED_IPV4,
  FIRST_OF_NETWORKS,
  isOfPrivateNetwork,
  knownHome,
  toldHome,
} from '../steps/allowlist-callers.ts'
import { listedAnew, needUnlisted } from '../steps/allowlist-of-file.ts'
import {
  BROWSE,
  hasEntry,
  isAllowlistRefusal,
  needMessage,
  needRefusal,
  visibleText,
} from '../steps/allowlist-refusals.ts'

const NEEDS = {
  capabilities: ['allowlist', 'catalog'],
  roles: ['full', 'blocked'],
} as const satisfies Needs

async function seenHere(context: CheckContext): Promise<Caller> {
  return (await knownHome(context)) ?? toldHome(context)
}

export const unrestrictedKey = check({
  id: 'allowlist.none',
  title: 'a key without an allowlist may call from here',
  requirements: ['ALLOW-01'],
  needs: { capabilities: ['catalog'], roles: ['full'] },
  run: async ({ api, expect }) => {
    const exchange = await api.as('full').listServices(BROWSE)
    if (!isAllowlistRefusal(exchange)) needSuccess(exchange)
    expect('ALLOW-01').that('no allowlist refuses a key that has none', {
      holds: !isAllowlistRefusal(exchange),
      expected: 'success',
      exchanges: [exchange],
    })
  },
})

export const listedCaller = check({
  id: 'allowlist.listed',
  title: 'a caller inside the allowlist passes',
  requirements: ['ALLOW-03'],
  needs: { capabilities: ['allowlist', 'catalog'], roles: ['full', 'allowed'] },
  run: async (context) => {
    const { api, expect } = context
    needSuccess(await api.as('full').listServices(BROWSE))
    const exchange = await api.as('allowed').listServices(BROWSE)
    const listed = isAllowlistRefusal(exchange)
      ? await listedAnew(context, await seenHere(context))
      : undefined
    expect('ALLOW-03').status(listed ? await listed.listServices(BROWSE) : exchange, 200)
  },
})

export const unlistedCaller = check({
  id: 'allowlist.unlisted',
  formerIds: ['allowlist.message-address', 'allowlist.message-without-entries'],
  title: 'a caller outside the allowlist gets 403, with its own address and no entry of the list',
  requirements: ['ALLOW-02', 'ALLOW-10', 'ALLOW-11'],
  needs: NEEDS,
  run: async (context) => {
    const { api, expect, reference } = context
    const referenceId = reference()
    needSuccess(await api.as('full').listServices(BROWSE))
    const read = await api.as('blocked').getOrders({ referenceId })
    if (isAccepted(read)) needUnlisted(context, await seenHere(context))
    expect('ALLOW-02').status(read, 403)
    const { options, address } = await seenHere(context)
    const refused = await api.as('blocked').listServices(BROWSE, options)
    if (!expect('ALLOW-02').status(refused, 403)) return
    expectNoOther(context, refused, address)
    const message = needMessage(refused)
    expect('ALLOW-10').that('the message of an allowlist 403 names the caller', {
      holds: ipsIn(message).some((each) => isSameIp(each.address, address)),
      expected: `a message with ${textOfIp(address)}`,
      observed: message,
      exchanges: [refused],
    })
  },
})

/** Only the caller's own address may be shown. */
function expectNoOther(context: CheckContext, refused: Exchange, address: IpAddress): void {
  const entries = context.keys.key('blocked').allowlist
  const text = visibleText(refused)
  const others = ipsIn(text).filter((each) => !isSameIp(each.address, address))
  if (entries === undefined && others.length > 0) {
    context.leaveUndecided(
      'ALLOW-11',
      `whether ${others.map((each) => each.text).join(', ')} is an entry is not known: the target file does not state ${ALLOWLIST_OF_BLOCKED}`,
    )
    return
  }
  const shown = (entries ?? []).filter((entry) => {
    const first = parseIp(firstOf(entry) ?? '')
    return hasEntry(text, entry) || others.some((each) => isSameIp(each.address, first))
  })
  context.expect('ALLOW-11').that('neither body nor headers show an entry', {
    holds: shown.length === 0,
    expected: 'no address but that of the caller',
    observed:
      shown.length > 0 ? `${shown.join(', ')} in ${showAnswer(refused)}` : showAnswer(refused),
    exchanges: [refused],
  })
}

const ALLOWLIST_OF_BLOCKED = 'credentials.blocked.allowlist'
const UNSTATED = `the target file does not state the allowlist of the role "blocked" (${ALLOWLIST_OF_BLOCKED})`

/** An address that the allowlist of a key lets in. */
function listedBy({ allowlist = [] }: Credential): string | undefined {
  return allowlist.flatMap((entry) => firstOf(entry) ?? [])[0]
}

export const forwardingHeader = check({
  id: 'allowlist.forwarding-header',
  title: 'a forwarding header of a stranger does not open the allowlist',
  requirements: ['ALLOW-02'],
  needs: {
    ...NEEDS,
    ofKeysOfFile: ({ accounts }) => {
      const [key] = accounts.each?.('blocked') ?? []
      return key === undefined || listedBy(key) !== undefined
        ? undefined
        : { verdict: 'untested', reason: UNSTATED, wants: [{ what: ALLOWLIST_OF_BLOCKED }] }
    },
  },
  run: async (context) => {
    const { api, expect, observe, keys } = context
    const listed = listedBy(keys.key('blocked'))
    if (listed === undefined) untested(UNSTATED)
    // A service may trust proxies of its own machine and of its private network, which call from such addresses (OPEN-64). Web
    // frameworks take all of 127.0.0.0/8 for that machine.
    const [stranger] =
      (await callersFrom(context, [DOCUMENTED_IPV4])) ??
      (await callersFrom(context, [FIRST_OF_NETWORKS])) ??
      []
    const { options, address } = stranger ?? (await toldHome(context))
    const mayBeProxy = isOfPrivateNetwork(address)
    const refused = await needRefusal(context, options)
    const wrapped = listed.includes(':') ? `"[${listed}]"` : listed
    for (const [name, value] of [
      ...ADDRESS_HEADERS.map((header) => [header, listed] as const),
      ['forwarded', `for=${wrapped}`] as const,
    ]) {
      const call = { ...options, headers: { [name]: value } }
      const exchange = await api.as('blocked').listServices(BROWSE, call)
      observe('OPEN-64', `${name}: ${showAnswer(exchange)}`, [exchange])
      if (mayBeProxy) continue
      expect('ALLOW-02').that(`the header ${name}: ${value} changes nothing`, {
        holds: exchange.response?.status === 403,
        expected: 'HTTP 403, as without the header',
        exchanges: [refused, exchange],
      })
    }
    if (mayBeProxy)
      inapplicable(
        `the target sees the harness at ${textOfIp(address)}, an address that a proxy of its own may have`,
      )
  },
})

/** Headers by which proxies, and the middleware of web frameworks, pass on the address of a caller. */
const ADDRESS_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-cluster-client-ip',
  'x-forwarded',
  'forwarded-for',
] as const

/** The first address that an entry lets in. */
function firstOf(entry: string): string | undefined {
  const address = parseIp(entry.replace(/\/\d+$/, '').replaceAll('*', '0'))
  return address && textOfIp(address)
}
