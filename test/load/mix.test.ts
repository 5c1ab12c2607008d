/** The scenario mixed with other shares of clients: what it decides follows from who comes. */
import { expect, test } from 'vitest'
import type { SessionKind } from '../../load/protocol/open-model.ts'
import { virtualLoadOn } from './virtual-load.ts'
import { virtualNetwork } from './virtual-network.ts'

const MAX = { name: 'max', quantile: 1, limitMs: 5000 } as const

test.each<[Partial<Record<SessionKind, number>>, readonly string[]]>([
  [{ browse: 9, buyer: 1 }, ['createOrder', 'listServices']],
  [{ buyer: 1, shopper: 1 }, ['createCart', 'createOrder']],
])('%j', async (shares, sent) => {
  const kinds = Object.entries(shares) as [SessionKind, number][]
  const result = await virtualLoadOn('mixed', virtualNetwork(), {
    workload: 'smoke',
    mix: kinds.map(([kind, weight]) => ({ kind, weight })),
    goals: [{ latency: MAX }, { operation: sent[0] as string, latency: MAX }],
  })
  expect(result.reason).not.toBe('')
  expect(result.verdict).toBe('pass')
  const operations = result.operations?.map(({ operation }) => operation) ?? []
  expect(operations).toEqual(expect.arrayContaining([...sent]))
  expect(operations.includes('createCart')).toBe('shopper' in shares)
  expect(result.sessions?.map(({ kind }) => kind)).toEqual(kinds.map(([kind]) => kind))
  const answered = result.operations?.reduce((sum, each) => sum + each.sent, 0)
  expect(answered).toBe(result.requests.sent)
  expect(result.goals).toMatchObject([
    { name: 'max', met: true },
    { operation: sent[0], met: true },
  ])
  const [ofAll, ofOne] = result.goals ?? []
  expect(ofAll).not.toHaveProperty('overTime')
  const slowest = Math.max(...(ofOne?.overTime ?? []).map(({ ms }) => ms))
  const figures = result.operations?.find(({ operation }) => operation === sent[0])
  expect(slowest).toBe(figures?.admitted.msMax)
  expect(result.workloadShape).toContain(kinds.map(([kind, weight]) => `${kind}=${weight}`).join())
})
