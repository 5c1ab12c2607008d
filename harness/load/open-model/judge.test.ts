import { describe, expect, test } from 'vitest'
import type { Bucket } from '../../../contract/limits.ts'
import {
  openModelPlan,
  evidenceOf,
  sessionOf,
  type Sent,
} from '../../../test/load/sample-open-model.ts'
import { resolveTarget } from '../../target-file/resolve.ts'
import { effectiveLimits } from '../../quota/effective-limits.ts'
import { sharedStatements } from './judge.ts'
import type { OpenModelContext } from './context.ts'

/** Long beside the slack of 250 ms, so that little is ambiguous. */
const LIMIT = { count: 4, windowSeconds: 10 }

function context(): OpenModelContext {
  const target = resolveTarget({
    flags: { baseUrl: 'http://127.0.0.1:1' },
    env: { ORDERING_KEY: 'key' },
    cwd: import.meta.dirname,
  })
  const limits = effectiveLimits({
    ...target,
    limits: { default: LIMIT, 'operations.listServices': LIMIT, 'orders.filtered': LIMIT },
  })
  return {
    target,
    limits,
    accounts: {
      fresh: true,
      roles: ['full'],
      open: () => Promise.reject(new Error('no keys')),
      make: () => Promise.resolve([]),
    },
  }
}

/** One session for each request; windows that begin at 0. */
function verdictsOf(sent: readonly Sent[]): Record<string, string> {
  const evidence = evidenceOf(sent.map((each, index) => sessionOf(index, [each])))
  const statements = sharedStatements(evidence, openModelPlan(), context())
  return Object.fromEntries(statements.map(({ requirement, verdict }) => [requirement, verdict]))
}

const REFUSED = { status: 429, code: 8, retryAfter: '1' } as const
const WITHIN: readonly Sent[] = [0, 100, 200, 300].map((sentMs) => ({ sentMs }))

function afterRefusal(answer: Partial<Sent>): Record<string, string> {
  return verdictsOf([...WITHIN, { sentMs: 500, ...REFUSED, ...answer }])
}

describe('what all open-model scenarios are judged by', () => {
  test('requests within the budget that were admitted', () => {
    expect(verdictsOf(WITHIN)).toEqual({ 'RATE-01': 'pass' })
  })

  test('a request that had to be admitted', () => {
    // One alone could lie on an edge.
    const sent = [...WITHIN.slice(0, 2), { sentMs: 1500, ...REFUSED }, { sentMs: 3000, ...REFUSED }]
    expect(verdictsOf(sent)).toMatchObject({ 'RATE-01': 'fail' })
  })

  test('more admitted than any windows allow', () => {
    const sent = Array.from({ length: 12 }, (_, index) => ({ sentMs: 300 * index }))
    expect(verdictsOf(sent)).toMatchObject({ 'RATE-02': 'fail' })
  })

  test('a budget that is seldom overstepped is not called held', () => {
    expect(verdictsOf([...WITHIN, { sentMs: 500, ...REFUSED }])).not.toHaveProperty('RATE-02')
  })

  test('refusals without statusCode 8, Retry-After, or whole seconds', () => {
    expect(afterRefusal({})).toMatchObject({
      'RATE-05': 'pass',
      'RATE-06': 'pass',
      'RATE-07': 'pass',
    })
    expect(afterRefusal({ code: 13 })).toMatchObject({ 'RATE-05': 'fail', 'RATE-06': 'pass' })
    expect(afterRefusal({ retryAfter: undefined })).toMatchObject({
      'RATE-06': 'fail',
      'RATE-07': 'pass',
    })
    expect(afterRefusal({ retryAfter: '1.5' })).toMatchObject({
      'RATE-06': 'pass',
      'RATE-07': 'fail',
    })
  })

  test('a promise that was too short', () => {
    const sent = [
      ...WITHIN,
      { sentMs: 400, ...REFUSED },
      { sentMs: 3000, ...REFUSED },
      { sentMs: 5000, ...REFUSED },
      { sentMs: 10_500 },
    ]
    expect(verdictsOf(sent)).toMatchObject({ 'RATE-08': 'fail', 'RATE-01': 'pass' })
  })

  test('a budget that is one too small, seen over several windows', () => {
    const windows = [0, 10_000, 20_000].flatMap((fromMs): Sent[] => [
      ...[2000, 2300, 2600].map((afterMs) => ({ sentMs: fromMs + afterMs })),
      ...[3000, 4000, 5000].map((afterMs) => ({ sentMs: fromMs + afterMs, ...REFUSED })),
    ])
    expect(verdictsOf(windows)).toMatchObject({ 'RATE-01': 'fail' })
    expect(verdictsOf(windows)).not.toHaveProperty('RATE-03')
  })

  test('a spent window that is answered by another error', () => {
    const beyond = [1500, 3000, 4500].map((sentMs) => ({ sentMs, status: 503 }))
    expect(verdictsOf([...WITHIN, ...beyond])).toMatchObject({ 'RATE-04': 'fail' })
  })

  test('one counter for all accounts', () => {
    const sent = [0, 300, 600, 900].map((sentMs) => ({ sentMs }))
    const refused = [2000, 3500, 5000, 6500].map((sentMs) => ({ sentMs, ...REFUSED }))
    const sessions = [...sent, ...refused].map((each, index) =>
      sessionOf(index, [each], { key: index % 2 }),
    )
    const statements = sharedStatements(evidenceOf(sessions), openModelPlan(), context())
    expect(statements).toContainEqual(
      expect.objectContaining({ requirement: 'RATE-09', verdict: 'fail' }),
    )
  })

  test('a purchase may be refused for contention: that is no refusal of a window', () => {
    const sent = [{ sentMs: 0, operation: 'order' as const, ...REFUSED }]
    expect(verdictsOf(sent)).toEqual({ 'RATE-05': 'pass', 'RATE-06': 'pass', 'RATE-07': 'pass' })
  })

  test('an endpoint whose own limit nobody stated is not judged by the default', () => {
    const sent = Array.from({ length: 12 }, (_, index) => ({
      sentMs: 300 * index,
      operation: 'lookup' as const,
    }))
    expect(verdictsOf(sent)).toEqual({})
  })

  test('accounts are counted apart', () => {
    const sessions = Array.from({ length: 8 }, (_, index) =>
      sessionOf(index, [{ sentMs: 300 * index }], { key: index % 2 }),
    )
    const statements = sharedStatements(evidenceOf(sessions), openModelPlan(), context())
    expect(statements.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
  })
})

test('the budget of filtered reads is the one that is judged for them', () => {
  const bucket: Bucket = 'orders.filtered'
  const sent = Array.from({ length: 12 }, (_, index) => ({
    sentMs: 300 * index,
    operation: 'masked' as const,
  }))
  const evidence = evidenceOf(sent.map((each, index) => sessionOf(index, [each])))
  const [statement] = sharedStatements(evidence, openModelPlan(), context())
  expect(statement?.observed).toContain(bucket)
})
