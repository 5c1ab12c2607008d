/** Reading of IP addresses, written by hand: the judge uses Node's own, so a mistake here cannot hide there. */

/** An address as a number of 32 (family 4) or 128 bits (family 6). */
export type Address = { readonly family: 4 | 6; readonly bits: bigint }

export const ADDRESS_BITS = { 4: 32, 6: 128 } as const
const GROUPS_OF_IPV6 = 8
const MAPPED_PREFIX = 0xffffn

/** One decimal number of an IPv4 address, without leading zeros; undefined outside 0..255. */
export function parseOctet(text: string): number | undefined {
  if (!/^(0|[1-9]\d{0,2})$/.test(text)) return undefined
  const octet = Number(text)
  return octet <= 255 ? octet : undefined
}

export function parseIpv4(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bits = 0n
  for (const part of parts) {
    const octet = parseOctet(part)
    if (octet === undefined) return undefined
    bits = (bits << 8n) | BigInt(octet)
  }
  return { family: 4, bits }
}

/** Turns a dotted tail (`::ffff:10.0.0.1`) into two groups; undefined when the tail is no IPv4 address. */
function withoutDottedTail(text: string): string | undefined {
  if (!text.includes('.')) return text
  const lastColon = text.lastIndexOf(':')
  const tail = parseIpv4(text.slice(lastColon + 1))
  if (lastColon < 0 || tail === undefined) return undefined
  const high = (tail.bits >> 16n).toString(16)
  const low = (tail.bits & 0xffffn).toString(16)
  return `${text.slice(0, lastColon + 1)}${high}:${low}`
}

function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

function allGroups(text: string): number[] | undefined {
  const halves = text.split('::')
  const [head, tail] = halves.map(parseGroups)
  if (halves.length > 2 || head === undefined) return undefined
  if (halves.length === 1) return head.length === GROUPS_OF_IPV6 ? head : undefined
  if (tail === undefined) return undefined
  const missing = GROUPS_OF_IPV6 - head.length - tail.length
  return missing >= 1 ? [...head, ...Array<number>(missing).fill(0), ...tail] : undefined
}

export function parseIpv6(text: string): Address | undefined {
  const plain = withoutDottedTail(text)
  const groups = plain === undefined ? undefined : allGroups(plain)
  if (groups === undefined) return undefined
  const bits = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n)
  return { family: 6, bits }
}

/** Reads either family. An IPv4-mapped IPv6 address is the IPv4 address; a zone (`%eth0`) is left out. */
export function parseAddress(text: string): Address | undefined {
  const zone = text.indexOf('%')
  const plain = zone < 0 ? text : text.slice(0, zone)
  const address = plain.includes(':') ? parseIpv6(plain) : parseIpv4(plain)
  if (address?.family === 6 && address.bits >> 32n === MAPPED_PREFIX)
    return { family: 4, bits: address.bits & 0xffffffffn }
  return address
}

/** How the service names a caller: the mapped form is shown as the IPv4 address that it is. */
export function displayAddress(remoteAddress: string): string {
  // Only an IPv6 text can be the mapped form of another one.
  if (!remoteAddress.includes(':')) return remoteAddress
  const address = parseAddress(remoteAddress)
  if (address?.family !== 4) return remoteAddress
  const octets = [24n, 16n, 8n, 0n].map((shift) => String((address.bits >> shift) & 0xffn))
  return octets.join('.')
}
