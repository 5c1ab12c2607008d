import { expect, test } from 'vitest'
import type { SessionExchange } from './exchange-table.ts'
import { cartStatements } from './sessions-carts-judge.ts'

const ORIGINAL = {
  operation: 'cart',
  status: 200,
  sentMs: 0,
  receivedMs: 10,
  ids: ['order-1', 'order-2'],
  prices: ['1.00', '2.00'],
  states: ['SUCCESS', 'SUCCESS'],
  reference: 'cart-1',
  currency: 'USD',
  total: '3.00',
  state: 'SUCCESS',
} as unknown as SessionExchange

const FACTS = { positions: 2, isCapped: false, owners: new Map() } as const

function namedVerdict(again: SessionExchange): string | undefined {
  const purchase = {
    name: 'session 1',
    session: 1,
    kind: 'cart',
    key: 0,
    account: 'own',
    attempts: [ORIGINAL, again],
    original: ORIGINAL,
    replays: [again],
    reads: [],
    unhides: [],
    sights: [ORIGINAL],
    end: 'done',
  } as const
  return cartStatements(purchase, FACTS).find(({ requirement }) => requirement === 'CART-09')
    ?.verdict
}

test('the answer to a cart that is sent again names all of its orders', () => {
  expect(namedVerdict(ORIGINAL)).toBe('pass')
  expect(namedVerdict({ ...ORIGINAL, ids: ['order-2'] })).toBe('fail')
  expect(namedVerdict({ ...ORIGINAL, ids: [] })).toBe('fail')
})

test('an answer of another form is not looked at', () => {
  expect(namedVerdict({ ...ORIGINAL, ids: [], total: undefined })).toBeUndefined()
})

const READ = { ...ORIGINAL, operation: 'by-reference', items: 2 } as unknown as SessionExchange

function countVerdict(isCapped: boolean): string | undefined {
  const purchase = {
    name: 'session 1',
    session: 1,
    kind: 'cart',
    key: 0,
    account: 'own',
    attempts: [ORIGINAL],
    original: ORIGINAL,
    replays: [],
    reads: [READ],
    unhides: [],
    sights: [ORIGINAL],
    end: 'done',
  } as const
  const facts = { positions: 3, isCapped, owners: new Map() }
  return cartStatements(purchase, facts).find(({ requirement }) => requirement === 'CART-01')
    ?.verdict
}

test('a cart that a cap may have cut says nothing of how many orders a cart makes', () => {
  expect(countVerdict(false)).toBe('fail')
  expect(countVerdict(true)).toBeUndefined()
})
