/** Changes to the body of a gift order, whose structure is not shown: only the names of its fields are. */
import { isObject } from '../engine/kit.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields of a gift, its order and its quote that the interface names; where they stand is not shown. An entry that holds one is a gift. */
const GIFT_FIELDS = [
  'recipient_region',
  'invite_url',
  'profile_url',
  'quoteToken',
  'editionId',
  'recipientRegion',
] as const

/** The values of all members of that name, at whatever depth: without recursion, since a check sends nested lists that fill the stack. */
export function valuesOf(body: unknown, name: string): readonly unknown[] {
  const found: unknown[] = []
  const left: (readonly [member: string | undefined, value: unknown])[] = [[undefined, body]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [member, value] = next
    if (member === name) found.push(value)
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [key, child] of Object.entries(value).toReversed())
      left.push([isList ? undefined : key, child])
  }
  return found
}

/** The body without the members of those names, at whatever depth. */
export function without(body: unknown, names: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((each) => without(each, names))
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([member]) => !names.includes(member))
      .map(([member, value]) => [member, without(value, names)]),
  )
}

/** Where a gift goes to. */
export const ADDRESSES = ['invite_url', 'profile_url'] as const

/** The body with both addresses changed, at whatever depth: one alone may say nothing about the recipient. */
export function withOtherAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOtherAddresses)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([member, child]) => {
    const isAddress = ADDRESSES.some((name) => name === member) && typeof child === 'string'
    return [member, isAddress ? alteredAtEnd(child) : withOtherAddresses(child)] as const
  })
  return Object.fromEntries(members)
}

/** The last letter or digit is another one. */
function alteredAtEnd(text: string): string {
  const last = text.search(/[A-Za-z0-9][^A-Za-z0-9]*$/)
  return last < 0 ? text : alteredAt(text, last)
}

function isGift(value: unknown): boolean {
  return isObject(value) && GIFT_FIELDS.some((name) => valuesOf(value, name).length > 0)
}

function isListOfOneGift(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length === 1 && isGift(value[0])
}

/** Whether gifts stand in a list, so that an order could have several. */
export function hasListOfGifts(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(isGift)
  return isObject(body) && Object.values(body).some(hasListOfGifts)
}

/** The body with its gift twice; undefined where it has no list of one gift. */
export function withTwoGifts(body: unknown): Fields | undefined {
  if (!isObject(body)) return undefined
  for (const [member, value] of Object.entries(body)) {
    const doubled = isListOfOneGift(value) ? [...value, ...value] : withTwoGifts(value)
    if (doubled) return { ...body, [member]: doubled }
  }
  return undefined
}

export type Alteration = { readonly token: string; readonly how: string }

/**
 * The token without its signature, and with one character changed: twice in its last part, where a signature stands, and before it. The
 * very last character is never the one, for in base64 it may hold bits that mean nothing.
 */
export function alterationsOf(token: string): readonly Alteration[] {
  const parts = token.split('.')
  const last = parts.length - 1
  if (last === 0) {
    const at = (share: number): string => alteredAt(token, Math.floor((token.length - 1) * share))
    return [
      changed('towards its end', at(0.95)),
      changed('further ahead', at(0.7)),
      changed('near its beginning', at(0.3)),
      { token: token.slice(0, Math.floor(token.length * 0.75)), how: 'without its last quarter' },
    ]
  }
  const alter = (at: number, text: string): string => parts.with(at, text).join('.')
  const altered = (at: number, index = (parts[at] ?? '').length >> 1): string =>
    alter(at, alteredAt(parts[at] ?? '', index))
  const nearEnd = Math.max(0, (parts[last] ?? '').length - 2)
  return [
    changed('in its last part', altered(last)),
    changed('near the end of its last part', altered(last, nearEnd)),
    changed('before its last part', altered(last - 1)),
    { token: alter(last, ''), how: 'with an empty last part' },
  ]
}

function changed(where: string, token: string): Alteration {
  return { token, how: `with another character ${where}` }
}

/** Another character of the same kind there. */
function alteredAt(text: string, index: number): string {
  const old = text.charAt(index)
  const [one, two] = /\d/.test(old) ? ['3', '7'] : /[a-z]/.test(old) ? ['b', 'e'] : ['B', 'E']
  return text.slice(0, index) + (old === one ? two : one) + text.slice(index + 1)
}

/** The same JSON value with the members of each object the other way round. */
export function turnedRound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, child]) => [name, turnedRound(child)] as const)
  return Object.fromEntries(members.toReversed())
}
