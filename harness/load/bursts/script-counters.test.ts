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

test('unhide reads of an order are told apart by the state that they are made in', () => {
  const script: ScriptDraft = {
    name: 'admission',
    headroomUnits: [null],
    steps: [
      {
        do: 'read',
        phase: 'attempt',
        reads: [...reads(0, 3, 'by-order'), ...reads(1, 5, 'by-order')],
      },
      { do: 'finish', reads: reads(0, 1, 'masked'), everyMs: 500, maxSeconds: 4 },
      { do: 'read', phase: 'beyond', reads: reads(1, 2, 'by-reference') },
    ],
  }
  const { counters, unhide } = scriptCounters([script])
  expect(unhide).toEqual([
    { name: 'admission', orders: 2, perOrder: { pending: 5, completed: 2, admission: 7 } },
  ])
  expect(counters).toEqual([
    { name: 'admission, masked reads', bucket: 'orders.filtered', keys: 1, requestsMax: 8 },
  ])
})
