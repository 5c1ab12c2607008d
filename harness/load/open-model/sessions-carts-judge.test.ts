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
