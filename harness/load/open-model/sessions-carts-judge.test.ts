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

type Seen = { readonly original?: SessionExchange; readonly reads?: readonly SessionExchange[] }

function verdictsOf(
  { original = ORIGINAL, reads = [READ] }: Seen,
  { positions = 3, isCapped = false } = {},
): ReadonlyMap<string, string> {
  const purchase = {
    name: 'session 1',
    session: 1,
    kind: 'cart',
    key: 0,
    account: 'own',
    attempts: [original],
    original,
    replays: [],
    reads,
    unhides: [],
    sights: [original],
    end: 'done',
  } as const
  const facts = { positions, isCapped, owners: new Map() }
  return new Map(
    cartStatements(purchase, facts).map(({ requirement, verdict }) => [requirement, verdict]),
  )
}

test('a cart that a cap may have cut says nothing of how many orders a cart makes', () => {
  expect(verdictsOf({}).get('CART-01')).toBe('fail')
  expect(verdictsOf({}, { isCapped: true }).get('CART-01')).toBeUndefined()
})

test('the orders of a cart may come a second after its answer', () => {
  const empty = { ...READ, items: 0, sentMs: 20 } as SessionExchange
  const late = { ...READ, sentMs: 1500 } as SessionExchange
  const facts = { positions: 2 }
  expect(verdictsOf({ reads: [empty, late] }, facts).get('CART-02')).toBe('pass')
  expect(verdictsOf({ reads: [empty] }, facts).get('CART-02')).toBeUndefined()
  const never = { ...empty, sentMs: 1500 } as SessionExchange
  expect(verdictsOf({ reads: [empty, never] }, facts).get('CART-02')).toBe('fail')
})
