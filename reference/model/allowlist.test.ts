import { BlockList } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayAddress, parseAddress } from './address.ts'
import { contains, parseAllowlist, parseEntry } from './allowlist.ts'

function allows(entry: string, address: string): boolean {
  const network = parseEntry(entry)
  const parsed = parseAddress(address)
  if (network === undefined || parsed === undefined)
    throw new Error(`cannot read ${entry} or ${address}`)
  return contains(network, parsed)
}

/** Addresses near each other, so that networks really contain some of them. */
const ipv4 = fc
  .tuple(fc.constantFrom(10, 192), fc.constantFrom(0, 1, 128, 255), fc.nat(255), fc.nat(255))
  .map((octets) => octets.join('.'))
const ipv6 = fc
  .tuple(
    fc.constantFrom('2001:db8', 'fe80:0'),
    fc.array(fc.nat(0xffff), { minLength: 6, maxLength: 6 }),
  )
  .map(([head, groups]) => `${head}:${groups.map((group) => group.toString(16)).join(':')}`)

describe('against the allowlist of Node', () => {
  test('IPv4 networks', () => {
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 0, max: 32 }), ipv4, (network, prefix, address) => {
        const oracle = new BlockList()
        oracle.addSubnet(network, prefix, 'ipv4')
        expect(allows(`${network}/${prefix}`, address)).toBe(oracle.check(address, 'ipv4'))
      }),
      { numRuns: 2000 },
    )
  })

  test('IPv6 networks', () => {
    fc.assert(
      fc.property(ipv6, fc.integer({ min: 0, max: 128 }), ipv6, (network, prefix, address) => {
        const oracle = new BlockList()
        oracle.addSubnet(network, prefix, 'ipv6')
        expect(allows(`${network}/${prefix}`, address)).toBe(oracle.check(address, 'ipv6'))
      }),
      { numRuns: 2000 },
    )
  })

  test('single addresses of both families', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), fc.oneof(ipv4, ipv6), (entry, address) => {
        expect(allows(entry, address)).toBe(entry === address)
        expect(allows(entry, entry)).toBe(true)
      }),
    )
  })
})

test.each([
  ['10.*', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['10.1.*', '10.1.0.0', '10.1.255.255', '10.0.255.255', '10.2.0.0'],
  ['10.1.*.*', '10.1.0.0', '10.1.255.255', '10.0.255.255', '10.2.0.0'],
  ['10.1.2.*', '10.1.2.0', '10.1.2.255', '10.1.1.255', '10.1.3.0'],
  ['10.1.2.8/29', '10.1.2.8', '10.1.2.15', '10.1.2.7', '10.1.2.16'],
  [
    '2001:db8:1::/48',
    '2001:db8:1::',
    '2001:db8:1:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::ffff',
    '2001:db8:2::',
  ],
])(
  '%s lets in its first and last address and neither neighbour',
  (entry, first, last, below, above) => {
    expect([first, last, below, above].map((address) => allows(entry, address))).toEqual([
      true,
      true,
      false,
      false,
    ])
  },
)

test('one IPv6 address is the same however it is written', () => {
  for (const form of ['::1', '0:0:0:0:0:0:0:1', '0000::0001', '::0.0.0.1'])
    expect(allows(form, '::1')).toBe(true)
  expect(allows('2001:DB8::A', '2001:db8:0:0:0:0:0:a')).toBe(true)
})

test('an IPv4-mapped address is the IPv4 address', () => {
  expect(allows('10.1.2.3', '::ffff:10.1.2.3')).toBe(true)
  expect(allows('10.1.0.0/16', '::ffff:a01:203')).toBe(true)
  expect(displayAddress('::ffff:10.1.2.3')).toBe('10.1.2.3')
  expect(displayAddress('fe80::1%eth0')).toBe('fe80::1%eth0')
})

test.each([
  '2001:db8:*',
  '2001:db8::*',
  '*',
  '*.1.2.3',
  '10.*.2.3',
  '10.1.2.3.*',
  '256.*',
  '10.1.2',
  '10.1.2.03',
  '10.1.2.3/33',
  '10.1.2.3/-1',
  '10.1.2.3/',
  '10.1.2.3/8/8',
  '::1/129',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8:9',
  '::10.1.2.256',
  'fe80::1%eth0',
  '',
  'localhost',
])('%j is not an entry', (entry) => {
  expect(() => parseAllowlist(['10.0.0.1', entry])).toThrow(RangeError)
})
