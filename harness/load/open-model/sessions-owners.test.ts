import { expect, test } from 'vitest'
import { sessionOf } from '../../../test/load/sample-open-model.ts'
import { seeded } from '../../../test/support/limiter-simulator.ts'
import { sessionTable } from './session-table.ts'
import { ownersOf } from './sessions-owners.ts'

test('an order belongs to the session whose first acceptance names it', () => {
  const sessions = [
    sessionOf(1, [
      { sentMs: 0, operation: 'cart', status: 429, ids: ['refused'] },
      { sentMs: 20, operation: 'cart', status: 202, ids: ['first', 'sec,ond'] },
      { sentMs: 40, operation: 'cart-replay', status: 200, ids: ['replayed'] },
      { sentMs: 60, operation: 'by-reference', status: 200, ids: ['read'] },
    ]),
    sessionOf(0, [{ sentMs: 5, operation: 'order', status: 200, ids: ['other'] }]),
  ]
  const owners = ownersOf(sessionTable(sessions))
  const asked = ['first', 'sec,ond', 'other', 'refused', 'replayed', 'read', 'sec', '']
  expect(asked.map((id) => owners.get(id))).toEqual([
    1,
    1,
    0,
    ...asked.slice(3).map(() => undefined),
  ])
  expect(ownersOf(sessionTable([])).get('first')).toBeUndefined()
})

test('an order that several were told of belongs to the last of them in the schedule', () => {
  const random = seeded(7)
  const number = (below: number): number => Math.floor(below * random())
  const told = Array.from({ length: 4000 }, () =>
    Array.from({ length: number(4) }, () => `o-${number(6000)}`),
  )
  // They begin in another order than the schedule's.
  const sessions = told
    .map((ids, index) =>
      sessionOf(index, [{ sentMs: index, operation: 'order', status: 202, ids }]),
    )
    .toSorted((a, b) => (a.index % 7) - (b.index % 7))
  const expected = new Map(told.flatMap((ids, index) => ids.map((id) => [id, index] as const)))
  const owners = ownersOf(sessionTable(sessions))
  for (let id = 0; id < 6000; id++) expect(owners.get(`o-${id}`)).toBe(expected.get(`o-${id}`))
})
