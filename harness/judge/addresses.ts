/** IP addresses and the allowlist entries that lie around them. Pure. */
import { isIP, SocketAddress } from 'node:net'

export type IpAddress = { readonly family: 4 | 6; readonly value: bigint }

const BITS = { 4: 32, 6: 128 } as const
const MAPPED = 0xffffn
const GROUP_BITS = 16n

/** No notation of an address is longer, with its zone. */
const ADDRESS_LENGTH_MAX = 100

/** A message that names an address does so here. */
const MESSAGE_LENGTH_MAX = 2_000

/** Reads an address in any notation; undefined for anything else. An IPv4-mapped address is the IPv4 address. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined
  const plain = text.replace(/%.*$/, '')
  const family = isIP(plain)
  if (family === 4) return { family, value: valueOfOctets(plain) }
  if (family !== 6) return undefined
  const value = valueOfGroups(new SocketAddress({ address: plain, family: 'ipv6' }).address)
  return value >> 32n === MAPPED ? { family: 4, value: value & 0xffff_ffffn } : { family, value }
}

export function isSameIp(a: IpAddress | undefined, b: IpAddress | undefined): boolean {
  return a !== undefined && b !== undefined && a.family === b.family && a.value === b.value
}

/** Every address that stands in a text by itself, with how it is written there. */
export function ipsIn(text: string): readonly { text: string; address: IpAddress }[] {
  const words = text.slice(0, MESSAGE_LENGTH_MAX).match(/[0-9A-Fa-f.:]+/g) ?? []
  return words.flatMap((word) => {
    // The end of a sentence, or of a clause, is no part of the address, nor is the port that the caller used.
    const bare = isIP(word)
      ? word
      : word.replace(/^[.:]+(?!:)|[.:]+$/g, '').replace(/^([^:]+):\d+$/, '$1')
    const address = parseIp(bare)
    return address ? [{ text: bare, address }] : []
  })
}

/** Shortest notation (RFC 5952). */
export function textOfIp(address: IpAddress): string {
  if (address.family === 4) return octetsOf(address).join('.')
  return new SocketAddress({ address: longTextOfIp(address), family: 'ipv6' }).address
}

/** All groups of an IPv6 address with all their digits. */
export function longTextOfIp({ value }: IpAddress): string {
  const digits = value.toString(16).padStart(32, '0')
  return (digits.match(/.{4}/g) ?? []).join(':')
}

export type NetworksAround = {
  /** The network of that length in which the address lies. */
  readonly own: IpAddress
  /** The networks of the same length just below and just above, where there are any. */
  readonly neighbours: readonly IpAddress[]
}

export function networksAround({ family, value }: IpAddress, prefixBits: number): NetworksAround {
  const size = 1n << BigInt(BITS[family] - prefixBits)
  const own = value - (value % size)
  const all = 1n << BigInt(BITS[family])
  const neighbours = [own - size, own + size].filter((each) => each >= 0n && each < all)
  return {
    own: { family, value: own },
    neighbours: neighbours.map((each) => ({ family, value: each })),
  }
}

/** The legacy wildcard of an IPv4 network of whole octets, its stars written in the given form. */
export function wildcardOf(
  network: IpAddress,
  octets: 1 | 2 | 3,
  form: 'one star' | 'all stars',
): string {
  const stars = form === 'one star' ? 1 : 4 - octets
  return [...octetsOf(network).slice(0, octets), ...Array<string>(stars).fill('*')].join('.')
}

function octetsOf({ value }: IpAddress): number[] {
  return [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 0xffn))
}

function valueOfOctets(text: string): bigint {
  return text.split('.').reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n)
}

/** Of a notation without redundancy, as Node prints it: at most one gap, perhaps a dotted tail. */
function valueOfGroups(text: string): bigint {
  const [head = '', tail = ''] = text.split('::').map(hexGroups)
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const gap = text.includes('::') ? 8 - left.length - right.length : 0
  const groups = [...left, ...Array<bigint>(gap).fill(0n), ...right]
  return groups.reduce((sum, group) => (sum << GROUP_BITS) | group, 0n)
}

function hexGroups(text: string): string {
  return text.replace(/[\d.]+$/, (end) => {
    if (!end.includes('.')) return end
    const value = valueOfOctets(end)
    return `${(value >> GROUP_BITS).toString(16)}:${(value & 0xffffn).toString(16)}`
  })
}

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`))
}
