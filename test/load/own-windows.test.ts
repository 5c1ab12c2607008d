/** Endpoints with windows of their own, tighter or looser than the default, under load. */
import { describe, expect, test } from 'vitest'
import { unknownWindows } from '../../harness/load/shared/known-windows.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { virtualLoadOn } from './virtual-load.ts'
import { networkAtDefaults } from './virtual-network.ts'

/** A target file that reads the limits of buckets, and none of single endpoints. */
function withoutOwn(target: Target): Target {
  const { rateLimits } = target.operations
  const selectors = Object.fromEntries(
    Object.entries(rateLimits.selectors).filter(([name]) => !name.startsWith('operations.')),
  )
  return {
    ...target,
    operations: { ...target.operations, rateLimits: { ...rateLimits, selectors } },
  }
}

const VARIANTS = ['services-window-tighter', 'services-window-looser'] as const
const STRESS = { workload: 'stress', seconds: 30 } as const

function verdictsOf({ findings }: LoadResult, requirement: string): string[] {
  return findings.filter((each) => each.requirement === requirement).map(({ verdict }) => verdict)
}

describe.each(VARIANTS)('%s', (variant) => {
  const service = { variants: [variant] }

  test('as reported, its windows are decided', async () => {
    const network = await networkAtDefaults({ service })
    const result = await virtualLoadOn('rate-limit-windows', network)
    expect(result.verdict, result.reason).toBe('pass')
    const browsed = await virtualLoadOn('browse', await networkAtDefaults({ service }), STRESS)
    expect(browsed.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(browsed.requests.sent).toBeGreaterThanOrEqual(browsed.requests.planned)
  })

  test('a window that is off by one is found', async () => {
    const network = await networkAtDefaults({ service, faults: ['window-count-minus-one'] })
    const result = await virtualLoadOn('rate-limit-windows', network)
    expect(verdictsOf(result, 'RATE-01')).toEqual(['fail'])
  })

  test('where only the default is read, nobody is blamed', async () => {
    const windows = await networkAtDefaults({ service }, withoutOwn)
    const result = await virtualLoadOn('rate-limit-windows', windows)
    expect(result.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(verdictsOf(result, 'RATE-01')).toEqual(['pass'])
    expect(result.reason).toContain('Not judged: services')
    const browse = await networkAtDefaults({ service }, withoutOwn)
    const browsed = await virtualLoadOn('browse', browse, STRESS)
    expect(browsed.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })
})

test('no load is planned on windows of which nothing is known, and what to add is named', async () => {
  const { target } = await networkAtDefaults({})
  const services = { bucket: 'default', endpoint: 'listServices' } as const
  const assumed = effectiveLimits({ ...target, limits: {} })
  expect(unknownWindows(assumed, [services])).toContain('add the selectors "default.count"')
  const stated = { ...target, limits: { default: { count: 5, windowSeconds: 60 } } }
  expect(unknownWindows(effectiveLimits(stated), [services])).toBeUndefined()
})
