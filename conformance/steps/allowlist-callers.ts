import { BlockList } from 'node:net'
import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import {
  asText,
  inapplicable,
  needSuccess,
  readableBody,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import {
  ipsIn,
  isSameIp,
  parseIp,
  textOfIp,
  type IpAddress,
} from '../../harness/judge/addresses.ts'
import { select } from '../../harness/target-file/select.ts'

/** From where the harness calls, and the address at which the target sees it. */
export type Caller = {
  readonly options: Pick<CallOptions, 'localAddress'>
  readonly address: IpAddress
}

/** An address of the loopback range that ends in many zero bits, so that it is the first of many networks. */
export const FIRST_OF_NETWORKS = '127.83.64.0'
/** The address just below, which is the last of many. */
export const LAST_OF_NETWORKS = '127.83.63.255'

/** An address whose text others begin with. */
export const SHORT_ADDRESS = '127.83.64.1'

const HOME = { 4: '127.0.0.1', 6: '::1' } as const

/** Addresses for documentation (RFC 5737, RFC 3849), which only a target in this process can be called from. */
export const DOCUMENTED_IPV4 = '192.0.2.77'
const DOCUMENTED_IPV6 = '2001:db8:5f3:a0::c0'

/** The addresses that /whoami gives: at the selector of the target file, else (or where nothing is there) anywhere in the answer. */
export function toldBy({ target }: CheckContext, exchange: Exchange): readonly IpAddress[] {
  const selector = target.operations.whoami.selectors['address']
  const selected = selector === undefined ? [] : select(selector, exchange.json)
  const texts = selected.length === 0 ? [readableBody(exchange)] : selected.map(asText)
  return texts.flatMap(ipsIn).map(({ address }) => address)
}

/** Callers with these source addresses; undefined where the machine cannot send from them, or the target would see another. */
export async function callersFrom(
  context: CheckContext,
  addresses: readonly string[],
): Promise<readonly Caller[] | undefined> {
  if (!isNear(context)) return undefined
  const callers: Caller[] = []
  for (const localAddress of addresses) {
    const address = parseIp(localAddress)
    const exchange = await context.api.as('full').whoami({ localAddress })
    if (!address || !exchange.response) return undefined
    if (!isDirect(context) && !toldBy(context, exchange).some((each) => isSameIp(each, address)))
      return undefined
    callers.push({ options: { localAddress }, address })
  }
  return callers
}

/** The usual source address, apart from what /whoami says about it; undefined where only /whoami can tell. */
export async function knownHome(context: CheckContext): Promise<Caller | undefined> {
  const { hostname } = new URL(context.target.baseUrl)
  const home = hostname.startsWith('[') ? HOME[6] : HOME[4]
  return (await callersFrom(context, [home]))?.[0]
}

/** Addresses that are given out inside of a network (RFC 1918, 6598, 3927, 4193, 4291), and those of the machine itself. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6')

export function isOfPrivateNetwork(address: IpAddress): boolean {
  return PRIVATE.check(textOfIp(address), address.family === 4 ? 'ipv4' : 'ipv6')
}

/** The usual source address as /whoami tells it. */
export async function toldHome(context: CheckContext): Promise<Caller> {
  const exchange = needSuccess(await context.api.as('full').whoami())
  const [address] = toldBy(context, exchange)
  if (!address) untested(`/whoami gives no address: ${showAnswer(exchange)}`)
  return { options: {}, address }
}

/** Callers for IPv4 entries: two neighbours of the loopback range, or the one address that the machine has. */
export async function ipv4Callers(
  context: CheckContext,
  ...more: readonly string[]
): Promise<readonly Caller[]> {
  const { hostname } = new URL(context.target.baseUrl)
  const chosen = await callersFrom(context, [FIRST_OF_NETWORKS, LAST_OF_NETWORKS, ...more])
  if (chosen) return chosen
  if (isOfOtherFamily(4, hostname)) inapplicable(without(4, hostname))
  const home = (await knownHome(context)) ?? (await toldHome(context))
  return home.address.family === 4 ? [home] : [await calledOver(context, 4, home)]
}

/** Any of the machine's own addresses of a family: the target is then called over that family alone. */
const ANY = { 4: '0.0.0.0', 6: '::' } as const

type Family = IpAddress['family']

/** The host of a URL has an IPv6 address in brackets. */
function literalOf(hostname: string): string {
  return hostname.replaceAll(/[[\]]/g, '')
}

/** Why entries of this family do not apply to a target whose base URL has an address of the other. */
export function without(family: Family, hostname: string): string {
  return `${hostname} is reached over IPv${family === 4 ? 6 : 4}, so no caller has an IPv${family} address there`
}

/** Whether the base URL names an address of the other family. */
export function isOfOtherFamily(family: Family, hostname: string): boolean {
  const literal = parseIp(literalOf(hostname))
  return literal !== undefined && literal.family !== family
}

/** A caller for IPv6 entries. Inapplicable where the target cannot be reached over IPv6. */
export async function ipv6Caller(context: CheckContext): Promise<Caller> {
  const { hostname } = new URL(context.target.baseUrl)
  if (isOfOtherFamily(6, hostname)) inapplicable(without(6, hostname))
  const [chosen] =
    (await callersFrom(context, [DOCUMENTED_IPV6])) ?? (await callersFrom(context, [HOME[6]])) ?? []
  const caller = chosen ?? (await toldHome(context))
  return caller.address.family === 6 ? caller : calledOver(context, 6, caller)
}

/** A caller of the family that the target does not see usually. Inapplicable where it is not reached over that family. */
async function calledOver(context: CheckContext, family: Family, usual: Caller): Promise<Caller> {
  const { hostname } = new URL(context.target.baseUrl)
  const options = { localAddress: ANY[family] }
  const exchange = await context.api.as('full').whoami(options)
  if (!exchange.response)
    inapplicable(
      `${hostname} is not reached over IPv${family} from here (${exchange.error?.code ?? 'no answer'}), so no caller has an IPv${family} address there`,
    )
  const address = toldBy(context, exchange).find((told) => told.family === family)
  if (address) return { options, address }
  // A proxy on the way has no address of that family.
  return inapplicable(
    `the target sees the harness at ${textOfIp(usual.address)} even if it is called over IPv${family}, so no caller has an IPv${family} address there`,
  )
}

/** Whether the target runs on this machine, so that it may see the source address as it is sent. */
function isNear(context: CheckContext): boolean {
  const { hostname } = new URL(context.target.baseUrl)
  return (
    isDirect(context) ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/** Nothing lies between us and the embedded service. A loopback port may be published by a container or a tunnel, which call
 *  from an address of their own. */
function isDirect({ target }: CheckContext): boolean {
  return target.kind === 'embedded'
}
