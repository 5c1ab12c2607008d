import { describe, expect, test } from 'vitest'
import {
  ipsIn,
  isSameIp,
  longTextOfIp,
  networksAround,
  parseIp,
  textOfIp,
  wildcardOf,
  type IpAddress,
} from './addresses.ts'

function ip(text: string): IpAddress {
  const address = parseIp(text)
  if (!address) throw new Error(`${text} is no address`)
  return address
}

describe('reading', () => {
  test.each([
    ['10.0.0.1', 4, 0x0a00_0001n],
    ['::1', 6, 1n],
    ['::', 6, 0n],
    ['2001:DB8:0:0:0:0:0:A', 6, 0x2001_0db8_0000_0000_0000_0000_0000_000an],
    ['2001:0db8::a', 6, 0x2001_0db8_0000_0000_0000_0000_0000_000an],
    ['fe80::1%eth0', 6, 0xfe80_0000_0000_0000_0000_0000_0000_0001n],
    ['::ffff:10.0.0.1', 4, 0x0a00_0001n],
    ['64:ff9b::10.0.0.1', 6, 0x64_ff9b_0000_0000_0000_0000_0a00_0001n],
  ] as const)('%s', (text, family, value) => {
    expect(parseIp(text)).toEqual({ family, value })
  })

  test.each(['', '10.0.0', '10.0.0.256', '1:2', 'localhost', '10.0.0.0/8', '10.*'])(
    '%s is no address',
    (text) => expect(parseIp(text)).toBeUndefined(),
  )

  test('one address in two notations is the same, two addresses are not', () => {
    expect(isSameIp(parseIp('::ffff:127.0.0.1'), parseIp('127.0.0.1'))).toBe(true)
    expect(isSameIp(parseIp('127.0.0.1'), parseIp('127.0.0.2'))).toBe(false)
    expect(isSameIp(undefined, undefined)).toBe(false)
  })
})

test('addresses are found in the words around them', () => {
  const texts = ipsIn(
    'Forbidden: caller IP 10.0.0.1. Not ::1, nor 1.2.3, at 12:30; [2001:DB8::a]:443, 10.0.0.2:5123',
  ).map(({ text }) => text)
  expect(texts).toEqual(['10.0.0.1', '::1', '2001:DB8::a', '10.0.0.2'])
})

test('an address is written short and long', () => {
  expect(textOfIp(ip('2001:0DB8:0:0:0:0:0:00A'))).toBe('2001:db8::a')
  expect(longTextOfIp(ip('2001:db8::a'))).toBe('2001:0db8:0000:0000:0000:0000:0000:000a')
  expect(textOfIp(ip('10.0.0.1'))).toBe('10.0.0.1')
})

function around(text: string, prefixBits: number): string[] {
  const { own, neighbours } = networksAround(ip(text), prefixBits)
  return [own, ...neighbours].map(textOfIp)
}

describe('networks around an address', () => {
  test.each([
    ['127.83.64.0', 24, ['127.83.64.0', '127.83.63.0', '127.83.65.0']],
    ['127.83.63.255', 24, ['127.83.63.0', '127.83.62.0', '127.83.64.0']],
    ['127.83.64.9', 32, ['127.83.64.9', '127.83.64.8', '127.83.64.10']],
    ['127.83.64.9', 30, ['127.83.64.8', '127.83.64.4', '127.83.64.12']],
    ['0.0.0.0', 8, ['0.0.0.0', '1.0.0.0']],
    ['255.255.255.255', 24, ['255.255.255.0', '255.255.254.0']],
    ['::1', 127, ['::', '::2']],
    ['2001:db8::1', 64, ['2001:db8::', '2001:db7:ffff:ffff::', '2001:db8:0:1::']],
  ])('%s/%s', (text, prefixBits, expected) => {
    expect(around(text, prefixBits)).toEqual(expected)
  })
})

test('wildcards', () => {
  expect(wildcardOf(ip('127.83.64.0'), 3, 'one star')).toBe('127.83.64.*')
  expect(wildcardOf(ip('127.83.0.0'), 2, 'one star')).toBe('127.83.*')
  expect(wildcardOf(ip('127.83.0.0'), 2, 'all stars')).toBe('127.83.*.*')
  expect(wildcardOf(ip('127.0.0.0'), 1, 'all stars')).toBe('127.*.*.*')
})
