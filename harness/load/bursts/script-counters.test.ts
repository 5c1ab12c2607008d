import { expect, test } from 'vitest'
import type { PlannedRead } from '../../../load/protocol/bursts.ts'
import { scriptCounters } from './script-counters.ts'
import type { ScriptDraft } from './burst-plan.ts'

function reads(reference: number, count: number, kind: PlannedRead['kind']): PlannedRead[] {
  return Array.from({ length: count }, () => ({ key: 0, reference, kind }))
}

const purchase = { key: 0, reference: 0, product: 0, units: 1 }

test('requests are counted by counter, with the keys that share them', () => {
  const script: ScriptDraft = {
    name: 'two keys',
    headroomUnits: [4, null],
    steps: [
      { do: 'warm', count: 5 },
      { do: 'warm', count: 5 },
      { do: 'buy', phase: 'burst', purchases: [purchase, purchase] },
      { do: 'read-contended', contendedMax: 3 },
      { do: 'retry-until-decided', rounds: 2 },
      { do: 'cap-boundary', key: 0, reference: 9 },
      { do: 'read', phase: 'count', reads: reads(0, 2, 'masked') },
    ],
  }
  const { counters, unhide } = scriptCounters([script])
  expect(counters).toEqual([
    { name: 'two keys, POST /orders', bucket: 'default', keys: 2, requestsMax: 2 + 4 + 3 },
    { name: 'two keys, GET /services', bucket: 'default', keys: 2, requestsMax: 10 },
    { name: 'two keys, masked reads', bucket: 'orders.filtered', keys: 2, requestsMax: 4 + 2 },
  ])
  expect(unhide).toEqual([])
})

test.each([
  ['pending', { pending: 5, completed: 0, admission: 5 }],
  ['completed', { pending: 0, completed: 5, admission: 5 }],
])('reads in clear of %s orders are counted by order', (name, perOrder) => {
  const all = [...reads(0, 3, 'by-order'), ...reads(1, 5, 'by-order'), ...reads(1, 9, 'masked')]
  const steps = [{ do: 'read', phase: 'attempt', reads: all }] as const
  const { unhide } = scriptCounters([{ name, headroomUnits: [null], steps }])
  expect(unhide).toEqual([{ name, orders: 2, perOrder }])
})
