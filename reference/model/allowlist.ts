import { ADDRESS_BITS, parseAddress, parseIpv4, parseIpv6, parseOctet } from './address.ts'
import type { Address } from './address.ts'

/** The addresses of one family whose first `prefixBits` bits are those of `bits`. */
export type Network = {
  readonly family: 4 | 6
  readonly bits: bigint
  readonly prefixBits: number
  /** How it was written; only faults look at it. */
  readonly form: 'single' | 'cidr' | 'wildcard'
}

const WILDCARD_OCTETS_MAX = 3

function parseCidr(entry: string): Network | undefined {
  const [network = '', prefix = '', ...rest] = entry.split('/')
  const address = network.includes(':') ? parseIpv6(network) : parseIpv4(network)
  if (rest.length > 0 || address === undefined || !/^(0|[1-9]\d{0,2})$/.test(prefix))
    return undefined
  const prefixBits = Number(prefix)
  return prefixBits <= ADDRESS_BITS[address.family]
    ? { ...address, prefixBits, form: 'cidr' }
    : undefined
}

/** One to three leading octets, then only stars: `10.*`, `10.1.2.*`, `10.1.*.*`. */
function parseWildcard(entry: string): Network | undefined {
  const parts = entry.split('.')
  const firstStar = parts.indexOf('*')
  if (firstStar < 1 || parts.length > 4) return undefined
  if (firstStar > WILDCARD_OCTETS_MAX || parts.slice(firstStar).some((part) => part !== '*'))
    return undefined
  const octets = parts.slice(0, firstStar).map(parseOctet)
  if (octets.includes(undefined)) return undefined
  const prefixBits = firstStar * 8
  const head = octets.reduce<bigint>((sum, octet) => (sum << 8n) | BigInt(octet ?? 0), 0n)
  return { family: 4, bits: head << BigInt(32 - prefixBits), prefixBits, form: 'wildcard' }
}

function parseSingle(entry: string): Network | undefined {
  const address = entry.includes('%') ? undefined : parseAddress(entry)
  return address && { ...address, prefixBits: ADDRESS_BITS[address.family], form: 'single' }
}

/** Reads one of the five accepted forms; undefined for everything else, IPv6 wildcards among it. */
export function parseEntry(entry: string): Network | undefined {
  if (entry.includes('/')) return parseCidr(entry)
  if (entry.includes('*')) return parseWildcard(entry)
  return parseSingle(entry)
}

/** Reads a whole allowlist. Throws RangeError that names the entry. */
export function parseAllowlist(entries: readonly string[]): Network[] {
  return entries.map((entry) => {
    const network = parseEntry(entry)
    if (network === undefined)
      throw new RangeError(
        `Got the allowlist entry ${JSON.stringify(entry)}; expected an IPv4 or IPv6 address, a CIDR, or an IPv4 wildcard such as 10.1.* (IPv6 wildcards are rejected: use a CIDR).`,
      )
    return network
  })
}

export function contains(network: Network, address: Address): boolean {
  if (network.family !== address.family) return false
  const hostBits = BigInt(ADDRESS_BITS[network.family] - network.prefixBits)
  return network.bits >> hostBits === address.bits >> hostBits
}
