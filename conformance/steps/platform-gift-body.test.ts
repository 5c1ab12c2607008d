import { expect, it } from 'vitest'
import {
  alterationsOf,
  hasListOfGifts,
  valuesOf,
  without,
  withTwoGifts,
} from './platform-gift-body.ts'

const GIFT = { recipient_region: 'EU', invite_url: 'https://a.example', profile_url: null }

it('finds members at any depth', () => {
  expect(valuesOf({ gifts: [GIFT, { recipient_region: 'US' }] }, 'recipient_region')).toEqual([
    'EU',
    'US',
  ])
  expect(valuesOf({ a: { profile_url: null } }, 'profile_url')).toEqual([null])
  expect(valuesOf('recipient_region', 'recipient_region')).toEqual([])
})

it('finds members inside each other, in the order of the text, and walks through any depth', () => {
  const [one, two] = [{ id: { id: 1 } }, { id: 2 }]
  expect(valuesOf([one, two], 'id')).toEqual([{ id: 1 }, 1, 2])
  expect(valuesOf(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), 'id')).toEqual([])
})

it('removes members at any depth and leaves the rest', () => {
  expect(without({ token: 1, gifts: [GIFT] }, ['invite_url', 'profile_url'])).toEqual({
    token: 1,
    gifts: [{ recipient_region: 'EU' }],
  })
})

it('doubles the one gift, wherever its list stands', () => {
  expect(withTwoGifts({ tags: ['x'], gifts: [GIFT] })).toEqual({ tags: ['x'], gifts: [GIFT, GIFT] })
  expect(withTwoGifts({ order: { items: [{ gift: GIFT }] } })).toEqual({
    order: { items: [{ gift: GIFT }, { gift: GIFT }] },
  })
  const edition = { editionId: 'a' }
  expect(withTwoGifts({ ...GIFT, gift: [edition] })).toEqual({ ...GIFT, gift: [edition, edition] })
})

it('doubles nothing where there is no list of one gift', () => {
  expect(withTwoGifts({ gift: GIFT, other: [{ name: 'x' }] })).toBeUndefined()
  expect(withTwoGifts({ gifts: [GIFT, GIFT] })).toBeUndefined()
})

it('finds the list in which gifts stand', () => {
  expect(hasListOfGifts({ order: { gifts: [GIFT, GIFT] } })).toBe(true)
  expect(hasListOfGifts({ gift: GIFT, other: [{ name: 'x' }] })).toBe(false)
})

const tokensOf = (token: string): string[] => alterationsOf(token).map((each) => each.token)

it('changes one of two characters in the signature, and one before it, and leaves the signature out', () => {
  expect(tokensOf('head.body.signed')).toEqual([
    'head.body.sigbed',
    'head.body.signbd',
    'head.boby.signed',
    'head.body.',
  ])
  expect(tokensOf('body9.7bb7')).toEqual(['body9.7be7', 'body9.7be7', 'boby9.7bb7', 'body9.'])
  expect(tokensOf('abcdefgh').at(-1)).toBe('abcdef')
  for (const token of ['abcdefghij', 'a', '0123456789.B', 'x.y.z']) {
    const altered = tokensOf(token)
    expect(altered).not.toContain(token)
  }
})
