import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { HarnessError } from '../../harness/errors.ts'
import {
  longTextOfIp,
  networksAround,
  parseIp,
  textOfIp,
  wildcardOf,
  type IpAddress,
} from '../../harness/judge/addresses.ts'
import type { Api, CheckContext, Needs, RequirementId } from '../engine/kit.ts'
import {
  check,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import {
  ipv4Callers,
  ipv6Caller,
  SHORT_ADDRESS,
  toldHome,
  type Caller,
} from '../steps/allowlist-callers.ts'
import { keysOfForm, tryKeysOfFile } from '../steps/allowlist-of-file.ts'
import { BROWSE, hasEntry, visibleText } from '../steps/allowlist-refusals.ts'

/** One allowlist, and whether the caller is in it. */
type Case = { readonly entries: readonly string[]; readonly admits: boolean }

const NEEDS = {
  capabilities: ['allowlist', 'catalog'],
  roles: ['full'],
} as const satisfies Needs

/** Keys that one account gets at most, so that its window has room for a call of each. */
const KEYS_MAX = 20

/** A list that no caller is in (RFC 5737 and RFC 3849 set these aside for documentation). */
const FOREIGN = ['203.0.113.7', '2001:db8:ffff::/48'] as const

/** Calls with a key for each allowlist, from one address. With a key without one the call passes, and with a foreign one it does not. */
async function tryEntries(
  context: CheckContext,
  requirement: RequirementId,
  { options, address }: Caller,
  cases: readonly Case[],
): Promise<void> {
  const { expect } = context
  const control = needSuccess(await context.api.as('full').listServices(BROWSE, options))
  const [outsider] = await keysFor(context, [{ entries: FOREIGN, admits: false }])
  const foreign = await (outsider as Api).listServices(BROWSE, options)
  if (foreign.response?.status !== 403)
    untested(`a list of foreign networks does not refuse the caller: ${showAnswer(foreign)}`)
  for (let start = 0; start < cases.length; start += KEYS_MAX) {
    const part = cases.slice(start, start + KEYS_MAX)
    const callers = await keysFor(context, part)
    for (const [index, { entries, admits }] of part.entries()) {
      const exchange = await (callers[index] as Api).listServices(BROWSE, options)
      const status = exchange.response?.status ?? 0
      const list = entries.join(', ') || 'an empty list'
      expect(requirement).that(`${list} and a caller from ${textOfIp(address)}`, {
        holds: admits ? status === 200 : status === 403,
        expected: admits ? 'HTTP 200: the caller is in it' : 'HTTP 403: the caller is not in it',
        exchanges: [control, exchange],
      })
    }
  }
}

function keysFor(context: CheckContext, cases: readonly Case[]): Promise<readonly Api[]> {
  return makerOf(context)({
    keys: cases.map(({ entries }) => ({ scopes: BUYER_SCOPES, allowlist: entries })),
  })
}

/** Networks of one length: the caller's own lets it in, those just below and above do not. */
function aroundCaller(
  { address }: Caller,
  prefixBits: number,
  write: (network: IpAddress) => readonly string[],
): Case[] {
  const { own, neighbours } = networksAround(address, prefixBits)
  return [
    ...write(own).map((entry) => ({ entries: [entry], admits: true })),
    ...neighbours
      .flatMap((network) => write(network))
      .map((entry) => ({ entries: [entry], admits: false })),
  ]
}

/** Entries that the written address begins with, though they are another address or network: `127.83.63.25`, `127.8.*`. */
function beginnings({ address }: Caller, octets: number, end: readonly string[]): Case[] {
  const parts = textOfIp(address).split('.').slice(0, octets)
  const last = parts.at(-1) ?? ''
  if (last.length < 2) return []
  const entry = [...parts.slice(0, -1), last.slice(0, -1), ...end].join('.')
  return [{ entries: [entry], admits: false }]
}

/** Addresses that begin with the whole of the caller's: where a list is searched as one text, they let it in. */
function continuations({ address }: Caller): Case[] {
  const own = textOfIp(address)
  const longer = [`${own}0`, `${own}9`].filter((text) => parseIp(text) !== undefined)
  return longer.map((entry) => ({ entries: [entry], admits: false }))
}

/** The network of all addresses, which a shift by a whole word gets wrong. A control side may turn it down. */
async function tryEverything(
  context: CheckContext,
  requirement: RequirementId,
  caller: Caller,
): Promise<void> {
  const entry = caller.address.family === 4 ? '0.0.0.0/0' : '::/0'
  const everyone = [{ entries: [entry], admits: true }]
  await tryEntries(context, requirement, caller, everyone).catch(isTurnedDown)
}

function cidrs(caller: Caller, prefixes: readonly number[]): Case[] {
  return prefixes.flatMap((prefixBits) =>
    aroundCaller(caller, prefixBits, (network) => [`${textOfIp(network)}/${prefixBits}`]),
  )
}

export const ipv4Single = check({
  id: 'allowlist.ipv4-single',
  title: 'an entry of one IPv4 address lets in that address and neither neighbour',
  requirements: ['ALLOW-04'],
  needs: { ...NEEDS, ofKeysOfFile: keysOfForm('ALLOW-04') },
  run: async (context) => {
    if (!context.makeAccount) {
      await tryKeysOfFile(context, 'ALLOW-04', await toldHome(context))
      return
    }
    for (const caller of await ipv4Callers(context, SHORT_ADDRESS))
      await tryEntries(context, 'ALLOW-04', caller, [
        ...aroundCaller(caller, 32, (network) => [textOfIp(network)]),
        ...beginnings(caller, 4, []),
        ...continuations(caller),
      ])
  },
})

export const ipv4Cidr = check({
  id: 'allowlist.ipv4-cidr',
  title: 'an IPv4 network lets in its first and last address and neither neighbour',
  requirements: ['ALLOW-05'],
  needs: { ...NEEDS, ofKeysOfFile: keysOfForm('ALLOW-05') },
  run: async (context) => {
    if (!context.makeAccount) {
      await tryKeysOfFile(context, 'ALLOW-05', await toldHome(context))
      return
    }
    for (const caller of await ipv4Callers(context)) {
      await tryEntries(context, 'ALLOW-05', caller, cidrs(caller, [32, 30, 24, 18, 8]))
      await tryEverything(context, 'ALLOW-05', caller)
    }
  },
})

const WILDCARDS = [
  [3, 'one star'],
  [2, 'one star'],
  [2, 'all stars'],
  [1, 'one star'],
  [1, 'all stars'],
] as const

export const ipv4Wildcard = check({
  id: 'allowlist.ipv4-wildcard',
  title: 'an IPv4 wildcard lets in what begins with its octets, and nothing else',
  requirements: ['ALLOW-06'],
  needs: { ...NEEDS, ofKeysOfFile: keysOfForm('ALLOW-06') },
  run: async (context) => {
    if (!context.makeAccount) {
      await tryKeysOfFile(context, 'ALLOW-06', await toldHome(context))
      return
    }
    const turnedDown: string[] = []
    const callers = await ipv4Callers(context)
    for (const caller of callers)
      for (const [octets, form] of WILDCARDS) {
        const stars = Array<string>(form === 'one star' ? 1 : 4 - octets).fill('*')
        const cases = [
          ...aroundCaller(caller, octets * 8, (network) => [wildcardOf(network, octets, form)]),
          ...beginnings(caller, octets, stars),
        ]
        // How many stars stand for several octets is not shown, so a control side may turn one form down.
        const isTaken = await tryEntries(context, 'ALLOW-06', caller, cases).then(
          () => true,
          isTurnedDown,
        )
        if (!isTaken) turnedDown.push(cases[0]?.entries[0] ?? '')
      }
    if (turnedDown.length === callers.length * WILDCARDS.length)
      untested(`the control side makes no key with a wildcard: ${turnedDown.join(', ')}`)
  },
})

/** A refusal of the allowlist itself; anything else is thrown on. */
function isTurnedDown(cause: unknown): false {
  if (cause instanceof HarnessError || cause instanceof RangeError) return false
  throw cause
}

/** Lists of one entry that no caller is in, one of each form. A list of the other family says no to an IPv4 caller as any other does. */
const LONE = ['203.0.113.7', '198.51.100.64/27', '203.0.113.*', '2001:db8::7', FOREIGN[1]] as const

async function refusesOutsiders(context: CheckContext, { options }: Caller): Promise<void> {
  const { expect } = context
  const cases = LONE.map((entry) => ({ entries: [entry], admits: false }))
  for (const [index, api] of (await keysFor(context, cases)).entries()) {
    const entry = LONE[index] ?? ''
    const exchange = await api.listServices(BROWSE, options)
    expect('ALLOW-02').that(`${entry} and a caller with an IPv4 address`, {
      holds: exchange.response?.status === 403,
      expected: 'HTTP 403: the caller is not in it',
      exchanges: [exchange],
    })
    expect('ALLOW-11').that(`a refusal does not show ${entry}, the only entry of the list`, {
      holds: !hasEntry(visibleText(exchange), entry),
      expected: 'no entry in body and headers',
      exchanges: [exchange],
    })
  }
}

export const severalEntries = check({
  id: 'allowlist.several-entries',
  title: 'any entry of a list lets its callers in, and an empty list lets in everyone',
  requirements: ['ALLOW-01', 'ALLOW-02', 'ALLOW-03', 'ALLOW-11'],
  needs: { ...NEEDS, ofKeysOfFile: onlyWithControlSide('keys with other allowlists') },
  run: async (context) => {
    for (const caller of await ipv4Callers(context)) {
      await refusesOutsiders(context, caller)
      const own = textOfIp(caller.address)
      await tryEntries(context, 'ALLOW-03', caller, [
        { entries: [...FOREIGN, own], admits: true },
        { entries: [own, ...FOREIGN], admits: true },
        { entries: [FOREIGN[0], `${own}/32`, FOREIGN[1]], admits: true },
        {
          entries: [FOREIGN[0], wildcardOf(caller.address, 3, 'one star'), FOREIGN[1]],
          admits: true,
        },
      ])
      await tryEntries(context, 'ALLOW-01', caller, [{ entries: [], admits: true }])
    }
  },
})

export const ipv6Single = check({
  id: 'allowlist.ipv6-single',
  title: 'an entry of one IPv6 address lets in that address, however it is written',
  requirements: ['ALLOW-07'],
  needs: { ...NEEDS, ofKeysOfFile: keysOfForm('ALLOW-07') },
  run: async (context) => {
    const caller = await ipv6Caller(context)
    if (!context.makeAccount) {
      await tryKeysOfFile(context, 'ALLOW-07', caller)
      return
    }
    await tryEntries(context, 'ALLOW-07', caller, aroundCaller(caller, 128, notationsOf))
  },
})

/** Short, long, and both in upper case. */
function notationsOf(address: IpAddress): string[] {
  const forms = [textOfIp(address), longTextOfIp(address)]
  return [...new Set([...forms, ...forms.map((form) => form.toUpperCase())])]
}

export const ipv6Cidr = check({
  id: 'allowlist.ipv6-cidr',
  title: 'an IPv6 network lets in its addresses and neither neighbour',
  requirements: ['ALLOW-08'],
  needs: { ...NEEDS, ofKeysOfFile: keysOfForm('ALLOW-08') },
  run: async (context) => {
    const caller = await ipv6Caller(context)
    if (!context.makeAccount) {
      await tryKeysOfFile(context, 'ALLOW-08', caller)
      return
    }
    await tryEntries(context, 'ALLOW-08', caller, [
      ...cidrs(caller, [128, 127, 64]),
      ...aroundCaller(caller, 64, (network) => notationsOf(network).map((each) => `${each}/64`)),
    ])
    await tryEverything(context, 'ALLOW-08', caller)
  },
})
